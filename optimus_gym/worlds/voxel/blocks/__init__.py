"""The rules of blocks that act: they fall, flow, burn, grow, break, feel their neighbours."""
