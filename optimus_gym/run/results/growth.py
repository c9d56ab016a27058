"""Growth of a memory: its content and worth after each epoch of self-evolution (`optimus-gym learn`).

| name below the folder | what |
| --- | --- |
| `learning.json` | the configuration and code of the whole run |
| `epoch-<k>/epoch.json` | what the memory held after the epoch; epoch 0 is the empty memory |
| `epoch-<k>/evaluation/` | the rows of the evaluation with the memory of that time |
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.run.results.results_folder import Results, read_results

CONFIGURATION: Final = "learning.json"
_SIZE: Final = "epoch.json"
_EVALUATION: Final = "evaluation"


@dataclass(frozen=True, slots=True)
class MemorySize:
    """Content of a memory in numbers.

    Attributes:
        experiences: number of episodes.
        ways: number of ways to get items.
        share: share of the environment's ways that the memory has an example of, 0 to 1.
    """

    experiences: int
    ways: int
    share: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """An epoch that is over.

    Attributes:
        number: the epoch's number; 0 before the first.
        size: what the memory held.
        results: the evaluation with this memory.
    """

    number: int
    size: MemorySize
    results: Results


@dataclass(frozen=True, slots=True)
class Growth:
    """A run of `optimus-gym learn`: its folder's name and its epochs, in their order."""

    name: str
    epochs: tuple[Epoch, ...]


def epoch_folder(folder: Path, number: int) -> Path:
    """Return the folder of an epoch."""
    return folder / f"epoch-{number}"


def size_file(folder: Path, number: int) -> Path:
    """Return the file that says what the memory held after an epoch."""
    return epoch_folder(folder, number) / _SIZE


def evaluation_folder(folder: Path, number: int) -> Path:
    """Return the folder of the evaluation after an epoch."""
    return epoch_folder(folder, number) / _EVALUATION


def read_epoch(folder: Path, number: int) -> Epoch:
    """Return an epoch whose evaluation was begun.

    Raises:
        BadValue: a file is damaged.
    """
    file = size_file(folder, number)
    told = read_json(file.read_bytes(), str(file))
    names = set(MemorySize.__dataclass_fields__)
    if not isinstance(told, dict) or set(told) != names:
        raise BadValue(f"{file}: expected the fields {', '.join(sorted(names))}, got {shown(told)}")
    return Epoch(number, MemorySize(**told), read_results(evaluation_folder(folder, number)))


def _evaluated(file: Path) -> int:
    """Return the number of episodes of each evaluation, at least 1, from a run's configuration."""
    told = read_json(file.read_bytes(), str(file))
    asked = told.get("evaluated") if isinstance(told, dict) else None
    if not isinstance(asked, dict) or not isinstance(asked.get("tasks"), list):
        raise BadValue(f"{file}: expected the configuration of a run of `learn`, got {shown(told)}")
    return max(len(asked["tasks"]) * check_count(f"{file}: episodes", asked.get("episodes"), 0), 1)


def read_growth(path: str | Path) -> Growth | None:
    """Return the epochs of a folder of `optimus-gym learn`; None if another command wrote the folder.

    An epoch whose evaluation is not finished is left out.

    Raises:
        BadValue: a file is damaged, or no evaluation is finished.
    """
    folder = check_path("results", path)
    if not (folder / CONFIGURATION).is_file():
        return None
    wanted = _evaluated(folder / CONFIGURATION)
    epochs: list[Epoch] = []
    while evaluation_folder(folder, len(epochs)).is_dir():
        found = read_epoch(folder, len(epochs))
        if len(found.results.rows) < wanted:
            break
        epochs.append(found)
    if not epochs:
        raise BadValue(f"results: expected epochs with whole evaluations, got '{folder}' with none")
    return Growth(folder.resolve().name, tuple(epochs))
