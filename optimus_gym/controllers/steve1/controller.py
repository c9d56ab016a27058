"""The controller `steve-1`: goes where a sub-goal's prompt says (Lifshitz et al. 2023)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.steve1.prompts import prompt_of
from optimus_gym.controllers.steve1.video import FEATURES, features_of
from optimus_gym.controllers.vpt.acting import PolicyController
from optimus_gym.core.checks import check_name, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.gathering import Wanted, gathered
from optimus_gym.core.protocols import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTPolicy

TEXT_GUIDANCE: Final = 6.0
VISUAL_GUIDANCE: Final = 7.0
"""How far to go beyond what a goal alone makes likely, as the authors' scripts have it."""
_STEVE: Final = "https://github.com/Shalev-Lifshitz/STEVE-1"
FILES: Final[Mapping[str, Wanted]] = MappingProxyType(
    {
        "model": Wanted(
            ("2x.model", "vpt/2x.model"), "https://github.com/openai/Video-Pre-Training"
        ),
        "weights": Wanted(("steve1.weights", "steve1/steve1.weights"), _STEVE),
        "prior": Wanted(("steve1_prior.pt", "steve1/steve1_prior.pt"), _STEVE),
        "mineclip": Wanted(
            ("attn.pth", "mineclip/attn.pth"), "https://github.com/MineDojo/MineCLIP"
        ),
    }
)
"""What its folder holds: all at the top, or as the authors' download lays them out."""
PROMPTS: Final = ("known", "text")
LATENTS: Final = ("drawn", "zeros")


class Steve1Controller(PolicyController):
    """Acts as STEVE-1 does, each row towards its own sub-goal; the goal is made once a sub-goal.

    Args:
        source: the folder with its files (`FILES`).
        model: another `.model` file: the name of one in the folder, or a path such as runs/axe/policy.model.
        weights: another `.weights` file, such as one that was trained here; likewise.
        guidance: how far to go beyond what a goal alone makes likely; None: 6 for a text, 7 for a video.
        prompts: what it is told: "known", a prompt of the kind that it was trained on for each sub-goal, or
            "text", the sub-goal's own text (with the agent "none", the task's).
        latent: whether the prior's latent is "drawn", by the row's generator "steve-1 prior", or "zeros".
        visual: videos, or `.npy` files with their features, that take a text's place, by prompt.
        deterministic, forgets, verbs, compiled, dtype: see `PolicyController`.

    Raises:
        BadValue: an argument cannot be used, or files are missing: each is named, with the page that says
            where to get it.
    """

    named = "steve-1 controller"

    def __init__(
        self,
        source: str,
        model: str | None = None,
        weights: str | None = None,
        guidance: float | None = None,
        prompts: str = "known",
        latent: str = "drawn",
        visual: Mapping[str, str] | None = None,
        deterministic: bool = False,
        forgets: str = "episode",
        verbs: Sequence[str] = (),
        compiled: bool = False,
        dtype: str | None = None,
    ) -> None:
        super().__init__(deterministic, forgets, verbs, compiled, dtype)
        if guidance is not None and not (is_number(guidance) and 0 <= guidance < np.inf):
            raise BadValue(f"guidance: expected a number from 0 or None, got {shown(guidance)}")
        self._guidance = guidance
        self._prompts = check_name("prompts", prompts, PROMPTS)
        self._latent = check_name("latent", latent, LATENTS)
        if visual is not None and not isinstance(visual, Mapping):
            raise BadValue(f"visual: expected files by prompt, got {shown(visual)}")
        self._visual = dict(visual or {})
        self._files = gathered(source, FILES, {"model": model, "weights": weights})
        self.guided = guidance is None or guidance > 0

    def _detach(self) -> None:
        super()._detach()
        self._tower: Any = None
        self._prior: Any = None
        self._texts: dict[str, Any] = {}
        self._videos: dict[str, Any] = {}
        self._latents: dict[int, np.random.Generator] = {}

    def _policy(self) -> "VPTPolicy":
        from optimus_gym.controllers.vpt.checkpoint import load_policy

        return load_policy(self._files["model"], self._files["weights"], goal_dim=FEATURES)

    def attach(self, setting: ControllerSetting) -> None:
        """Load the networks; what was known of a former environment is forgotten.

        Raises:
            BadValue: as of `PolicyController`; a video of `visual` cannot be used.
            MissingExtra: torch or tokenizers is not installed.
        """
        super().attach(setting)
        from optimus_gym.controllers.steve1.prior import load_prior
        from optimus_gym.vision.clip_tokens import encoder
        from optimus_gym.vision.mineclip_checkpoint import load_text_tower

        encoder()  # made now, so that an extra that is missing is told before anything is played
        self._tower = load_text_tower(self._files["mineclip"]).to(self._device)
        self._prior = load_prior(self._files["prior"]).to(self._device)
        self._videos = self._shown()

    def _shown(self) -> dict[str, Any]:
        """Return the goals of the videos (a tensor float32[512] each), by prompt."""
        if not self._visual:
            return {}
        import torch

        from optimus_gym.vision.mineclip_checkpoint import load_mineclip

        mineclip = load_mineclip(self._files["mineclip"])
        return {
            prompt: torch.from_numpy(features_of(path, mineclip)).to(self._device)
            for prompt, path in self._visual.items()
        }

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes with the seeds' generators and empty memories."""
        super().reset(rows, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            self._latents[row] = generator(seed, "steve-1 prior")

    def begin(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Turn to other sub-goals, each towards the goal of its prompt.

        Raises:
            BadValue: a verb is not one of this controller's.
        """
        super().begin(rows, subgoals)
        for row, subgoal in zip(rows, subgoals, strict=True):
            prompt = self.prompt_of(subgoal)
            if prompt in self._videos:
                goal, usual = self._videos[prompt], VISUAL_GUIDANCE
            else:
                goal, usual = self._imagined(prompt, row), TEXT_GUIDANCE
            strength = usual if self._guidance is None else self._guidance
            self._stepper.aim(row, goal, strength)

    def prompt_of(self, subgoal: SubGoal) -> str:
        """Return what is told of a sub-goal."""
        if self._prompts == "text" and subgoal.text.strip():
            return subgoal.text
        return prompt_of(subgoal)

    def _imagined(self, prompt: str, row: int) -> Any:
        """Return the goal (a tensor, float32[512]) that the prior makes of a prompt."""
        import torch

        from optimus_gym.vision.clip_tokens import tokens_of

        with torch.inference_mode():
            if prompt not in self._texts:
                tokens = torch.from_numpy(tokens_of([prompt])).to(self._device)
                self._texts[prompt] = self._tower(tokens)
            latent = None
            if self._latent == "drawn":
                numbers: NDArray[np.float64] = self._latents[row].standard_normal((1, FEATURES))
                latent = torch.from_numpy(numbers.astype(np.float32)).to(self._device)
            return self._prior(self._texts[prompt], latent)[0]
