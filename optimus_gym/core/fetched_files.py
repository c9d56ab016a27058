"""Finds downloaded files of other projects in a user's folder, and reports missing files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that must be in a folder.

    Attributes:
        places: possible paths of the file within the folder; the first path that exists counts.
        page: the address of the page that says where to get the file.
    """

    places: tuple[str, ...]
    page: str


def gathered(
    folder: object,
    wanted: Mapping[str, WantedFile],
    named: Mapping[str, object] = MappingProxyType({}),
) -> dict[str, Path]:
    """Return the paths of the wanted files, by the keys of `wanted`.

    Args:
        folder: the folder of the files.
        wanted: the files that must be there.
        named: files to take instead of a wanted file's `places`, by the keys of `wanted`: a bare name means a
            file in `folder`; any other path is absolute or relative to the working folder; None keeps
            `places`.

    Raises:
        BadValue: `folder` is no folder, or files are missing; the message holds each file with its page.
    """
    chosen = {what: _place(what, path) for what, path in named.items() if path is not None}
    wanted = {
        what: replace(one, places=(chosen[what],)) if what in chosen else one
        for what, one in wanted.items()
    }
    place = check_home_path("source", folder)
    if not place.is_dir():
        raise BadValue(f"source: expected a folder with {_listed(wanted.values())}, got '{place}'")
    found = {name: _found(place, one) for name, one in wanted.items()}
    missing = [wanted[name] for name, path in found.items() if path is None]
    if missing:
        raise BadValue(f"source: missing in '{place}': {_listed(missing)}")
    return {name: path for name, path in found.items() if path is not None}


def _place(what: str, named: object) -> str:
    """Return a bare file name unchanged, and any other path as an absolute path.

    Raises:
        BadValue: `named` is no path.
    """
    path = check_home_path(what, named)
    return path.name if named == path.name else str(path.absolute())


def _found(folder: Path, wanted: WantedFile) -> Path | None:
    return next((folder / one for one in wanted.places if (folder / one).is_file()), None)


def _listed(wanted: Iterable[WantedFile]) -> str:
    return "; ".join(f"{one.places[0]} (see {one.page})" for one in wanted)
