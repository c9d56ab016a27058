"""The base of controllers with VPT's network: pictures in, drawn actions out, one memory for each row."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.controllers.vpt.presets import preset
from optimus_gym.controllers.vpt.tool_in_hand import LOOKS_AT, TOOL_NEEDS, ToolInHand
from optimus_gym.core.actions import CONTROL_LENGTH, INVENTORY, KEYS, noop
from optimus_gym.core.checks import check_flag, check_name
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.squeezing import taps
from optimus_gym.core.types import VERBS, Failure, SubGoal
from optimus_gym.core.vpt_actions import from_vpt

if TYPE_CHECKING:
    import torch

    from optimus_gym.controllers.vpt.policy import VPTPolicy

SCREEN: Final = (640, 360)
"""Width and height in pixels of the screens in VPT's training, before they are scaled to 128x128."""
SQUEEZED: Final = (128, 128)
FORGETS: Final = ("episode", "sub-goal")
_DTYPES: Final = ("float32", "bfloat16")


class PolicyController(ABC):
    """Acts as a policy of VPT's network, for all rows in one call.

    The policy sees the observation `pov`: 640x360 pixels, squeezed to 128x128 by bilinear interpolation as in
    VPT's training, or 128x128 as the world draws it. Buttons and camera are drawn independently, by two
    numbers of the row's random generator in each tick. If the policy opens the inventory's screen, which the
    embedded world does not have, nothing happens; `opened` counts these actions by row.

    A deep copy or pickle has no networks and no memories until the copy is attached to an environment.

    Args:
        as_in: the public system whose settings are used ("steve-1", "optimus-1", "jarvis-1"; see
            `presets.py`). `never`, `holds_tool` and `forgets` replace the system's settings unless
            they are None.
        never: keys (of `core.actions.KEYS`) that never reach the world, such as ("use", "hotbar").
        holds_tool: whether the strongest held tool that fits the sub-goal is equipped before the policy
            acts. `holds_tool` needs a world with the power "functions".
        forgets: when the memory of frames is emptied: with each "episode" or each "sub-goal".
        deterministic: whether to take the likeliest action instead of a drawn one.
        verbs: verbs of the sub-goals that the controller carries out; if empty, all verbs that the helper
            does not carry out. Name all verbs for a policy that should work without helper and planner.
        compiled: whether to compile the network (`torch.compile`; CUDA graphs on a GPU).
        dtype: "float32" or "bfloat16"; None: bfloat16 on a GPU, float32 elsewhere.

    Raises:
        BadValue: `never` is no list, or another argument has a wrong type.
        UnknownName: `as_in`, `forgets`, `dtype`, a verb, or a key in `never` is unknown.
    """

    privileged = False
    needs: frozenset[str] = frozenset({"keys", "pictures"})
    verbs: frozenset[str] = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ("pov",)
    fixed_batch = True
    named = "vpt controller"
    """Name of the random generators that this controller draws with, one for each row."""
    guided = False
    """Whether the network is evaluated also with an empty goal in each tick, for guidance."""

    def __init__(
        self,
        as_in: str = "steve-1",
        never: Sequence[str] | None = None,
        holds_tool: bool | None = None,
        forgets: str | None = None,
        deterministic: bool = False,
        verbs: Sequence[str] = (),
        compiled: bool = False,
        dtype: str | None = None,
    ) -> None:
        self._preset = preset(as_in)
        holds_tool = self._preset.holds_tool if holds_tool is None else holds_tool
        for name, value in (
            ("deterministic", deterministic),
            ("compiled", compiled),
            ("holds_tool", holds_tool),
        ):
            check_flag(name, value)
        self._deterministic, self._compiled = deterministic, compiled
        self._holds_tool = holds_tool
        if holds_tool:
            self.looks_at += LOOKS_AT
            self.needs |= TOOL_NEEDS
        self._never = _places(self._preset.never if never is None else never)
        self._forgets = check_name("forgets", forgets or self._preset.forgets, FORGETS)
        self.verbs = frozenset(check_name("verb", verb, VERBS) for verb in verbs) or self.verbs
        self._dtype = dtype if dtype is None else check_name("dtype", dtype, _DTYPES)
        self._detach()

    def _detach(self) -> None:
        """Forget the environment."""
        self._stepper: Any = None
        self._tool: ToolInHand | None = None
        self._device: Any = None
        self._generators: dict[int, np.random.Generator] = {}
        self.opened: Counter[int] = Counter()

    def __getstate__(self) -> dict[str, Any]:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._detach()
        return copy.__dict__

    @abstractmethod
    def _policy(self) -> "VPTPolicy":
        """Return the network, on the CPU.

        Raises:
            BadValue: the network's files cannot be used.
        """

    def attach(self, setting: ControllerSetting) -> None:
        """Load the network, and forget the previous environment.

        Raises:
            BadValue: the files cannot be used, `pov` has another size, or the setting's device does not
                exist.
            MissingExtra: torch is not installed.
        """
        self._detach()
        if setting.resolution not in (SCREEN, SQUEEZED):
            raise BadValue(
                f"resolution: expected {SCREEN} or {SQUEEZED} for {type(self).__name__}, got "
                f"{setting.resolution} of {setting.observation_space}"
            )
        try:
            from optimus_gym.controllers.vpt.stepping import Stepper
            from optimus_gym.core.devices import device_named
        except ImportError as error:
            raise MissingExtra(type(self).__name__, "torch") from error
        self._device = device_named(setting.device)
        policy = self._policy().to(self._device, dtype_of(self._dtype, self._device)).eval()
        self._stepper = Stepper(policy, setting.rows, self.guided, self._compiled)
        self._tool = ToolInHand(setting) if self._holds_tool else None
        if setting.draw_into is not None:
            setting.draw_into(canvas((setting.rows, *setting.resolution[::-1], 3), self._device))

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds and empty memories."""
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, self.named)
            self.opened[row] = 0
        self._stepper.forget(rows)

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each row a new sub-goal.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)
        if self._forgets == "sub-goal":
            self._stepper.forget(rows)
        if self._tool is not None:
            for row, subgoal in zip(rows, subgoals, strict=True):
                self._tool.begin(row, subgoal)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the policy's actions (int32[N, 15]) and no failures."""
        import torch

        acting = torch.from_numpy(np.ascontiguousarray(mask)).to(self._device)
        made = self._stepper.step(squeezed_on_device(observations["pov"], self._device), acting)
        buttons, camera = (self._chosen(part, rows, mask) for part in made)
        actions = np.tile(noop(), (len(rows), 1))
        actions[:, :CONTROL_LENGTH] = from_vpt(buttons, camera)
        actions[:, self._never] = noop()[self._never]
        if self._tool is not None:
            self._tool.equip(rows, observations, actions)
        for row, opens in zip(rows, actions[:, INVENTORY] * mask, strict=True):
            self.opened[row] += int(opens)
        return actions, [None] * len(rows)

    def _chosen(
        self, chances: "torch.Tensor", rows: Sequence[int], mask: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return each row's drawn or likeliest value (int64[N]) by log-probabilities (float32[N, values])."""
        import torch

        from optimus_gym.controllers.vpt.stepping import drawn_values

        if self._deterministic:
            likeliest: NDArray[np.int64] = chances.argmax(-1).cpu().numpy()
            return likeliest
        numbers = [
            self._generators[row].random() if acts else 0.0
            for row, acts in zip(rows, mask.tolist(), strict=True)
        ]
        values = drawn_values(chances, torch.tensor(numbers, dtype=torch.float64).to(self._device))
        found: NDArray[np.int64] = values.cpu().numpy()
        return found


def _places(never: object) -> list[int]:
    """Return the indices, in an action, of the keys `never`, which are withheld from the world.

    Raises:
        BadValue: `never` is no list.
        UnknownName: an entry of `never` is not the name of a key.
    """
    if isinstance(never, str) or not isinstance(never, Sequence):
        raise BadValue(f"never: expected a list of names of keys, got {shown(never)}")
    return [KEYS.index(check_name("never", key, KEYS)) for key in never]


def dtype_of(name: str | None, device: "torch.device") -> "torch.dtype":
    """Return the torch type of a name; for None, bfloat16 on a GPU and float32 elsewhere."""
    import torch

    if name is None:
        name = "bfloat16" if device.type == "cuda" else "float32"
    return torch.bfloat16 if name == "bfloat16" else torch.float32


def canvas(shape: tuple[int, ...], device: "torch.device") -> NDArray[np.uint8]:
    """Return zeros (uint8) into which a world draws frames; in pinned memory if the device is a GPU."""
    import torch

    on_gpu = device.type == "cuda"
    made: NDArray[np.uint8] = torch.zeros(shape, dtype=torch.uint8, pin_memory=on_gpu).numpy()
    return made


def squeezed_on_device(pov: NDArray[np.uint8], device: "torch.device") -> "torch.Tensor":
    """Return screens (uint8[n, H, W, 3]) scaled to 128x128 (uint8[n, 128, 128, 3]), on a device.

    The result's bytes equal those of `core.squeezing.squeezed`, which works on the CPU.
    """
    import torch

    frames = torch.from_numpy(np.ascontiguousarray(pov)).to(device, non_blocking=True)
    if pov.shape[1:3] == SQUEEZED:
        return frames
    above, below, near, far = _taps(SQUEEZED[1], pov.shape[1], device)
    left, right, first, second = _taps(SQUEEZED[0], pov.shape[2], device)
    one, other = (frames.index_select(2, places) for places in (left, right))
    sums = one * first.int()[:, None] + other * second.int()[:, None] >> 4
    upper = sums.index_select(1, above) * near.int()[:, None, None] >> 16
    lower = sums.index_select(1, below) * far.int()[:, None, None] >> 16
    made: torch.Tensor = (upper + lower + 2 >> 2).to(torch.uint8)
    return made


def _taps(length: int, full: int, device: "torch.device") -> "torch.Tensor":
    """Return `core.squeezing.taps`, transposed to int64[4, length] (pixel indices, weights), on a device."""
    import torch

    return torch.tensor(taps(length, full).T, device=device)
