"""The controller `vpt`: a published VPT policy, which follows no text (Baker et al. 2022)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optimus_gym.controllers.vpt.acting import PolicyController
from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTPolicy

PAGE: Final = "https://github.com/openai/Video-Pre-Training"
"""Says where the files are to be had."""


class VPTController(PolicyController):
    """Acts as VPT does, whatever the sub-goal is.

    Args:
        source: the folder with a `.model` and a `.weights` file.
        model: which `.model` file of the folder, if it has several.
        weights: which `.weights` file of the folder, if it has several.
        deterministic, forgets, verbs, compiled, dtype: see `PolicyController`.

    Raises:
        BadValue: a file is missing, or there are several to choose from.
    """

    def __init__(
        self,
        source: str,
        model: str | None = None,
        weights: str | None = None,
        deterministic: bool = False,
        forgets: str = "episode",
        verbs: Sequence[str] = (),
        compiled: bool = False,
        dtype: str | None = None,
    ) -> None:
        super().__init__(deterministic, forgets, verbs, compiled, dtype)
        self._model = _only(source, ".model", model)
        self._weights = _only(source, ".weights", weights)

    def _policy(self) -> "VPTPolicy":
        from optimus_gym.controllers.vpt.checkpoint import load_policy

        return load_policy(self._model, self._weights)


def _only(source: object, ending: str, named: str | None) -> Path:
    """Return the file of a folder that has an ending, or a name.

    Raises:
        BadValue: there is none, or not one alone.
    """
    folder = check_path("source", source).expanduser()
    there = sorted(path.name for path in folder.glob(f"*{ending}")) if folder.is_dir() else []
    if named is not None and named in there:
        return folder / named
    if named is None and len(there) == 1:
        return folder / there[0]
    wanted = f"one {ending} file" if named is None else f"the file {named!r}"
    hint = f"; choose one by the option {ending[1:]!r}" if named is None and there else ""
    raise BadValue(
        f"source: expected {wanted} in '{folder}' (see {PAGE}), got {there or 'none'}{hint}"
    )
