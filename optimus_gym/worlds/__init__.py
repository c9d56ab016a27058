"""The simulators; `optimus_gym.core.registry` knows them by name."""
