"""The controller `steve-1`, which follows a sub-goal's prompt (Lifshitz et al. 2023)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.steve1.goal_videos import FEATURES, features_of
from optimus_gym.controllers.steve1.prompts import prompts_named
from optimus_gym.controllers.vpt.acting import PolicyController
from optimus_gym.core.checks import check_name, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.fetched_files import WantedFile, gathered
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import Failure, SubGoal

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTPolicy

_STEVE: Final = "https://github.com/Shalev-Lifshitz/STEVE-1"
FILES: Final[Mapping[str, WantedFile]] = MappingProxyType(
    {
        "model": WantedFile(
            ("2x.model", "vpt/2x.model"), "https://github.com/openai/Video-Pre-Training"
        ),
        "weights": WantedFile(("steve1.weights", "steve1/steve1.weights"), _STEVE),
        "prior": WantedFile(("steve1_prior.pt", "steve1/steve1_prior.pt"), _STEVE),
        "mineclip": WantedFile(
            ("attn.pth", "mineclip/attn.pth"), "https://github.com/MineDojo/MineCLIP"
        ),
    }
)
"""Names of STEVE-1's files in its folder: all at the top, or in the layout of the authors' download."""
LATENTS: Final = ("sub-goal", "tick", "zeros")


class Steve1Controller(PolicyController):
    """Acts as STEVE-1, with a goal made from the prompt for the current sub-goal.

    Args:
        source: the folder with STEVE-1's files (`FILES`).
        model: a `.model` file to use instead of STEVE-1's: a name in the folder, or a path such as
            runs/axe/policy.model.
        weights: a `.weights` file to use instead of STEVE-1's, such as one of your training: a name in the
            folder, or a path.
        guidance: strength of the guidance towards a goal; None: as in the system `as_in`.
        prompts: where a sub-goal's prompt comes from: "own" (this project's table), "text" (the sub-goal's
            text; with the agent "none", the task's text), or the path of a `.json` file with a table from
            items to prompts (see `prompts.py`).
        latent: when the prior's latent is drawn from the row's generator "steve-1 prior": once a
            "sub-goal" or each "tick"; "zeros" uses zeros instead; None: as in the system `as_in`.
        visual: mapping from prompts to paths of videos, or of `.npy` files with a video's features; the goal
            of a prompt in the mapping comes from the video instead of the text.
        as_in, never, holds_tool, forgets, deterministic, verbs, compiled, dtype: see `PolicyController`.

    Raises:
        BadValue: an argument cannot be used, or files are missing; the message names each missing file
            and the page that says where to get it.
    """

    named = "steve-1 controller"

    def __init__(
        self,
        source: str,
        model: str | None = None,
        weights: str | None = None,
        guidance: float | None = None,
        prompts: str = "own",
        latent: str | None = None,
        visual: Mapping[str, str] | None = None,
        as_in: str = "steve-1",
        never: Sequence[str] | None = None,
        holds_tool: bool | None = None,
        forgets: str | None = None,
        deterministic: bool = False,
        verbs: Sequence[str] = (),
        compiled: bool = False,
        dtype: str | None = None,
    ) -> None:
        super().__init__(as_in, never, holds_tool, forgets, deterministic, verbs, compiled, dtype)
        if guidance is not None and not (is_number(guidance) and 0 <= guidance < np.inf):
            raise BadValue(
                f"guidance: expected a number of at least 0 or None, got {shown(guidance)}"
            )
        known = self._preset
        self._text_guidance = known.text_guidance if guidance is None else guidance
        self._visual_guidance = known.visual_guidance if guidance is None else guidance
        self._prompts = prompts_named(prompts)
        self._latent = check_name("latent", latent or known.latent, LATENTS)
        if visual is not None and not isinstance(visual, Mapping):
            raise BadValue(f"visual: expected a mapping from prompts to files, got {shown(visual)}")
        self._visual = dict(visual or {})
        self._files = gathered(source, FILES, {"model": model, "weights": weights})
        self.guided = max(self._text_guidance, self._visual_guidance) > 0

    def _detach(self) -> None:
        super()._detach()
        self._tower: Any = None
        self._prior: Any = None
        self._features: dict[str, Any] = {}
        self._videos: dict[str, Any] = {}
        self._told: dict[int, str] = {}
        self._draws: dict[int, np.random.Generator] = {}
        self._texts: Any = None
        self._latents: Any = None

    def _policy(self) -> "VPTPolicy":
        from optimus_gym.controllers.vpt.checkpoint import load_policy

        return load_policy(self._files["model"], self._files["weights"], goal_dim=FEATURES)

    def attach(self, setting: ControllerSetting) -> None:
        """Load the networks, and forget the previous environment.

        Raises:
            BadValue: as in `PolicyController`, or a video of `visual` cannot be used.
            MissingExtra: torch or tokenizers is not installed.
        """
        super().attach(setting)
        import torch

        from optimus_gym.controllers.steve1.prior import load_prior
        from optimus_gym.vision.clip_tokens import encoder
        from optimus_gym.vision.mineclip_checkpoint import load_text_tower

        encoder()  # made now, so that a missing extra is reported before anything is played
        self._tower = load_text_tower(self._files["mineclip"]).to(self._device)
        self._prior = load_prior(self._files["prior"]).to(self._device)
        self._videos = self._shown()
        self._texts, self._latents = torch.zeros((2, setting.rows, FEATURES), device=self._device)

    def _shown(self) -> dict[str, Any]:
        """Return, by prompt, the goals made from the videos of `visual` (a tensor float32[512] each)."""
        if not self._visual:
            return {}
        import torch

        from optimus_gym.vision.mineclip_checkpoint import load_mineclip

        mineclip = load_mineclip(self._files["mineclip"])
        return {
            prompt: torch.from_numpy(features_of(path, mineclip)).to(self._device)
            for prompt, path in self._visual.items()
        }

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds and empty memories."""
        super().begin_episodes(rows, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            self._draws[row] = generator(seed, "steve-1 prior")
            self._told.pop(row, None)

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each row a new sub-goal, and set the policy's goal by the sub-goal's prompt.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        super().begin_subgoals(rows, subgoals)
        for row, subgoal in zip(rows, subgoals, strict=True):
            prompt = self.prompt_of(subgoal)
            if prompt in self._videos:
                self._told.pop(row, None)
                self._stepper.aim(row, self._videos[prompt], self._visual_guidance)
            else:
                self._told[row] = prompt
                self._texts[row] = self._features_of(prompt)
        if self._latent != "tick":
            self._imagine([row for row in rows if row in self._told])

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the policy's actions (int32[N, 15]) and no failures."""
        if self._latent == "tick":
            acting = [row for row, acts in zip(rows, mask, strict=True) if acts]
            self._imagine([row for row in acting if row in self._told])
        return super().act(rows, observations, mask)

    def prompt_of(self, subgoal: SubGoal) -> str:
        """Return the prompt for a sub-goal."""
        return self._prompts(subgoal)

    def _features_of(self, prompt: str) -> Any:
        """Return MineCLIP's features (a tensor, float32[512]) of a prompt."""
        import torch

        from optimus_gym.vision.clip_tokens import tokens_of

        if prompt not in self._features:
            with torch.inference_mode():
                tokens = torch.from_numpy(tokens_of([prompt])).to(self._device)
                self._features[prompt] = self._tower(tokens)[0]
        return self._features[prompt]

    def _imagine(self, rows: Sequence[int]) -> None:
        """Set each row's goal to the prior's output for the prompt's features and a latent (drawn, or zeros).

        The prior always gets the texts of all rows, because the size of a batch changes how results are
        rounded.
        """
        import torch

        if not rows:
            return
        if self._latent != "zeros":
            for row in rows:
                numbers = self._draws[row].standard_normal(FEATURES)
                self._latents[row] = torch.from_numpy(numbers.astype(np.float32))
        with torch.inference_mode():
            goals = self._prior(self._texts, self._latents)
        for row in rows:
            self._stepper.aim(row, goals[row], self._text_guidance)
