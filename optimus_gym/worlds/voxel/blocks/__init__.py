"""The rules by which blocks fall, flow, burn, grow, break and react to their neighbours."""
