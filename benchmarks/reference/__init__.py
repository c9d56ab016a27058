"""The bare ray caster for comparison with the renderer: frozen, so never make it faster or slower."""
