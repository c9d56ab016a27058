"""Costs of finding each block and meeting each creature: JSON, each row with its source."""
