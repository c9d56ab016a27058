"""The simulators, the embedded world among them."""
