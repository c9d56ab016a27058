"""Experience: what was seen and done in former episodes (Optimus-1's AMEP, section 2.1.1)."""
