"""Files of models: VPT's and STEVE-1's options and weights, MineCLIP's, and models of stable-baselines3.

The changes are of bytes, pickles, ZIPs (with matching checksums) and tensors, which PyTorch saves again.
"""

import io
import json
import pickle
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces

from optimus_gym.controllers.sb3 import Sb3Controller
from optimus_gym.controllers.steve1.prior import TextToVisualPrior, load_prior
from optimus_gym.controllers.vpt.checkpoint import COMMON, load_policy
from optimus_gym.controllers.vpt.policy import VPTPolicy
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.vision.clip_towers import Sizes
from optimus_gym.vision.mineclip import MineCLIP
from optimus_gym.vision.mineclip_checkpoint import load_mineclip, load_text_tower
from tools.mutating.changes import ODD_VALUES, Draws, change_bytes, change_json

TINY: Final = {
    "hidsize": 8, "attention_heads": 2, "impala_width": 1, "n_recurrence_layers": 1,
    "attention_memory_size": 4, "timesteps": 2,
}  # fmt: skip
GOAL: Final = 512
SMALL: Final = Sizes(
    height=16, width=16, vision_width=64, vision_heads=1, vision_layers=1, text_width=64, text_heads=1,
    text_layers=1, context=4, vocabulary=8, features=8, time_heads=1, time_layers=1, longest_video=2,
)  # fmt: skip
ODD_SIZES: Final = (0, -1, 1, 2, 3, 255, 2**20, 10**9, 2**31, 2**40, 2**63, 10**30)


def saved(held: Any, older: bool = False) -> bytes:
    """Return an object as PyTorch saves it, in the present or the older layout."""
    made = io.BytesIO()
    torch.save(held, made, _use_new_zipfile_serialization=not older)
    return made.getvalue()


def change_tensors(data: bytes, draws: Draws) -> bytes:
    """Return a changed file of tensors, with one of this module's changes."""
    kind = draws.random()
    if kind < 0.3:
        return change_bytes(data, draws)
    if data[:2] == b"PK" and kind < 0.65:
        return change_zip(data, draws, lambda name, held: _pickle_of(name, held, draws))
    held = torch.load(io.BytesIO(data), weights_only=True)
    holder = held.get("state_dict", held)
    name = list(holder)[int(draws.integers(len(holder)))]
    _change_entry(holder, name, draws)
    return saved(held, older=bool(draws.random() < 0.3))


def change_zip(data: bytes, draws: Draws, change: Callable[[str, bytes], bytes]) -> bytes:
    """Return a ZIP with one changed member and a matching checksum; sometimes all members are compressed."""
    how = zipfile.ZIP_DEFLATED if draws.random() < 0.1 else zipfile.ZIP_STORED
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", how) as new:
        members = {name: old.read(name) for name in old.namelist()}
        small = [name for name in members if name.endswith("data.pkl") or "/" not in name]
        names = small if draws.random() < 0.7 else list(members)
        chosen = names[int(draws.integers(len(names)))]
        for name, held in members.items():
            if name != chosen:
                new.writestr(name, held)
            elif draws.random() < 0.95:
                new.writestr(name, change(name, held))
    return made.getvalue()


def _pickle_of(name: str, held: bytes, draws: Draws) -> bytes:
    """Return a changed member; in a pickle the change may be one number, which may be a size."""
    if not name.endswith(".pkl") or draws.random() < 0.4:
        return change_bytes(held, draws)
    places = [k for k, byte in enumerate(held) if byte in b"KMJ"]  # opcodes of integers
    place = places[int(draws.integers(len(places)))]
    width = {b"K": 1, b"M": 2, b"J": 4}[held[place : place + 1]]
    value = b"J" + draws.bytes(4) if draws.random() < 0.5 else b"\x8a\x08" + draws.bytes(8)
    return held[:place] + value + held[place + 1 + width :]


def _change_entry(held: dict[str, Any], name: str, draws: Draws) -> None:
    """Change one tensor's numbers, type, shape or name, or replace the tensor."""
    tensor = held[name]
    size = int(ODD_SIZES[int(draws.integers(3, 8))])
    choices: tuple[Callable[[], Any], ...] = (
        lambda: tensor * torch.nan,
        lambda: tensor.double() * 1e300,
        lambda: tensor.to(torch.int64),
        lambda: tensor.to(torch.bfloat16),
        lambda: tensor.flatten()[:1].expand(size),
        lambda: tensor.flatten()[:0],
        lambda: tensor.reshape(1, *tensor.shape),
        lambda: tensor.unsqueeze(0).transpose(0, -1),
        lambda: torch.zeros(3).to_sparse(),
        lambda: torch.zeros(2, dtype=torch.complex64),
        lambda: torch.zeros(10**6, device="meta"),
        lambda: {"more": tensor},
        lambda: ODD_VALUES[int(draws.integers(4, len(ODD_VALUES)))],
    )
    del held[name]
    if draws.random() < 0.95:
        renamed = name if draws.random() < 0.9 else f"{name}{'x' * int(draws.integers(1, 300))}"
        held[renamed] = choices[int(draws.integers(len(choices)))]()


class Options:
    """VPT's `.model` files: options of a network, next to a file of matching weights."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self._folder = tempfile.TemporaryDirectory()
        self._weights = Path(self._folder.name, "a.weights")
        self._weights.write_bytes(saved(VPTPolicy(**TINY).half().state_dict()))

    def samples(self) -> Sequence[bytes]:
        """Return the options of a small policy, in old and new pickle protocols."""
        return [pickle.dumps(_options({}), protocol) for protocol in (0, 2, 5)]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file of options: changed bytes, or a changed size of the network."""
        if draws.random() < 0.5:
            return change_bytes(data, draws)
        name = list(TINY)[int(draws.integers(len(TINY)))]
        odd: tuple[Any, ...] = (*ODD_SIZES, *ODD_VALUES[4:])
        return pickle.dumps(_options({name: odd[int(draws.integers(len(odd)))]}))

    def use(self, path: Path) -> None:
        """Make the policy."""
        load_policy(path, self._weights)


def _options(other: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a `.model` file."""
    net = {**COMMON, **TINY, **other}
    args = {"net": {"args": net}, "pi_head_opts": {"temperature": np.float64(2.0)}}
    return {"model": {"args": args}}


class Weights:
    """VPT's and STEVE-1's `.weights` files, next to a file of matching options."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self._folder = tempfile.TemporaryDirectory()
        self._options = Path(self._folder.name, "a.model")
        self._options.write_bytes(pickle.dumps(_options({})))

    def samples(self) -> Sequence[bytes]:
        """Return the weights of a small policy with a goal, in both layouts of files."""
        held = VPTPolicy(**TINY, goal_dim=GOAL).half().state_dict()
        return [saved(held, older) for older in (False, True)]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return changed weights."""
        return change_tensors(data, draws)

    def use(self, path: Path) -> None:
        """Make the policy."""
        load_policy(self._options, path, goal_dim=GOAL)


class Priors:
    """STEVE-1's priors."""

    def samples(self) -> Sequence[bytes]:
        """Return a prior in half precision."""
        torch.manual_seed(0)
        return [saved(TextToVisualPrior().half().state_dict())]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed prior."""
        return change_tensors(data, draws)

    def use(self, path: Path) -> None:
        """Make the prior."""
        load_prior(path)


class MineClips:
    """Checkpoints of MineCLIP."""

    def samples(self) -> Sequence[bytes]:
        """Return checkpoints that pool by attention and by the mean."""
        torch.manual_seed(0)
        return [
            saved({"state_dict": {f"model.{k}": v for k, v in network.state_dict().items()}})
            for network in (MineCLIP("attn", SMALL), MineCLIP("avg", SMALL))
        ]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed checkpoint."""
        return change_tensors(data, draws)

    def use(self, path: Path) -> None:
        """Make a small network, encode a video, and make the text tower in the size from the file."""
        model = load_mineclip(path, SMALL)
        with torch.inference_mode():
            model.encode_video(torch.zeros((1, 2, 3, 16, 16), dtype=torch.uint8))
        load_text_tower(path, SMALL)


class Sb3Models:
    """Models that stable-baselines3 saved."""

    def __init__(self) -> None:
        self._space = spaces.Dict(
            {
                "pov": spaces.Box(0, 255, (36, 36, 3), np.uint8),
                "vitals": spaces.Box(0, 1, (6,), np.float32),
            }
        )
        self._actions = spaces.MultiDiscrete([3, 2])

    def samples(self) -> Sequence[bytes]:
        """Return a small policy of keys, and a small policy of discrete actions."""
        import gymnasium as gym
        from stable_baselines3 import PPO
        from stable_baselines3.common.vec_env import DummyVecEnv

        space = self._space

        class Still(gym.Env[Any, Any]):
            """An environment whose observation never changes, to make a model with."""

            observation_space = space

            def __init__(self, action_space: spaces.Space[Any]) -> None:
                self.action_space = action_space

            def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
                return self.observation_space.sample(), {}

        kwargs = {"net_arch": [8], "features_extractor_kwargs": {"cnn_output_dim": 8}}
        told = {
            "actions": [{"forward": 1}, {"yaw": 3}],
            "hold": 4,
            "view_distance": 64,
            "pov": "drawn",
        }
        samples = []
        for actions, training in (
            (self._actions, {"hold": 2, "stack": 1}),
            (spaces.Discrete(2), told),
        ):
            env = DummyVecEnv([partial(Still, actions)])
            model: Any = PPO(
                "MultiInputPolicy",
                env,
                n_steps=4,
                batch_size=4,
                seed=0,
                policy_kwargs=kwargs,
                device="cpu",
            )
            model.optimus_gym = training
            made = io.BytesIO()
            model.save(made)
            samples.append(made.getvalue())
        return samples

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed model: its bytes, its JSON data or its weights."""
        if draws.random() < 0.3:
            return change_bytes(data, draws)
        return change_zip(data, draws, lambda name, held: _part_of_sb3(name, held, draws))

    def use(self, path: Path) -> None:
        """Make the policy."""
        controller = Sb3Controller(str(path))
        controller.attach(
            ControllerSetting(
                rows=1, observation_space=self._space, action_space=self._actions, resolution=(36, 36),
                vocabulary=("dirt",), device="cpu",
            )
        )  # fmt: skip


def _part_of_sb3(name: str, held: bytes, draws: Draws) -> bytes:
    if name == "policy.pth":
        return change_tensors(held, draws)
    if name != "data":
        return change_bytes(held, draws)
    words = json.loads(held)
    if draws.random() < 0.5:
        return change_json(words, draws)
    key = "policy_kwargs" if draws.random() < 0.5 else "optimus_gym"
    changed = change_json(words[key], draws)
    return json.dumps({**words, key: "\0"}).encode().replace(b'"\\u0000"', changed)
