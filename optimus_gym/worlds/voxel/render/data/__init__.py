"""How each kind of block is drawn (`shapes.json`)."""
