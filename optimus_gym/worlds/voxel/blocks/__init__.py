"""The rules of blocks that act: they fall, flow, burn, grow, break and react to changed neighbours."""
