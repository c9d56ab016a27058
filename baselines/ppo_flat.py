"""PPO on the flat view, without a planner: a first log within 200,000 ticks.

    python -m optimus_gym.baselines.ppo_flat --folder runs/ppo_flat

Proves that the environment's contract is learnable; read it from top to bottom. Proximal policy
optimisation is stable-baselines3's, with its CNN over `pov`; the numbers beside it (air is 300) would
drown what the CNN sees, and a first log needs none of them. A policy sees 64x64 pixels, decides every
eighth tick and chooses among a few low-level actions that all keep the attack key down, since a log
takes 60 ticks of digging without a pause. Episodes begin in a dark forest, where trunks are near, and
end at the first reward or after 240 ticks, so that 200,000 ticks hold more than 800 attempts. The
random policy it is compared with chooses among the same actions.

Writes into the folder: `config.json` (arguments, versions), `progress.csv` and TensorBoard's log,
`model.zip`, `result.json` (mean reward of a random and of the learned policy on validation seeds).
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium.wrappers import FilterObservation
from numpy.typing import NDArray

import optimus_gym
from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    FORWARD,
    JUMP,
    STILL,
    YAW,
    camera_bin,
    noop,
)
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.rng import generator
from optimus_gym.seeds import TRAIN, VALIDATION, refuse_test_seeds
from optimus_gym.wrappers.frame_skip import FrameSkip

Observation = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Args:
    """The run's arguments, each also an option of the command line."""

    id: str = "OptimusFlat-Wood-v0"
    """A flat view."""
    folder: str = "runs/ppo_flat"
    """Where everything is written; made if it does not exist."""
    ticks: int = 200_000
    """Ticks of training, all environments together."""
    episode_ticks: int = 240
    """Ticks of an episode, in training and evaluation."""
    frame_skip: int = 8
    """Ticks that an action is held."""
    side: int = 64
    """Width and height of `pov` in pixels."""
    biome: str = "dark_forest"
    """Where episodes begin; empty lets the seed decide."""
    environments: int = 8
    """Stepped one after the other in one process."""
    first_seed: int = TRAIN.start
    """The first world to train on; a test seed is refused."""
    worlds: int = 100_000
    """How many seeds from the first one on may be drawn."""
    seed: int = 0
    """Of the network's weights and of all draws, 0 or more."""
    learning_rate: float = 5e-4
    """Of Adam, falling to 0 over the run."""
    decisions: int = 128
    """Decisions of each environment between two updates."""
    batch: int = 128
    """Decisions in a minibatch."""
    epochs: int = 8
    """Passes over the decisions of an update."""
    discount: float = 0.97
    """A decision's, (0, 1]."""
    entropy: float = 0.003
    """Weight of the entropy bonus."""
    evaluation_episodes: int = 200
    """Validation episodes of each policy."""

    def __post_init__(self) -> None:
        refuse_test_seeds((self.first_seed,))
        if self.first_seed not in TRAIN or not 1 <= self.worlds <= TRAIN.stop - self.first_seed:
            raise BadValue(
                f"first_seed, worlds: expected seeds from {TRAIN.start} to {TRAIN.stop - 1}, "
                f"got {self.worlds} from {self.first_seed}"
            )
        for name in ("ticks", "episode_ticks", "environments", "evaluation_episodes"):
            if getattr(self, name) < 1:
                raise BadValue(f"{name}: expected at least 1, got {getattr(self, name)}")


TURN_DEGREES: Final = 13.0
"""A decision's turn: about half the width of a trunk two blocks ahead."""


def low_level_actions(frame_skip: int) -> NDArray[np.int64]:
    """Return what the policy chooses from (int64[4, 15]): each row an action of the flat view.

    Walk and dig: straight on, with a jump, turning left or right. Who walks against a trunk stands and
    digs. The eyes stay level: they look at the trunk's second log, which falls at the player's feet.
    """
    turn = camera_bin(TURN_DEGREES / frame_skip)
    rows = []
    for jump, yaw in ((0, STILL), (1, STILL), (0, turn), (0, 2 * STILL - turn)):
        action = noop().astype(np.int64)
        action[ATTACK] = action[FORWARD] = 1
        action[JUMP], action[YAW] = jump, yaw
        rows.append(action)
    return np.stack(rows)


class FewActions(gym.ActionWrapper[Observation, np.int64, NDArray[np.int64]]):
    """Choose a row of a table instead of a whole low-level action."""

    def __init__(
        self, env: gym.Env[Observation, NDArray[np.int64]], table: NDArray[np.int64]
    ) -> None:
        super().__init__(env)
        assert table.shape[1] == ACTION_LENGTH
        self._table = table
        self.action_space = gym.spaces.Discrete(len(table))

    def action(self, action: np.int64) -> NDArray[np.int64]:
        """Return the row."""
        row: NDArray[np.int64] = self._table[int(action)].copy()
        return row


class EndAtReward(gym.Wrapper[Observation, np.int64, Observation, np.int64]):
    """End the episode at its first reward, which is the first log."""

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, float(reward), terminated or float(reward) > 0, truncated, info


class DrawSeeds(gym.Wrapper[Observation, np.int64, Observation, np.int64]):
    """Begin each episode in a world drawn from a range of seeds, in the biome asked for."""

    def __init__(
        self, env: gym.Env[Observation, np.int64], seeds: range, biome: str, random_seed: int
    ) -> None:
        super().__init__(env)
        self._seeds = seeds
        self._options = {"biome": biome} if biome else {}
        self._random = generator(random_seed, "worlds to train on")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; `seed`, if given, restarts the draws."""
        if seed is not None:
            self._random = generator(seed, "worlds to train on")
        drawn = self._seeds[int(self._random.integers(len(self._seeds)))]
        return self.env.reset(seed=drawn, options={**self._options, **(options or {})})


def make_env(args: Args, seeds: range, random_seed: int) -> gym.Env[Observation, np.int64]:
    """Make the environment with its wrappers."""
    env: gym.Env[Any, Any] = gym.make(
        args.id, resolution=(args.side, args.side), ticks=args.episode_ticks
    )
    env = FilterObservation(env, ["pov"])
    env = FewActions(FrameSkip(env, args.frame_skip), low_level_actions(args.frame_skip))
    return DrawSeeds(EndAtReward(env), seeds, args.biome, random_seed)


def evaluate(args: Args, model: Any | None) -> list[float]:
    """Return each validation episode's reward, of `model` or, if None, of a random policy."""
    env = make_env(args, VALIDATION, random_seed=args.seed)
    random = generator(args.seed, "random policy")
    choices = len(low_level_actions(args.frame_skip))
    rewards = []
    for _ in range(args.evaluation_episodes):
        observation, _ = env.reset()
        total, over = 0.0, False
        while not over:
            if model is None:
                action = random.integers(choices)
            else:
                action, _ = model.predict(observation, deterministic=False)
            observation, reward, terminated, truncated, _ = env.step(np.int64(action))
            total += float(reward)
            over = terminated or truncated
        rewards.append(total)
    env.close()
    return rewards


def train(args: Args) -> Any:
    """Train, log and save; return the model.

    Raises:
        MissingExtra: stable-baselines3 is not installed.
    """
    try:
        from stable_baselines3 import PPO
        from stable_baselines3.common.logger import configure
        from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor
    except ImportError as error:
        raise MissingExtra("baselines.ppo_flat", "train") from error
    seeds = range(args.first_seed, args.first_seed + args.worlds)
    makers: list[Callable[[], gym.Env[Any, Any]]] = [
        partial(make_env, args, seeds, args.seed + k) for k in range(args.environments)
    ]
    environments = VecMonitor(DummyVecEnv(makers))
    model = PPO(
        "MultiInputPolicy",
        environments,
        learning_rate=lambda left: args.learning_rate * left,
        n_steps=args.decisions,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=args.discount,
        ent_coef=args.entropy,
        seed=args.seed,
        device="cpu",
    )
    model.set_logger(configure(args.folder, ["csv", "tensorboard", "stdout"]))
    model.learn(args.ticks // args.frame_skip)
    model.save(Path(args.folder) / "model.zip")
    environments.close()
    return model


def write(path: Path, content: dict[str, Any]) -> None:
    """Write JSON that a person can read."""
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Train, evaluate, write and print."""
    args = parse(arguments)
    folder = Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    versions = {"optimus_gym": optimus_gym.__version__, "gymnasium": gym.__version__}
    write(folder / "config.json", {"arguments": asdict(args), "versions": versions})
    model = train(args)
    by_chance, learned = evaluate(args, None), evaluate(args, model)
    result = {
        "episodes": args.evaluation_episodes,
        "seeds": "validation",
        "random_mean_reward": float(np.mean(by_chance)),
        "learned_mean_reward": float(np.mean(learned)),
        "random_share_with_reward": float(np.mean(np.array(by_chance) > 0)),
        "learned_share_with_reward": float(np.mean(np.array(learned) > 0)),
    }
    write(folder / "result.json", result)
    print(json.dumps(result, indent=2))  # noqa: T201 (the result is this program's output)


def parse(arguments: list[str] | None) -> Args:
    """Read the command line into `Args`."""
    parser = argparse.ArgumentParser(description="PPO on the flat view.")
    for field in fields(Args):
        option = "--" + field.name.replace("_", "-")
        default: Any = field.default
        parser.add_argument(option, type=type(default), default=default, help=f"default {default}")
    return Args(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    main()
