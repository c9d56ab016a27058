"""A policy that acts tick by tick for N rows at once, with or without guidance towards a goal.

Guidance (Lifshitz et al. 2023, section 3.4) evaluates a policy with its goal and with an empty goal. The
trunk over pictures runs once for both evaluations, because the goal enters after the trunk. Attention's keys
and values lie in ring buffers: a new tick overwrites the oldest tick.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from optimus_gym.controllers.vpt.attention import MASKED, RecurrentBlock
from optimus_gym.controllers.vpt.policy import VPTPolicy
from optimus_gym.core.errors import BadValue


class Chances(NamedTuple):
    """Log-probabilities of a tick's possible actions; with guidance, the probabilities do not add up to 1.

    Attributes:
        buttons: log-probabilities of the joint buttons (float32[n, 8641]).
        camera: log-probabilities of the camera's bins (float32[n, 121]).
    """

    buttons: Tensor
    camera: Tensor


class Ring(nn.Module):
    """Ring buffer of a block's keys and values; a tick's place is the tick's number modulo the ring's length.

    Args:
        block: the recurrent block whose weights are used.
        rows: number of separate sequences of ticks; with guidance, two for each row of the world.
    """

    def __init__(self, block: RecurrentBlock, rows: int) -> None:
        super().__init__()
        self.block = block
        attention = block.r.orc_block
        weight = attention.k_layer.weight
        size = (rows, attention.heads, attention.memory, len(weight) // attention.heads)
        self.keys: Tensor
        self.register_buffer("keys", weight.new_zeros(size), persistent=False)
        self.values: Tensor
        self.register_buffer("values", weight.new_zeros(size), persistent=False)

    def forward(self, x: Tensor, places: Tensor, ages: Tensor, shut: Tensor) -> Tensor:
        """Return the block's output for a tick (float[rows, hidsize]) and store the tick's keys and values.

        Args:
            x: the block's input (float[rows, hidsize]).
            places: the place of this tick in each row's ring (int64[rows]).
            ages: ticks since each place was written (int64[rows, memory]).
            shut: number to add to each place's logit: 0, or `MASKED` if the place must not be seen
                (float32[rows, memory]).
        """
        attention = self.block.r.orc_block
        normed = self.block.pre_r_ln(x)
        wide = (len(x), attention.heads, -1)
        lines = torch.arange(len(x), device=x.device)
        self.keys[lines, :, places] = attention.k_layer(normed).view(wide)
        self.values[lines, :, places] = attention.v_layer(normed).view(wide)
        q = attention.q_layer(normed).view(wide)[:, :, None]
        logits = (q @ self.keys.transpose(-1, -2))[:, :, 0].float() / q.shape[-1]
        by_age = attention.r_layer(normed).view(wide).float() @ attention.b_nd.float()
        logits = logits + by_age.gather(-1, ages[:, None].expand_as(by_age)) + shut[:, None]
        shares = functional.softmax(logits, -1).to(x.dtype)
        mixed = (shares[:, :, None] @ self.values).flatten(1)
        return self.block.fed_forward(normed + attention.proj_layer(mixed))


class Stepper(nn.Module):
    """A policy with a memory for each of N rows, evaluated one tick at a time.

    Args:
        policy: the policy, with goals or without; its weights are used, not copied.
        rows: the number N of rows.
        guided: whether guidance is used, which needs a policy with goals; without guidance, the policy is not
            evaluated with the empty goal.
        compiled: whether to compile the evaluation of a tick (`torch.compile`; on a GPU with CUDA graphs).

    Raises:
        BadValue: guidance is asked of a policy without goals, or `rows` is below 1.
    """

    def __init__(
        self, policy: VPTPolicy, rows: int, guided: bool = False, compiled: bool = False
    ) -> None:
        super().__init__()
        if rows < 1:
            raise BadValue(f"rows: expected at least one, got {rows}")
        if guided and policy.goal_dim is None:
            raise BadValue("guided: expected a policy with goals, got one without")
        self.policy = policy
        self.guided = guided
        self.rows = rows
        halves = 2 if guided else 1
        self.rings = nn.ModuleList(
            Ring(cast(RecurrentBlock, block), halves * rows)
            for block in policy.net.recurrent_layer.blocks
        )
        device = next(policy.parameters()).device
        self._ticks = torch.zeros(rows, dtype=torch.int64, device=device)
        self._slots = torch.arange(policy.memory, device=device)
        self._goals = torch.zeros((rows, policy.goal_dim or 0), device=device)
        self._strengths = torch.zeros((rows, 1), device=device)
        way = "reduce-overhead" if device.type == "cuda" else "default"
        self._evaluate: Callable[..., Chances] = (
            torch.compile(self._evaluated, mode=way) if compiled else self._evaluated
        )

    def forget(self, rows: Sequence[int]) -> None:
        """Empty the policy's memories of `rows`."""
        self._ticks[list(rows)] = 0

    def aim(self, row: int, goal: Tensor, guidance: float = 0.0) -> None:
        """Set the goal that the policy follows in a row.

        Args:
            row: number of the row.
            goal: the goal's features (float[512]).
            guidance: strength of the guidance, at least 0; without effect unless `guided` was set.

        Raises:
            BadValue: the policy has no goals, the goal has another shape, or guidance is below 0.
        """
        if not guidance >= 0:
            raise BadValue(f"guidance: expected a number of at least 0, got {guidance}")
        if goal.shape != self._goals.shape[1:] or self.policy.goal_dim is None:
            raise BadValue(
                f"goal: expected float ({self.policy.goal_dim},), got {tuple(goal.shape)}"
            )
        self._goals[row] = goal.to(self._goals)
        self._strengths[row] = guidance

    @torch.inference_mode()
    def step(self, img: Tensor, acting: Tensor) -> Chances:
        """Evaluate one tick.

        Args:
            img: pictures (uint8[N, 128, 128, 3]) on the policy's device.
            acting: whether each row acts in this tick (bool[N]); the memories of other rows stay as they are,
                and the results for these rows mean nothing.
        """
        memory = self.policy.memory
        places = self._ticks % memory
        ages = (places[:, None] - self._slots) % memory
        shut = torch.where(ages <= self._ticks[:, None], 0.0, MASKED)
        with whole_float32():
            made = self._evaluate(img, self._goals, places, ages, shut)
        self._ticks += acting
        return made

    def _evaluated(
        self, img: Tensor, goals: Tensor, places: Tensor, ages: Tensor, shut: Tensor
    ) -> Chances:
        """Return a tick's log-probabilities, and store the tick's keys and values in the rings."""
        net = self.policy.net
        x = net.img_process(img)
        if self.policy.goal_dim is not None:
            aims = net.mineclip_embed_linear(goals.to(x.dtype))
            if not self.guided:
                x = x + aims
            else:
                aimless = net.mineclip_embed_linear(torch.zeros_like(goals[:1]).to(x.dtype))
                x = torch.cat([x + aims, x + aimless])
                places, ages, shut = (torch.cat([part, part]) for part in (places, ages, shut))
        for ring in self.rings:
            x = ring(x, places, ages, shut)
        buttons, camera = self.policy.pi_head(net.finished(x))
        if not self.guided:
            return Chances(buttons, camera)
        return Chances(*(self._beyond(part) for part in (buttons, camera)))

    def _beyond(self, chances: Tensor) -> Tensor:
        aimed, aimless = chances.chunk(2)
        return (1 + self._strengths) * aimed - self._strengths * aimless


@contextmanager
def whole_float32() -> Iterator[None]:
    """Keep convolutions of float32 weights on a GPU in float32; by default PyTorch computes them in TF32.

    Guidance multiplies the rounding errors of TF32: a network with random weights has logits wrong by 0.5.
    """
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


def drawn_values(chances: Tensor, numbers: Tensor) -> Tensor:
    """Return, for each row, a value drawn according to the values' log-probabilities.

    Args:
        chances: the values' log-probabilities, not necessarily normalised (float32[n, values]).
        numbers: a number in [0, 1) for each row (float64[n]): the share of the distribution below the drawn
            value.

    Returns:
        The values' indices (int64[n]). A value of probability 0 is not drawn.
    """
    shares = functional.softmax(chances.double(), -1)
    below = shares.cumsum(-1)
    wanted = (numbers * below[:, -1])[:, None]
    last = (shares > 0).long().mul(torch.arange(shares.shape[-1], device=shares.device)).amax(-1)
    return torch.searchsorted(below, wanted, right=True)[:, 0].minimum(last)
