"""Types, protocols, errors and registries that all other folders use."""
