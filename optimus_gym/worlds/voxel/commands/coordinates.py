"""Positions in commands: absolute, relative (`~`) and local (`^`) coordinates.

Reference: Minecraft Wiki, "Coordinates" (commands), "Rotation".
"""

from dataclasses import dataclass
from math import floor
from typing import Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.game.border import BORDER
from optimus_gym.worlds.voxel.bodies.posture import PLAYER_EYE
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, real_number
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

LOWEST: Final = -64.0
"""Lowest height (y) of a body after /tp; the void below hurts; Minecraft Wiki, "Void"."""
HIGHEST: Final = 512.0
"""Greatest height (y) of a body after /tp, four times this world's height."""
_RELATIVE: Final = "~"
_LOCAL: Final = "^"


@dataclass(frozen=True)
class Standpoint:
    """A command's place and direction: feet x, y, z (blocks), yaw and pitch (degrees).

    Attributes:
        x: x of the feet.
        y: y of the feet.
        z: z of the feet.
        yaw: 0 = south, growing to the right.
        pitch: positive looks down.
        eyes: whether local coordinates begin at the eyes.
    """

    x: float
    y: float
    z: float
    yaw: float = 0.0
    pitch: float = 0.0
    eyes: bool = False


@dataclass(frozen=True)
class Coordinates:
    """Three coordinates of a command, each a mark ("", "~" or "^") and an amount.

    Attributes:
        marks: the mark of each coordinate.
        amounts: the amount of each coordinate.
        whole: whether each coordinate was written without a decimal point.
    """

    marks: tuple[str, str, str]
    amounts: tuple[float, float, float]
    whole: tuple[bool, bool, bool]

    def point(self, here: Standpoint) -> tuple[float, float, float]:
        """Return the point; absolute whole x and z mean the middle of their block, as in the game.

        Raises:
            BadValue: the point is outside the border or heights of this world.
        """
        x, y, z = self._resolved(here, 0.5)
        if not (max(abs(x), abs(z)) < BORDER and LOWEST <= y <= HIGHEST):
            raise BadValue(
                f"position: expected |x|, |z| < {BORDER} and {LOWEST:g} <= y <= {HIGHEST:g}, "
                f"got {x:.10g} {y:.10g} {z:.10g}"
            )
        return x, y, z

    def cell(self, here: Standpoint) -> tuple[int, int, int]:
        """Return the cell of a block.

        Raises:
            BadValue: an absolute coordinate has a decimal point, or the cell is outside the world's border.
        """
        for mark, amount, whole in zip(self.marks, self.amounts, self.whole, strict=True):
            if not mark and not whole:
                raise BadValue(f"block position: expected an integer, ~ or ^, got {shown(amount)}")
        x, y, z = self._resolved(here, 0.0)
        if not max(abs(x), abs(y), abs(z)) < BORDER:
            raise BadValue(
                f"block position: expected coordinates within {BORDER}, got {x:.10g} {y:.10g} {z:.10g}"
            )
        return floor(x), floor(y), floor(z)

    def _resolved(self, here: Standpoint, middle: float) -> tuple[float, float, float]:
        base = here.x, here.y, here.z
        if _LOCAL in self.marks:
            dx, dy, dz = _turned(self.amounts, here.yaw, here.pitch)
            return base[0] + dx, base[1] + (PLAYER_EYE if here.eyes else 0.0) + dy, base[2] + dz
        made = []
        for axis in range(3):
            amount = self.amounts[axis]
            if self.marks[axis] == _RELATIVE:
                amount += base[axis]
            elif axis != 1 and self.whole[axis]:
                amount += middle
            made.append(amount)
        return made[0], made[1], made[2]


def _turned(
    amounts: tuple[float, float, float], yaw: float, pitch: float
) -> tuple[float, float, float]:
    """Return the offset (x, y, z) of `amounts` to the left, up and ahead of a direction."""
    left, up, ahead = amounts
    flat, rise = cosine(pitch), -sine(pitch)
    east, south = -sine(yaw), cosine(yaw)
    return (
        ahead * east * flat - up * east * rise + left * south,
        ahead * rise + up * flat,
        ahead * south * flat - up * south * rise - left * east,
    )


def take_coordinates(words: CommandWords) -> Coordinates:
    """Read three coordinates.

    Raises:
        BadValue: a word is no coordinate, or a position mixes local (^) and other coordinates.
    """
    marks, amounts, whole = [], [], []
    for axis in "xyz":
        mark, amount, plain = _coordinate(words.take(f"{axis} of a position"), axis)
        marks.append(mark)
        amounts.append(amount)
        whole.append(plain)
    if _LOCAL in marks and set(marks) != {_LOCAL}:
        raise words.fault("^ in all three coordinates or in none", " ".join(marks))
    return Coordinates(
        (marks[0], marks[1], marks[2]),
        (amounts[0], amounts[1], amounts[2]),
        (whole[0], whole[1], whole[2]),
    )


def _coordinate(word: str, axis: str) -> tuple[str, float, bool]:
    mark = word[0] if word[0] in _RELATIVE + _LOCAL else ""
    number = word.removeprefix(mark)
    amount = 0.0 if mark and not number else real_number(number, f"{axis} of a position")
    return mark, amount, "." not in number


def take_angle(words: CommandWords, name: str, now: float) -> float:
    """Read an angle in degrees, absolute or relative (~) to the angle `now`.

    Raises:
        BadValue: the word is no angle.
    """
    mark, amount, _ = _coordinate(words.take(f"a {name} in degrees"), name)
    if mark == _LOCAL:
        raise words.fault(f"a {name} in degrees", "a local coordinate (^)")
    return amount + now if mark else amount


def begins_position(word: str) -> bool:
    """Return whether a word begins a position: a number, ~ or ^."""
    return bool(word) and (word[0] in _RELATIVE + _LOCAL + "+-." or word[0].isdigit())
