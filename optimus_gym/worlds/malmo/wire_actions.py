"""Actions on the wire: one line for each key, the camera's turn, and what a dialect has besides.

    forward 1
    camera 0.0 15.0
    craft planks          MineRL 0.4.4: functions
    chat /time set day    MineStudio: a chat line
    voxels -2,2,-1,3,-2,2 MineStudio: the box of blocks to report

Source: the handlers of actions of MineRL 0.4.4 and MineStudio 1.1.6. The order of the lines means nothing.
A reader skips lines with unknown words, as the game does.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.worlds.malmo.dialects import DIALECTS, Dialect
from optimus_gym.worlds.malmo.framing import WireFault

WireBox: TypeAlias = tuple[int, int, int, int, int, int]
"""Corners of a box relative to the player's block: least and greatest x, then y, then z."""
NO_BOX: Final[WireBox] = (0, 0, 0, 0, 0, 0)
"""Box that MineStudio's client sends if it asks for no blocks or creatures."""
FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "place": "place",
        "equip": "equip",
        "craft": "craft",
        "craftNearby": "nearbyCraft",
        "smeltNearby": "nearbySmelt",
    }
)
"""Words of the lines of MineRL 0.4.4 that craft, smelt, equip and place, each with its key in the action
space."""
NO_ITEM: Final = "none"
MOST_TURN: Final = 180.0
"""Largest turn of pitch or yaw in a step, degrees."""
MOST_CHAT: Final = 256
"""Longest chat line, characters; Minecraft Wiki, "Chat"."""
MOST_REACH: Final = 50
"""Largest coordinate of a box of blocks (MineStudio, `VoxelAction`)."""
MOST_SIGHT: Final = 1000
"""Largest coordinate of a box of creatures (MineStudio, `MobAction`)."""
_BOX_REACHES: Final = MappingProxyType({"voxels": MOST_REACH, "mobs": MOST_SIGHT})
_ALL_KEYS: Final = frozenset(key for dialect in DIALECTS.values() for key in dialect.keys)
_ITEM: Final = re.compile(r"[A-Za-z0-9_:.]{1,100}(?:#[0-9]{1,2})?")
"""Pattern of an item in a line; MineRL 0.4.4 writes the variant behind "#" ("planks#2")."""
_NO_CHAT: Final = re.compile("[\x00-\x1f\x7f\xa7\u2028\u2029]")
"""Characters that the game takes out of chat lines: control characters and the sign of formats."""


@dataclass(frozen=True, slots=True)
class WireAction:
    """Keys, turn of the view, chat and requests of a player for one tick.

    Attributes:
        keys: the names of the pressed keys.
        pitch: turn of the view downwards, degrees, -180 to 180.
        yaw: turn of the view to the right, degrees, -180 to 180.
        functions: words of `FUNCTIONS`, each at most once and with its item ("planks", "planks#2"); a word
            without an item is left out.
        chat: a chat line of at most 256 characters, or "".
        voxels: the box of blocks to report, coordinates of -50 to 50; `NO_BOX` asks for nothing. Clients may
            give the greater corner first.
        mobs: the box of creatures to report, coordinates of -1000 to 1000, likewise.
    """

    keys: frozenset[str] = frozenset()
    pitch: float = 0.0
    yaw: float = 0.0
    functions: tuple[tuple[str, str], ...] = ()
    chat: str = ""
    voxels: WireBox = NO_BOX
    mobs: WireBox = NO_BOX


def write_action(action: WireAction, dialect: Dialect) -> str:
    """Return an action's lines as a client of the dialect writes them; what the dialect lacks is left out.

    Raises:
        UnknownName: no dialect has a key or a function of the action.
        BadValue: a value of the action is outside its range, or a text would break its line.

    >>> from optimus_gym.worlds.malmo.dialects import MINERL_0_4
    >>> write_action(WireAction(frozenset({"jump"}), yaw=1.5), MINERL_0_4).splitlines()[4:6]
    ['jump 1', 'sneak 0']
    """
    for key in action.keys - _ALL_KEYS:
        check_name("key", key, _ALL_KEYS)
    if not _are_turns(action.pitch, action.yaw):
        raise BadValue(
            f"camera: expected turns of -180 to 180 degrees, got {action.pitch}, {action.yaw}"
        )
    lines = [f"{key} {int(key in action.keys)}" for key in dialect.keys]
    lines.append(f"camera {float(action.pitch)!r} {float(action.yaw)!r}")
    if dialect.functions:
        lines += _function_lines(dict(action.functions))
    if dialect.chat and action.chat:
        if action.chat != chat_line(action.chat):
            raise BadValue(
                f"chat: expected one line of at most {MOST_CHAT} characters, got {shown(action.chat)}"
            )
        lines.append(f"chat {action.chat}")
    if dialect.near:
        lines += [_box_line("voxels", action.voxels), _box_line("mobs", action.mobs)]
    return "\n".join(lines)


def chat_line(text: str) -> str:
    r"""Return a text as the game takes it from a chat line: without control characters, 256 characters.

    Source: Minecraft Wiki, "Chat" and "Formatting codes".

    >>> chat_line("hello\r\n/time set day")
    'hello/time set day'
    """
    return _NO_CHAT.sub("", text)[:MOST_CHAT]


def _function_lines(chosen: dict[str, str]) -> list[str]:
    """Return a line for each function, chosen or not."""
    for word, item in chosen.items():
        check_name("function", word, FUNCTIONS)
        if not _ITEM.fullmatch(item):
            raise BadValue(f"{word}: expected the name of an item, got {shown(item)}")
    return [f"{word} {chosen.get(word, NO_ITEM)}" for word in FUNCTIONS]


def _box_line(word: str, box: WireBox) -> str:
    if not _is_box(word, box):
        raise BadValue(f"{word}: expected {_box_form(word)}, got {shown(box)}")
    return f"{word} {','.join(str(int(corner)) for corner in box)}"


def read_action(text: str) -> WireAction:
    r"""Return the action that a step's lines tell, in any dialect; the last of equal words counts.

    Raises:
        WireFault: a known word has a value that it cannot have; the message quotes the value.

    >>> read_action("forward 1\nback 0\ncamera 0 -3.5\nsomething new").keys
    frozenset({'forward'})
    """
    keys: dict[str, bool] = {}
    functions: dict[str, str] = {}
    boxes = {"voxels": NO_BOX, "mobs": NO_BOX}
    pitch = yaw = 0.0
    chat = ""
    for line in text.split("\n"):
        word, _, rest = line.partition(" ")  # readers strip the "\r" of a Windows line
        if word in _ALL_KEYS:
            keys[word] = _is_pressed(word, rest)
        elif word == "camera":
            pitch, yaw = _turns(rest)
        elif word in FUNCTIONS:
            functions[word] = _item(word, rest)
        elif word == "chat":
            chat = chat_line(rest)
        elif word in boxes:
            boxes[word] = _box(word, rest)
    return WireAction(
        keys=frozenset(key for key, pressed in keys.items() if pressed),
        pitch=pitch,
        yaw=yaw,
        functions=tuple((word, item) for word, item in functions.items() if item != NO_ITEM),
        chat=chat,
        **boxes,
    )


def _is_pressed(word: str, rest: str) -> bool:
    value = rest.strip()
    if value not in ("0", "1"):
        raise WireFault(f"{word}: expected 0 or 1, got {shown(rest)}")
    return value == "1"


def _turns(rest: str) -> tuple[float, float]:
    """Return the turns of pitch and yaw."""
    try:
        pitch, yaw = (float(part) for part in rest.split())
    except ValueError:
        pitch = yaw = math.nan
    if not _are_turns(pitch, yaw):
        raise WireFault(f"camera: expected two numbers of -180 to 180, got {shown(rest)}")
    return pitch, yaw


def _are_turns(pitch: float, yaw: float) -> bool:
    return abs(pitch) <= MOST_TURN and abs(yaw) <= MOST_TURN  # False for NaN


def _item(word: str, rest: str) -> str:
    """Return the item of a function, `NO_ITEM` for an empty text."""
    item = rest.strip() or NO_ITEM
    if not _ITEM.fullmatch(item):
        raise WireFault(f"{word}: expected the name of an item, got {shown(rest)}")
    return item


def _box(word: str, rest: str) -> WireBox:
    """Return the box of blocks or creatures."""
    try:
        corners = tuple(int(part) for part in rest.split(",", 6))
    except ValueError:
        corners = ()
    if not _is_box(word, corners):
        raise WireFault(f"{word}: expected {_box_form(word)}, got {shown(rest)}")
    x0, x1, y0, y1, z0, z1 = corners
    return x0, x1, y0, y1, z0, z1


def _is_box(word: str, corners: tuple[int, ...]) -> bool:
    return len(corners) == 6 and all(abs(corner) <= _BOX_REACHES[word] for corner in corners)


def _box_form(word: str) -> str:
    return f"six whole numbers of -{_BOX_REACHES[word]} to {_BOX_REACHES[word]}"
