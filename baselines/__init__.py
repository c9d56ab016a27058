"""Baselines: PPO without a planner, behaviour cloning (installed as `optimus_gym.baselines`)."""

if __name__ != "optimus_gym.baselines":
    raise ImportError(f"import optimus_gym.baselines, not {__name__}")
