"""Experience of former episodes: pictures and sub-goals (Optimus-1's AMEP, section 2.1.1)."""
