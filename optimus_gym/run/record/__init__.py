"""Play episodes with any controller and store them as a Minari dataset: `optimus-gym record`."""
