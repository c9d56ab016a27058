"""Make and step each of the three views of the installed package, to test a wheel outside a checkout."""

import gymnasium as gym

import optimus_gym

print("optimus_gym", optimus_gym.__version__, "from", optimus_gym.__path__[0])
for name in ("OptimusFlat-Diamond-v0", "OptimusControl-Diamond-v0", "Optimus-Wood-v0"):
    env = gym.make(name)
    observation, info = env.reset(seed=0)
    assert observation in env.observation_space, name
    for _ in range(1 if name.startswith("Optimus-") else 20):
        action = 0 if name.startswith("Optimus-") else env.action_space.sample()
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space, name
    env.close()
    print(name, "works")
