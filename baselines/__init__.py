"""Baselines, one file each, read from top to bottom (installed as `optimus_gym.baselines`)."""

if __name__ != "optimus_gym.baselines":
    raise ImportError(f"import optimus_gym.baselines, not {__name__}")
