"""What all tests share: examples may take as long as they need, for machines differ in speed."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
