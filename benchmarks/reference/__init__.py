"""A simple ray caster for comparison with the renderer: frozen, so that its speed stays the same."""
