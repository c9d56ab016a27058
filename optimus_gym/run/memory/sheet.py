"""The contact sheet of an experience: frames, plan and outcome in one picture."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from optimus_gym.memory.experience import Case, Experience, Pursuit
from optimus_gym.memory.experience import Image as Seen
from optimus_gym.memory.pictures import unpacked
from optimus_gym.run.lettering import (
    BACKGROUND,
    BRIGHT,
    CURRENT,
    DIM,
    DONE,
    FAILED,
    font,
    shortened,
)

THUMB: Final = (112, 63)
"""Width and height of a frame, pixels: 16:9, as the screen that it was squeezed from."""
GAP: Final = 4
MARGIN: Final = 14
TEXTS: Final = 300
"""Width of the column of texts, pixels."""
A_ROW: Final = 8
"""Frames beside each other."""
WIDTH: Final = 2 * MARGIN + TEXTS + A_ROW * (THUMB[0] + GAP)
HEAD: Final = 116
LINE: Final = 16
SMALL, LARGE = 12, 18
MOST_ROWS: Final = 80
"""Sub-goals and reflections that are shown; what is beyond is counted."""
JUDGED: Final = {"COMPLETE": DONE, "CONTINUE": CURRENT, "REPLAN": FAILED}


def sheet(experience: Experience) -> Image.Image:
    """Return an experience as a picture, 1,256 pixels wide.

    Raises:
        BadValue: one of its pictures cannot be read.
    """
    rows = [_pursuit(k, one) for k, one in enumerate(experience.pursuits)]
    rows += [_case(one) for one in experience.cases]
    shown = rows[:MOST_ROWS]
    strips = [_strip(row) for row in shown]
    left_out = len(rows) - len(shown)
    height = HEAD + sum(strip.height for strip in strips) + MARGIN + LINE * (left_out > 0)
    picture = Image.new("RGB", (WIDTH, height), BACKGROUND)
    _write_head(picture, experience)
    y = HEAD
    for strip in strips:
        picture.paste(strip, (0, y))
        y += strip.height
    if left_out:
        _line(ImageDraw.Draw(picture), y, f"and {left_out} more", DIM)
    return picture


class _Row:
    """A row of the sheet: what is said, in which colours, and the frames beside it."""

    def __init__(
        self, lines: Sequence[tuple[str, tuple[int, int, int]]], seen: Sequence[Seen]
    ) -> None:
        self.lines = lines
        self.seen = seen


def _pursuit(place: int, pursuit: Pursuit) -> _Row:
    failed = bool(pursuit.failure)
    lines = [
        (f"{place + 1}. {pursuit.text}", BRIGHT),
        (pursuit.failure or pursuit.end, FAILED if failed else DONE),
        (f"{pursuit.ticks} ticks, until tick {pursuit.tick}", DIM),
    ]
    if pursuit.correlation is not None:
        kept = f"{len(pursuit.seen)} frames kept" if pursuit.seen else "no frame kept"
        lines.append((f"{kept}; fits its text by {pursuit.correlation:.2f}", DIM))
    return _Row(lines, pursuit.seen)


def _case(case: Case) -> _Row:
    lines = [
        (f"reflection on {case.place + 1}. {case.subgoal}", BRIGHT),
        (f"said {case.verdict}, right was {case.label}", JUDGED[case.label]),
        (f"{case.environment}; tick {case.before.tick} and {case.present.tick}", DIM),
    ]
    if case.predicament:
        lines.append((case.predicament, FAILED))
    return _Row(lines, (case.before, case.present))


def _strip(row: _Row) -> Image.Image:
    """Return a row as a picture."""
    deep = -(-len(row.seen) // A_ROW) * (THUMB[1] + LINE + GAP)
    height = max(deep, len(row.lines) * LINE) + 2 * GAP
    strip = Image.new("RGB", (WIDTH, height), BACKGROUND)
    pen = ImageDraw.Draw(strip)
    pen.line([(MARGIN, 0), (WIDTH - MARGIN, 0)], fill=DIM, width=1)
    for k, (text, colour) in enumerate(row.lines):
        _line(pen, GAP + k * LINE, text, colour)
    for k, seen in enumerate(row.seen):
        x = MARGIN + TEXTS + k % A_ROW * (THUMB[0] + GAP)
        y = GAP + k // A_ROW * (THUMB[1] + LINE + GAP)
        strip.paste(_thumb(seen), (x, y))
        pen.text((x, y + THUMB[1]), str(seen.tick), fill=DIM, font=font(SMALL - 1))
    return strip


def _thumb(seen: Seen) -> Image.Image:
    frame = unpacked(seen.picture, f"the frame of tick {seen.tick}")
    return Image.fromarray(np.ascontiguousarray(frame)).resize(THUMB, Image.Resampling.BILINEAR)


def _line(
    pen: ImageDraw.ImageDraw, y: int, text: str, colour: tuple[int, int, int], size: int = SMALL
) -> None:
    fitting = shortened(text, TEXTS - MARGIN, size)
    pen.text((MARGIN, y), fitting, fill=colour, font=font(size))


def _write_head(picture: Image.Image, experience: Experience) -> None:
    """Write what is told of the whole episode, with its first frame beside it."""
    pen = ImageDraw.Draw(picture)
    _line(pen, MARGIN, experience.goal, BRIGHT, LARGE)
    colour = DONE if experience.outcome == "success" else FAILED
    _line(pen, MARGIN + 26, f"{experience.status} after {experience.ticks} ticks", colour)
    _line(pen, MARGIN + 42, f"{experience.task}; began in {experience.environment}", DIM)
    held = experience.start.get("inventory") or {}
    things = ", ".join(f"{count} {name}" for name, count in held.items()) or "nothing"
    _line(pen, MARGIN + 58, f"held {things}", DIM)
    if experience.first is not None:
        picture.paste(_thumb(experience.first), (MARGIN + TEXTS, MARGIN))
    left = MARGIN + TEXTS + THUMB[0] + 3 * GAP
    words = ["plan:", *(f"{k + 1}. {step}" for k, step in enumerate(experience.plan))]
    x, y = left, MARGIN
    for word in words:
        wide = font(SMALL).getlength(f"{word}   ")
        if x + wide > WIDTH - MARGIN:
            x, y = left, y + LINE
        if y > HEAD - LINE:
            break
        pen.text((x, y), word, fill=DIM, font=font(SMALL))
        x += int(wide)
