"""Stamps of the networks of `pixel`: the looks of blocks, the keys and the senses that they were made for."""

import hashlib
import json
from functools import cache
from typing import Final

from optimus_gym.controllers.pixel.senses import (
    AGES,
    CONTRAST,
    FAINTEST,
    KNOWN_GOALS,
    LIT_LINES,
    MIDDLE,
    PICTURE_SIDE,
    SENSED_FACTS,
)
from optimus_gym.core.actions import CAMERA_DEGREES, CONTROL_SIZES, KEYS
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.render.look import block_look

_DIGITS: Final = 12
STAMPED: Final = ("looks", "keys", "senses")


@cache
def own_stamp() -> str:
    """Return the stamp of this version of the package, as JSON: a hash for each of `STAMPED`.

    The hash of the looks covers the shapes, faces and texels of all blocks; it does not cover light, sky and
    creatures.
    """
    look = block_look()[0]
    looks = hashlib.sha256(b"".join(look[name].tobytes() for name in ("shapes", "faces", "texels")))
    keys = repr((KEYS, CONTROL_SIZES, CAMERA_DEGREES))
    light = (MIDDLE, CONTRAST, LIT_LINES, FAINTEST)
    senses = repr((PICTURE_SIDE, AGES, light, SENSED_FACTS, tuple(KNOWN_GOALS.items())))
    told = {
        "looks": looks,
        **{
            name: hashlib.sha256(text.encode())
            for name, text in (("keys", keys), ("senses", senses))
        },
    }
    return json.dumps({name: found.hexdigest()[:_DIGITS] for name, found in told.items()})


def check_stamp(name: str, told: str, where: str) -> None:
    """Reject what was made for other looks, keys or senses.

    Args:
        name: the argument that names the file, for messages.
        told: the stamp in the file.
        where: the file.

    Raises:
        BadValue: the stamps differ; the message names what differs, and both hashes.
    """
    own = json.loads(own_stamp())
    try:
        theirs = json.loads(told)
    except ValueError:
        theirs = None
    if not isinstance(theirs, dict):
        raise BadValue(
            f"{name}: expected a stamp of looks, keys and senses in {where}, got {told!r}"
        )
    for part in STAMPED:
        if theirs.get(part) != own[part]:
            raise BadValue(
                f"{name}: expected the {part} {own[part]} of this version of the package, got "
                f"{theirs.get(part)!r} in {where}; train the network again (baselines.imitate)"
            )
