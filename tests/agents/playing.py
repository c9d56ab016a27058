"""Whole episodes of an agent."""


def last_info(env, seed=0):
    """Play an episode of a sub-goal view by its agent, close the environment, and return the last info."""
    _, info = env.reset(seed=seed)
    over = info["status"] != "running"
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    env.close()
    return info
