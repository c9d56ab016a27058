"""Types, protocols, errors, registries, spaces and action conversions that everything else builds on."""
