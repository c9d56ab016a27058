"""Blocks that act: they fall, flow, burn, grow, break and feel their neighbours."""
