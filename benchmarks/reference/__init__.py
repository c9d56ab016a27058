"""The bare ray caster that the renderer is measured against: frozen, not to be made faster or slower."""
