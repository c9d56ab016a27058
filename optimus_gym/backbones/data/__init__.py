"""Tables of the backbones."""
