"""The controller `vpt`: a published VPT policy, which follows no text (Baker et al. 2022)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optimus_gym.controllers.vpt.acting import PolicyController
from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.fetched_files import WantedFile, gathered

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTPolicy

PAGE: Final = "https://github.com/openai/Video-Pre-Training"
"""Page that offers VPT's published files."""


class VPTController(PolicyController):
    """Acts as a VPT policy, which ignores the sub-goal.

    Args:
        source: the folder with a `.model` and a `.weights` file.
        model: the `.model` file: a name in the folder, needed if the folder has several, or a path.
        weights: the `.weights` file: a name in the folder, needed if the folder has several, or a path.
        as_in, never, holds_tool, forgets, deterministic, verbs, compiled, dtype: see `PolicyController`.

    Raises:
        BadValue: an argument cannot be used, a file is missing, or the folder has several `.model` or
            `.weights` files and no argument names one.
    """

    def __init__(
        self,
        source: str,
        model: str | None = None,
        weights: str | None = None,
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
        self._model = _file(source, ".model", model)
        self._weights = _file(source, ".weights", weights)

    def _policy(self) -> "VPTPolicy":
        from optimus_gym.controllers.vpt.checkpoint import load_policy

        return load_policy(self._model, self._weights)


def _file(source: object, ending: str, named: str | None) -> Path:
    """Return the file `named` if it is given, else the folder's only file with the ending.

    Raises:
        BadValue: the file is missing, or the folder has several files with the ending.
    """
    what = ending[1:]
    if named is not None:
        return gathered(source, {what: WantedFile((), PAGE)}, {what: named})[what]
    folder = check_home_path("source", source)
    there = sorted(folder.glob(f"*{ending}"))
    if len(there) == 1:
        return there[0]
    found = [path.name for path in there]
    hint = f"; choose one by the option {what!r}" if there else ""
    raise BadValue(
        f"source: expected one {ending} file in '{folder}' (see {PAGE}), got {found or 'none'}{hint}"
    )
