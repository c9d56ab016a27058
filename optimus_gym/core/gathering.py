"""Files of others that one has to fetch oneself: where each lies in a folder, and what is missing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that must be there.

    Attributes:
        places: where it may lie in the folder, the first that is there is taken.
        page: the address of the page that says where to get it.
    """

    places: tuple[str, ...]
    page: str


def gathered(folder: object, wanted: Mapping[str, Wanted]) -> dict[str, Path]:
    """Return the files of a folder, by what they are wanted as.

    Raises:
        BadValue: it is no folder, or files are missing: each is named, with its page.
    """
    place = check_path("source", folder).expanduser()
    if not place.is_dir():
        raise BadValue(f"source: expected a folder with {_listed(wanted.values())}, got '{place}'")
    found = {name: _found(place, one) for name, one in wanted.items()}
    missing = [wanted[name] for name, path in found.items() if path is None]
    if missing:
        raise BadValue(f"source: missing in '{place}': {_listed(missing)}")
    return {name: path for name, path in found.items() if path is not None}


def _found(folder: Path, wanted: Wanted) -> Path | None:
    return next((folder / one for one in wanted.places if (folder / one).is_file()), None)


def _listed(wanted: Iterable[Wanted]) -> str:
    return "; ".join(f"{one.places[0]} (see {one.page})" for one in wanted)
