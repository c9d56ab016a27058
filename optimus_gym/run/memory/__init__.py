"""The command `optimus-gym memory`."""
