"""Tests of the tables and ablations of the papers."""
