"""Common code for reading other agents' public memories: JSON files, words for items, picture files."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import numpy as np

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.game.biomes import ALIASES
from optimus_gym.memory.experience import Image
from optimus_gym.memory.json_checks import check_depth, check_text
from optimus_gym.memory.pictures import decoded, packed, reduced_frame
from optimus_gym.prompts.words import kinds_of
from optimus_gym.vision.aligner import Aligner, unit_vectors

_MOST_BYTES: Final = 2**26
"""Maximum number of bytes of a file that is read: 64 MiB."""
MOST_TICKS: Final = 2**31 - 1
FORMATS: Final = ("JPEG", "PNG", "WEBP")
T = TypeVar("T")


def all_read(
    read: Callable[[T], Iterable[Any]], what: Iterable[T], skip: Callable[[str], None] | None
) -> list[Any]:
    """Return everything that `read` yields for several files or entries; `skip` leaves out damaged ones.

    Args:
        read: reads one file or entry.
        what: all files or entries.
        skip: called with the fault of each damaged file or entry, which is left out; None: the first fault is
            raised.

    Raises:
        BadValue: a file or entry is damaged, and `skip` is None.
    """
    found: list[Any] = []
    for one in what:
        try:
            found += list(read(one))
        except BadValue as error:
            if skip is None:
                raise
            skip(str(error))
    return found


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file of at most 64 MiB.

    Raises:
        BadValue: the path cannot be read, is no file, or the file is larger than 64 MiB; the error names the
            path.
    """
    try:
        if not path.is_file():
            raise BadValue(f"'{path}': expected a file")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise BadValue(f"'{path}' cannot be read: {error}") from error
    if len(content) > _MOST_BYTES:
        raise BadValue(f"'{path}': expected a file of at most {_MOST_BYTES} bytes")
    return content


def read_public(path: Path) -> Any:
    """Return the value of another agent's JSON file; if a key occurs twice, the last one counts.

    Raises:
        BadValue: the file cannot be read, or is no whole JSON text in UTF-8; the error names the file.
    """
    try:
        value = json.loads(read_bytes(path).decode("utf-8-sig"), parse_constant=_refuse_constant)
    except BadValue:
        raise
    except (ValueError, RecursionError) as error:
        raise BadValue(f"'{path}': expected a whole JSON text in UTF-8: {error}") from None
    check_depth(f"'{path}'", value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"it holds {name}")


def text_at(where: str, entry: Mapping[str, Any], key: str) -> str:
    """Return the text that an entry has under a key; "" if the key is missing or its value null.

    Raises:
        BadValue: the key's value is neither a text nor null.
    """
    value = entry.get(key)
    return "" if value is None else check_text(f"{where}.{key}", value)


def whole_at(where: str, value: object) -> int:
    """Return a value as a whole number, 0 or more: a float is rounded, a text of digits read as a number.

    Raises:
        BadValue: the value is no number, is negative, or is larger than 2^31 - 1.
    """
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value) if len(value) < 20 else value
    if isinstance(value, float):
        value = round(value)
    return check_count(where, value, 0, MOST_TICKS)


def file_name(where: str, value: object) -> str:
    """Return the value if it is the name of a file without any folder.

    Raises:
        BadValue: the value is no file name, or names a folder, too.
    """
    name = check_text(where, value)
    if name not in ("", ".", "..") and "\\" not in name and os.path.basename(name) == name:
        return name
    raise BadValue(f"{where}: expected the name of a file in the same folder, got {shown(name)}")


def item_of(word: str) -> str:
    """Return this package's name of an item called `word`; an unknown word gets underscores and lower case.

    >>> item_of("logs"), item_of("iron pickaxe"), item_of("Blue flower")
    ('oak_log', 'iron_pickaxe', 'blue_flower')
    """
    kinds = kinds_of(word)
    return kinds[0] if kinds else "_".join(word.lower().split())


def biome_of(word: str) -> str:
    """Return this package's name of a biome called `word`; "cave" counts as a biome, "none" gives "".

    >>> biome_of("extreme hills"), biome_of("cave"), biome_of("none")
    ('mountains', 'cave', '')
    """
    name = "_".join(word.lower().split())
    return "" if name == "none" else ALIASES.get(name, name)


def fingerprint(*parts: object) -> str:
    """Return a hash, in 16 hexadecimal digits, of values that JSON can hold.

    >>> fingerprint("a", 1) == fingerprint("a", 1) != fingerprint("a1")
    True
    """
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def image_of(path: Path, aligner: Aligner) -> Image:
    """Return another agent's picture as this package stores pictures; its tick is unknown and set to 0.

    The picture is shrunk like the frames of this package's own episodes. The aligner makes the vector before
    the picture is compressed again.

    Raises:
        BadValue: the file cannot be read, is no whole JPEG, PNG or WebP of at most 2^24 pixels, or the
            aligner makes no vector of the picture; the error names the file.
    """
    frame = reduced_frame(decoded(read_bytes(path), f"'{path}'", FORMATS))
    features = aligner.frames(frame[None])[0]
    if not np.isfinite(features).all() or not features.any():
        raise BadValue(f"'{path}': expected a picture that {aligner.name!r} can encode")
    return Image(0, packed(frame), unit_vectors(features))
