"""Types, protocols, errors and registries that all other rooms build on."""
