"""Tests of the agent MP5."""
