"""Play episodes of any controller into a Minari dataset: `optimus-gym record`."""
