"""Vocabularies, the curriculum and reward schedules of the environments."""
