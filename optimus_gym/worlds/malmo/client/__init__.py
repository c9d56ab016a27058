"""The client's part of the wire: the real game as a world, launched, attached, or in this process."""

from optimus_gym.worlds.malmo.client.env_worlds import from_env

__all__ = ["from_env"]
