"""Shards: parts of an evaluation that several machines play, each into its own folder below the results."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, TypeVar

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown

SHARDS: Final = "shards"
"""Name of the folder of all shards in a folder of results."""
ARRAY: Final = "SLURM_ARRAY_TASK_"
"""Beginning of the names of SLURM's variables about a job's place in an array ("Job Array Support", SLURM's
documentation)."""
INDEX: Final = "JOB_COMPLETION_INDEX"
"""Name of Kubernetes' variable with a pod's place in an indexed job, from 0 ("Indexed Job", Kubernetes'
documentation)."""
_One = TypeVar("_One")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal parts of an evaluation's episodes: every `count`-th episode.

    Attributes:
        number: the part's number, 1 to `count`.
        count: number of parts.

    Raises:
        BadValue: a number is out of range.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        check_count("shards", self.count, 1)
        check_count(f"shard (of {self.count})", self.number, 1, self.count)

    def of(self, episodes: Sequence[_One]) -> tuple[_One, ...]:
        """Return this shard's part of some episodes.

        >>> [Shard(k, 3).of(range(7)) for k in (1, 2, 3)]
        [(0, 3, 6), (1, 4), (2, 5)]
        """
        return tuple(episodes[self.number - 1 :: self.count])

    def folder(self, results: Path) -> Path:
        """Return the folder of this shard in a folder of results."""
        return results / SHARDS / f"{self.number}-of-{self.count}"

    def __str__(self) -> str:
        return f"shard {self.number} of {self.count}"


def shard_folders(results: Path) -> list[Path]:
    """Return the folders of the shards in a folder of results, by number of shards and shard."""
    found = [(shard_in(one), one) for one in (results / SHARDS).glob("*") if one.is_dir()]
    named = [(shard.count, shard.number, one) for shard, one in found if shard is not None]
    return [one for *_, one in sorted(named)]


def shard_in(folder: Path) -> Shard | None:
    """Return the shard that a folder's name tells; None if it tells none."""
    match = re.fullmatch(r"(\d+)-of-(\d+)", folder.name)
    number, count = (int(match[1]), int(match[2])) if match else (0, 0)
    return Shard(number, count) if 1 <= number <= count else None


def lacking_shards(folders: Sequence[Path]) -> str:
    """Return how many shards have a folder, such as "3 of 4"; "" if all have, or a folder is no shard's.

    >>> lacking_shards([Path("1-of-4"), Path("3-of-4")]), lacking_shards([Path("1-of-2"), Path("2-of-2")])
    ('2 of 4', '')
    """
    shards = [shard_in(folder) for folder in folders]
    counts = Counter(shard.count if shard is not None else 1 for shard in shards)
    shares = [(Fraction(found, count), count) for count, found in counts.items()]
    share, whole = max(shares, default=(Fraction(1), 1))
    return "" if share == 1 else f"{counts[whole]} of {whole}"


def shard_of(asked: str | None, count: int | None, environ: Mapping[str, str]) -> Shard | None:
    """Return the shard that this process plays; None: the whole evaluation.

    Args:
        asked: "K/N", the shard's number from 1 on and the number of shards; None: not given.
        count: the number of shards of Kubernetes' indexed job; the job's variable tells the number.
        environ: variables of the process. If neither argument is given, SLURM's array tells the shard.

    Raises:
        BadValue: an argument or variable cannot be used, or both arguments are given.
    """
    if asked is not None and count is not None:
        raise BadValue("shards: expected either --shard K/N or --shards N, got both")
    if asked is not None:
        found = re.fullmatch(r"(\d+)/(\d+)", asked)
        if found is None:
            raise BadValue(f"shard: expected K/N, such as 1/4, got {shown(asked)}")
        return Shard(int(found[1]), int(found[2]))
    if count is not None:
        if INDEX not in environ:
            raise BadValue(
                f"shards: expected the variable {INDEX} of Kubernetes' indexed job, got none; "
                f"--shard K/N names a shard by hand"
            )
        return Shard(_number(environ, INDEX) + 1, count)
    if f"{ARRAY}ID" in environ:
        return _in_array(environ)
    return None


def _in_array(environ: Mapping[str, str]) -> Shard | None:
    """Return the shard of a job in SLURM's array; None if the array has one job.

    Raises:
        BadValue: the array's numbers have gaps.
    """
    place, least, count = (_number(environ, f"{ARRAY}{name}") for name in ("ID", "MIN", "COUNT"))
    step = _number(environ, f"{ARRAY}STEP") if f"{ARRAY}STEP" in environ else 1
    number, rest = divmod(place - least, max(step, 1))
    if rest or not 0 <= number < count:
        raise BadValue(
            f"shard: expected an array of SLURM without gaps, got job {place} of {count} from {least} on; "
            f"--shard K/N names a shard by hand"
        )
    return None if count == 1 else Shard(number + 1, count)


def _number(environ: Mapping[str, str], name: str) -> int:
    """Return a whole number that a variable holds.

    Raises:
        BadValue: the variable is missing or holds no whole number.
    """
    text = environ.get(name, "")
    if not re.fullmatch(r"\d{1,9}", text):
        raise BadValue(f"shard: expected a whole number in the variable {name}, got {shown(text)}")
    return int(text)
