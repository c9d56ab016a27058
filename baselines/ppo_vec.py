"""Recurrent PPO in plain torch on one page, over a batch of worlds: fast collecting, and a memory.

    python -m optimus_gym.baselines.ppo_vec

Read the script from top to bottom. The script trains a network with a memory by proximal policy
optimisation (Schulman et al. 2017), on the same skill, worlds, actions and floors as `ppo_under_planner`. The
memory is a minimal gated unit (Feng et al. 2024, "Were RNNs all we needed?"), whose gates look at the present
picture alone, so that all of a rollout's gates are computed at once. A batch
of `gym.make_vec` steps all worlds together, so that collecting needs no further process. `benchmarks/
ppo_speed.py` compares the speed with stable-baselines3's PPO over `SubprocVecEnv`.

The folder of a training seed gets the training's state (`state.pt`), from which `--resume` goes on, and a log
for TensorBoard. The controller of `vec_controller.py` plays the policy.
"""

import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.baselines.ppo_under_planner import worlds
from optimus_gym.baselines.run_folder import read_state
from optimus_gym.baselines.skill_run import ACTIONS, SkillArgs, skill_command
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.rng import generator
from optimus_gym.seeds import TRAIN
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.running import complain
from optimus_gym.terminal.stopping import asked_to_stop

try:
    import torch
    from torch import Tensor, nn
    from torch.utils.tensorboard import SummaryWriter

    from optimus_gym.core.weights import fill_network, write_tensors
except ImportError as error:
    missing = MissingExtra("baselines.ppo_vec", "train")
    if __name__ == "__main__":
        sys.exit(complain("ppo_vec", missing))
    raise missing from error

NAME: Final = "ppo_vec"
UNITS: Final = 256
"""Units of the network's memory."""
TRACE: Final = 0.95
"""Lambda of generalised advantage estimation (Schulman et al. 2016)."""
CLIP: Final = 0.2
"""Largest change of an action's probability, as a share, that an update pays for."""
VALUE_WEIGHT: Final = 0.5
GRADIENT: Final = 0.5
"""Maximum norm of the gradient of all parameters together."""
SAVED_EVERY: Final = 10
"""Updates between two saves."""
STATE: Final = ("steps", "side", "weights", "optimizer")


class Network(nn.Module):
    """Three convolutions, then a memory, then scores of the actions and a value.

    Args:
        side: width and height of the pictures, at least 36.
    """

    def __init__(self, side: int) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            *(nn.Conv2d(3, 16, 8, 4), nn.ReLU()),
            *(nn.Conv2d(16, 32, 4, 2), nn.ReLU()),
            *(nn.Conv2d(32, 32, 3, 1, 1), nn.ReLU()),
            nn.Flatten(),
        )
        width = self.seeing(torch.zeros(1, 3, side, side)).shape[1]
        self.joining = nn.Sequential(nn.Linear(width, UNITS), nn.ReLU())
        self.memory = nn.Linear(UNITS, 2 * UNITS)
        self.acting, self.valuing = nn.Linear(UNITS, len(ACTIONS)), nn.Linear(UNITS, 1)
        for name, values in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(values)
            else:
                nn.init.orthogonal_(values, nn.init.calculate_gain("relu"))
        nn.init.orthogonal_(self.acting.weight, 0.01)  # all actions are about equally likely
        nn.init.orthogonal_(self.valuing.weight, 1.0)

    def forward(
        self, pictures: Tensor, begins: Tensor, state: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the actions' scores (T, n, actions), values (T, n) and the state after T steps (n, UNITS).

        Args:
            pictures: uint8 (T, n, H, W, 3).
            begins: 1 where a step is an episode's first, else 0 (T, n).
            state: the memory before the first step (n, UNITS).
        """
        steps, rows = pictures.shape[:2]
        seen = pictures.flatten(0, 1).permute(0, 3, 1, 2).float().div_(255)
        joined = self.joining(self.seeing(seen)).view(steps, rows, UNITS)
        gates, news = self.memory(joined).chunk(2, -1)
        gates, news, states = gates.sigmoid(), news.tanh(), []
        for step in range(steps):
            state = torch.lerp(state * (1 - begins[step])[:, None], news[step], gates[step])
            states.append(state)
        told = joined + torch.stack(states)
        return self.acting(told), self.valuing(told)[..., 0], state


@dataclass(slots=True)
class Rollout:
    """The steps of all rows between two updates: arrays of T steps of n rows, and what follows.

    Attributes:
        pictures: uint8 (T, n, H, W, 3).
        begins: 1 where a step is an episode's first.
        actions: the chosen actions.
        chances: logarithms of the actions' probabilities.
        values: the network's values.
        rewards: the rewards; a step that a time limit ended has the discounted value of its last picture,
            too.
        state: the memory before the first step (n, UNITS).
    """

    pictures: Tensor
    begins: Tensor
    actions: Tensor
    chances: Tensor
    values: Tensor
    rewards: Tensor
    state: Tensor

    def advantages(self, discount: float, begins: Tensor, value: Tensor) -> Tensor:
        """Return the generalised advantage estimates (T, n).

        Args:
            discount: discount factor of a step.
            begins: 1 where the step after the last one is an episode's first (n).
            value: the value of the step after the last one (n).
        """
        found = torch.zeros_like(self.values)
        later = torch.zeros_like(value)
        for step in reversed(range(len(found))):
            error = self.rewards[step] + discount * value * (1 - begins) - self.values[step]
            later = error + discount * TRACE * (1 - begins) * later
            found[step], value, begins = later, self.values[step], self.begins[step]
        return found


class Collector:
    """Plays the worlds of a training and keeps pictures, memory and success between rollouts.

    Args:
        args: the run's arguments.
        seed: seed of worlds and draws.
    """

    def __init__(self, args: SkillArgs, seed: int) -> None:
        self._args, self._worlds = args, worlds(args)
        self._draws = torch.Generator().manual_seed(seed)
        seen, _ = self._worlds.reset(seed=seed)
        self.picture = torch.from_numpy(seen["pov"].copy())
        self.begins = torch.ones(args.rows)
        self.state = torch.zeros(args.rows, UNITS)
        self.won: list[bool] = []
        """Whether each of the latest episodes succeeded."""

    @torch.no_grad()
    def collect(self, network: Network) -> Rollout:
        """Play `steps_an_update` steps in each row."""
        args = self._args
        size = (args.steps_an_update, args.rows)
        found = Rollout(
            torch.empty(*size, args.side, args.side, 3, dtype=torch.uint8),
            *(torch.empty(size), torch.empty(size, dtype=torch.int64)),
            *(torch.empty(size), torch.empty(size), torch.empty(size)),
            self.state,
        )
        for step in range(args.steps_an_update):
            found.pictures[step], found.begins[step] = self.picture, self.begins
            scores, values, self.state = network(self.picture[None], self.begins[None], self.state)
            chances = torch.log_softmax(scores[0], 1)
            actions = torch.multinomial(chances.exp(), 1, generator=self._draws)
            found.actions[step], found.values[step] = actions[:, 0], values[0]
            found.chances[step] = chances.gather(1, actions)[:, 0]
            found.rewards[step] = self._step(network, actions[:, 0].numpy())
        return found

    def _step(self, network: Network, actions: NDArray[np.int64]) -> Tensor:
        """Step the worlds; return the rewards (n)."""
        seen, rewards, terminated, truncated, infos = self._worlds.step(actions)
        paid = torch.from_numpy(rewards.astype(np.float32))
        ended = terminated | truncated
        for row in np.flatnonzero(ended):
            self.won.append(bool(infos["final_info"]["is_success"][row]))
            if truncated[row] and not terminated[row]:
                last = torch.from_numpy(infos["final_obs"][row]["pov"].copy())
                value = network(last[None, None], torch.zeros(1, 1), self.state[row, None])[1]
                paid[row] += self._args.discount * value.item()
        self.won = self.won[-100:]
        self.picture = torch.from_numpy(seen["pov"].copy())
        self.begins = torch.from_numpy(ended.astype(np.float32))
        return paid

    def close(self) -> None:
        """Release the worlds."""
        self._worlds.close()


def learn(
    args: SkillArgs, network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout,
    gained: Tensor, draws: np.random.Generator,
) -> dict[str, float]:  # fmt: skip
    """Make the updates of one rollout; return means of the losses.

    A minibatch holds whole rows, because the memory of a step depends on the steps before.

    Args:
        args: the run's arguments.
        network: the network, which learns.
        optimizer: the optimizer.
        rollout: the steps.
        gained: their advantages (T, n).
        draws: draws the minibatches.
    """
    returns = gained + rollout.values
    rows_at_once = max(1, args.batch // args.steps_an_update)
    losses = []
    for _ in range(args.epochs):
        order = draws.permutation(args.rows)
        for start in range(0, args.rows, rows_at_once):
            rows = torch.from_numpy(order[start : start + rows_at_once])
            scores, values, _ = network(
                rollout.pictures[:, rows], rollout.begins[:, rows], rollout.state[rows]
            )
            all_chances = torch.log_softmax(scores, 2)
            chances = all_chances.gather(2, rollout.actions[:, rows, None])[..., 0]
            ratio = (chances - rollout.chances[:, rows]).exp()
            better = gained[:, rows]
            better = (better - better.mean()) / (better.std() + 1e-8)
            acting = -torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
            valuing = (values - returns[:, rows]).square().mean()
            entropy = -(all_chances.exp() * all_chances).sum(2).mean()
            loss = acting + VALUE_WEIGHT * valuing - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), GRADIENT)
            optimizer.step()
            losses.append([acting.item(), valuing.item(), entropy.item()])
    names = ("policy_loss", "value_loss", "entropy")
    return dict(zip(names, np.mean(losses, 0).tolist(), strict=True))


def new_network(side: int, seed: int) -> Network:
    """Return an untaught network, whose weights a seed decides; torch's own generator stays as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Network(side)


def train(args: SkillArgs, seed: int) -> Mapping[str, Any]:
    """Train one policy; return the controller that plays it.

    Raises:
        BadValue: a state exists already and `--resume` is not given, or the existing state is damaged.
        KeyboardInterrupt: Ctrl-C, after the state has been saved.
    """
    torch.set_num_threads(args.threads)
    file = args.folder(seed) / "state.pt"
    if file.exists() and not args.resume:
        raise BadValue(f"out: expected a folder without a model, or --resume, got '{file}'")
    network = new_network(args.side, seed)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate, eps=1e-5)
    state, steps = read_state(file, STATE), 0
    if state is not None:
        fill_network(network, state["weights"], file)
        optimizer.load_state_dict(state["optimizer"])
        steps = int(state["steps"])
    if steps < args.steps:
        _train(args, seed, network, optimizer, steps, file)
    return {"name": "optimus_gym.baselines.vec_controller:VecController", "source": str(file)}


def _train(
    args: SkillArgs, seed: int, network: Network, optimizer: torch.optim.Optimizer, steps: int,
    file: Path,
) -> None:  # fmt: skip
    """Collect and learn until the training has made its steps."""
    name = f"training seed {seed}"
    begun = TRAIN.start + args.steps * seed + steps
    file.parent.mkdir(parents=True, exist_ok=True)
    log = SummaryWriter(str(file.parent / f"log_from_{steps}"))
    collector = Collector(args, begun)
    with closing(log), closing(collector), bars() as display, asked_to_stop() as asked:
        bar = display.add_task(name, total=args.steps, completed=steps, kept=steps)
        update = 0
        while steps < args.steps:
            for group in optimizer.param_groups:
                group["lr"] = args.learning_rate * (1 - steps / args.steps)
            rollout = collector.collect(network)
            with torch.no_grad():
                _, values, _ = network(
                    collector.picture[None], collector.begins[None], collector.state
                )
            gained = rollout.advantages(args.discount, collector.begins, values[0])
            draws = generator(begun, f"minibatches of update {update}")
            told = learn(args, network, optimizer, rollout, gained, draws)
            steps, update = steps + rollout.actions.numel(), update + 1
            success = float(np.mean(collector.won)) if collector.won else 0.0
            for key, value in {**told, "success": success}.items():
                log.add_scalar(key, value, steps)
            if update % SAVED_EVERY == 0 or steps >= args.steps or asked:
                held = (steps, args.side, network.state_dict(), optimizer.state_dict())
                write_tensors(file, dict(zip(STATE, held, strict=True)))
            display.update(bar, completed=steps, description=f"{name}, success {success:.2f}")
            if asked:
                raise KeyboardInterrupt


COMMAND: Final = skill_command(
    NAME,
    "recurrent PPO",
    train,
    "Train recurrent PPO in plain torch on a skill; compare with floors.",
)

if __name__ == "__main__":
    sys.exit(COMMAND.entry())
