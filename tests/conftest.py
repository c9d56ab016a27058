"""Settings of all tests: Hypothesis examples have no time limit, because machines differ in speed."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
