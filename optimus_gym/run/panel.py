"""Draw the panel to the right of a video's picture: task, plan, current sub-goal, tick, inventory."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from optimus_gym.envs.courses import Progress
from optimus_gym.run.lettering import (
    BACKGROUND,
    BRIGHT,
    CURRENT,
    DIM,
    DONE_COLOUR,
    FAILED,
    fitted,
    font,
)

WIDTH: Final = 320
"""Width of the panel in pixels."""
_MARGIN: Final = 12
_LINE: Final = 15
PLAN_LINES: Final = 8
"""Number of the plan's sub-goals that the panel shows at once, the current one included."""
INVENTORY_LINES: Final = 5


def shown_window(length: int, position: int, lines: int = PLAN_LINES) -> range:
    """Return the indices of the plan's sub-goals to show: a window around `position`.

    >>> shown_window(5, 2), shown_window(30, 15, 10), shown_window(30, 29, 10)
    (range(0, 5), range(12, 22), range(20, 30))
    """
    start = max(0, min(position - lines // 3, length - lines))
    return range(start, min(length, start + lines))


class _Pen:
    """Writes lines of text on the panel, from top to bottom."""

    def __init__(self, image: Image.Image) -> None:
        self.draw = ImageDraw.Draw(image)
        self.y = _MARGIN

    def at_right(self, text: str, colour: tuple[int, int, int]) -> int:
        """Write at the right end of the next line; return the width in pixels that the text takes."""
        width = math.ceil(font(12).getlength(text))
        left = WIDTH - _MARGIN - width
        self.draw.text((left, self.y + 4), text, fill=colour, font=font(12))
        return width + _MARGIN

    def line(
        self,
        text: str,
        colour: tuple[int, int, int],
        size: int = 12,
        indent: int = 0,
        taken: int = 0,
    ) -> None:
        """Write a line of text; leave `taken` pixels at the line's right end to another text."""
        left = _MARGIN + indent
        fitting = fitted(text, WIDTH - left - _MARGIN - taken, size)
        self.draw.text((left, self.y), fitting, fill=colour, font=font(size))
        self.y += _LINE + max(0, size - 12)

    def mark(self, kind: str, colour: tuple[int, int, int]) -> None:
        """Draw a sub-goal's mark before the next line: "done", "current", "failed" or "later"."""
        x, y = _MARGIN, self.y + 3
        if kind == "done":
            self.draw.line([(x, y + 4), (x + 3, y + 8), (x + 9, y)], fill=colour, width=2)
        elif kind == "current":
            self.draw.polygon([(x, y), (x + 8, y + 4), (x, y + 8)], fill=colour)
        elif kind == "failed":
            self.draw.line([(x, y), (x + 8, y + 8)], fill=colour, width=2)
            self.draw.line([(x + 8, y), (x, y + 8)], fill=colour, width=2)
        else:
            self.draw.ellipse([(x + 3, y + 3), (x + 6, y + 6)], fill=colour)


def _draw_plan(pen: _Pen, progress: Progress, note: str, failed: bool, over: bool) -> None:
    pen.line(f"PLAN  {min(progress.position + 1, len(progress.plan))}/{len(progress.plan)}", DIM)
    window = shown_window(len(progress.plan), progress.position)
    for index in window:
        if index < progress.position or over:
            kind, colour = "done", DONE_COLOUR
        elif index > progress.position:
            kind, colour = "later", DIM
        elif failed:
            kind, colour = "failed", FAILED
        else:
            kind, colour = "current", CURRENT
        pen.mark(kind, colour)
        pen.line(progress.plan[index], colour, indent=16)
    left = len(progress.plan) - window.stop
    pen.line(f"and {left} more" if left > 0 else "", DIM, indent=16)
    pen.line(note, DONE_COLOUR if over else FAILED, 12)


def _draw_inventory(pen: _Pen, progress: Progress, height: int) -> None:
    pen.y = height - _MARGIN - (INVENTORY_LINES + 1) * _LINE
    pen.line("INVENTORY", DIM)
    held = [f"{count} {name}" for name, count in progress.inventory.items() if count]
    room = 2 * INVENTORY_LINES
    if len(held) > room:
        held = [*held[: room - 1], f"and {len(held) - room + 1} more"]
    top = pen.y
    column = (WIDTH - 2 * _MARGIN) // 2
    for k, text in enumerate(held):
        x = _MARGIN + column * (k // INVENTORY_LINES)
        y = top + _LINE * (k % INVENTORY_LINES)
        pen.draw.text((x, y), fitted(text, column - 6, 12), fill=BRIGHT, font=font(12))
    if not held:
        pen.line("empty", DIM)


def draw_panel(
    progress: Progress,
    height: int,
    note: str = "",
    lighting: str = "",
    failed: bool = False,
    succeeded: bool = False,
) -> NDArray[np.uint8]:
    """Draw the panel (uint8[height, 320, 3]).

    Args:
        progress: the episode's progress; the panel lists as many items of the inventory as fit, in its order.
        height: height in pixels, 360 next to the usual picture.
        note: text of the line under the plan, such as how the latest sub-goal failed.
        lighting: words on the picture's light ("picture brightened") at the right end of the first line.
        failed: whether to show the current sub-goal as failed.
        succeeded: whether the task is reached; then the whole plan is shown as done.
    """
    image = Image.new("RGB", (WIDTH, height), BACKGROUND)
    pen = _Pen(image)
    taken = pen.at_right(lighting, CURRENT) if lighting else 0
    pen.line(progress.task, BRIGHT, 16, taken=taken)
    pen.line(progress.instruction, DIM)
    seconds = progress.ticks // 20
    clock = f"tick {progress.ticks:,} / {progress.budget:,}   {seconds // 60}:{seconds % 60:02} min"
    pen.line(clock + (f"   replans {progress.replans}" if progress.replans else ""), BRIGHT)
    pen.line(f"now: {progress.subgoal}" if progress.subgoal else "", CURRENT, 14)
    _draw_plan(pen, progress, note, failed, succeeded)
    _draw_inventory(pen, progress, height)
    return np.asarray(image, np.uint8)


def with_panel(picture: NDArray[np.uint8], panel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put the panel to the right of the picture (uint8[H, W + 320, 3])."""
    return np.concatenate([picture, panel], axis=1)
