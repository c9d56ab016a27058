"""A page that shows what evaluations came to: `optimus-gym report`."""
