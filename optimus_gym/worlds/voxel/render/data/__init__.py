"""The shapes in which blocks are drawn (`shapes.json`)."""
