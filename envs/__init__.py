"""The Gymnasium environments (installed as `optimus_gym.envs`)."""

if __name__ != "optimus_gym.envs":
    raise ImportError(f"import optimus_gym.envs, not {__name__}")
