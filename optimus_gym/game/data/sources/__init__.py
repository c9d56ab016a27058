"""What finding each block and meeting each creature costs: JSON, each row with its source."""
