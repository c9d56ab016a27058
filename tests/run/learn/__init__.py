"""Tests of self-evolution."""
