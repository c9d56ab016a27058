"""The contact sheet of an experience: frames, plan and outcome in one picture."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from optimus_gym.memory.experience import Case, Experience, PastPursuit
from optimus_gym.memory.experience import Image as Seen
from optimus_gym.memory.pictures import unpacked
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

THUMB: Final = (112, 63)
"""Width and height of a drawn frame in pixels: 16:9, the shape of the player's picture before
storage squeezes the picture."""
GAP: Final = 4
MARGIN: Final = 14
TEXTS: Final = 300
"""Width in pixels of the column of texts on the left of the sheet."""
A_ROW: Final = 8
"""Maximum number of frames side by side on the sheet."""
_WIDTH: Final = 2 * MARGIN + TEXTS + A_ROW * (THUMB[0] + GAP)
_HEAD: Final = 116
LINE: Final = 16
SMALL, LARGE = 12, 18
MOST_STRIPS: Final = 80
"""Maximum number of sub-goals that the sheet shows; a last line counts the sub-goals that are left out."""
_Colour = tuple[int, int, int]
JUDGED: Final = {"COMPLETE": DONE_COLOUR, "CONTINUE": CURRENT, "REPLAN": FAILED}


def sheet(experience: Experience) -> Image.Image:
    """Return an experience as a picture, 1,256 pixels wide: a strip for each sub-goal, with its reflections.

    Raises:
        BadValue: a picture of the experience cannot be read.
    """
    places = max(len(experience.pursuits), 1 + max((c.place for c in experience.cases), default=-1))
    strips = [_strip(experience, place) for place in range(min(places, MOST_STRIPS))]
    left_out = places - len(strips)
    height = _HEAD + sum(strip.height for strip in strips) + MARGIN + LINE * (left_out > 0)
    picture = Image.new("RGB", (_WIDTH, height), BACKGROUND)
    _write_head(picture, experience)
    y = _HEAD
    for strip in strips:
        picture.paste(strip, (0, y))
        y += strip.height
    if left_out:
        _line(ImageDraw.Draw(picture), y, f"and {left_out} more sub-goals", DIM)
    return picture


class _Cell(NamedTuple):
    """A frame in a sub-goal's strip, with caption and colour of the edge (None: the frame has no edge)."""

    seen: Seen
    caption: str
    edge: _Colour | None = None


def _strip(experience: Experience, place: int) -> Image.Image:
    """Return a sub-goal as a picture: texts, the sub-goal's frames, and below the reflections' frames."""
    cases = [case for case in experience.cases if case.place == place]
    rows: list[list[_Cell]] = []
    lines: list[tuple[str, _Colour]] = []
    if place < len(experience.pursuits):
        pursuit = experience.pursuits[place]
        lines += _told(place, pursuit)
        rows += _rows([_Cell(seen, str(seen.tick)) for seen in pursuit.seen])
    elif cases:
        lines.append((f"{place + 1}. {cases[0].subgoal}", BRIGHT))
        rows.append([_Cell(cases[0].before, str(cases[0].before.tick))])
    if cases:
        lines.append((f"{len(cases)} reflections; {cases[-1].environment}", DIM))
        rows += _rows([_Cell(case.present, _caption(case), JUDGED[case.label]) for case in cases])
    high = max(len(rows) * (THUMB[1] + LINE + GAP), len(lines) * LINE) + 2 * GAP
    strip = Image.new("RGB", (_WIDTH, high), BACKGROUND)
    pen = ImageDraw.Draw(strip)
    pen.line([(MARGIN, 0), (_WIDTH - MARGIN, 0)], fill=DIM, width=1)
    for k, (text, colour) in enumerate(lines):
        _line(pen, GAP + k * LINE, text, colour)
    for down, row in enumerate(rows):
        for across, cell in enumerate(row):
            _put(strip, pen, across, down, cell)
    return strip


def _told(place: int, pursuit: PastPursuit) -> list[tuple[str, _Colour]]:
    """Return the lines of text that describe a sub-goal, each with its colour."""
    lines = [
        (f"{place + 1}. {pursuit.text}", BRIGHT),
        (pursuit.failure or pursuit.end, FAILED if pursuit.failure else DONE_COLOUR),
        (f"{pursuit.ticks} ticks, until tick {pursuit.tick}", DIM),
    ]
    if pursuit.correlation is not None:
        kept = f"{len(pursuit.seen)} frames kept" if pursuit.seen else "no frame kept"
        lines.append((f"{kept}; fits its text by {pursuit.correlation:.2f}", DIM))
    return lines


def _caption(case: Case) -> str:
    """Return a frame's caption: the reflection's tick and verdict, with a cross if the verdict was wrong."""
    wrong = "" if case.verdict == case.label else " ×"
    return f"{case.present.tick} {case.verdict.lower()}{wrong}"


def _rows(cells: Sequence[_Cell]) -> list[list[_Cell]]:
    """Return the cells of a strip as lists of at most `A_ROW`, one list for each row of the picture."""
    return [list(cells[k : k + A_ROW]) for k in range(0, len(cells), A_ROW)]


def _put(strip: Image.Image, pen: ImageDraw.ImageDraw, across: int, down: int, cell: _Cell) -> None:
    x = MARGIN + TEXTS + across * (THUMB[0] + GAP)
    y = GAP + down * (THUMB[1] + LINE + GAP)
    strip.paste(_thumb(cell.seen), (x, y))
    caption = fitted(cell.caption, THUMB[0], SMALL - 1)
    pen.text((x, y + THUMB[1]), caption, fill=cell.edge or DIM, font=font(SMALL - 1))
    if cell.edge is not None:
        corner = (x + THUMB[0] - 1, y + THUMB[1] - 1)
        pen.rectangle([(x, y), corner], outline=cell.edge, width=2)


def _thumb(seen: Seen) -> Image.Image:
    frame = unpacked(seen.picture, f"the frame of tick {seen.tick}")
    return Image.fromarray(np.ascontiguousarray(frame)).resize(THUMB, Image.Resampling.BILINEAR)


def _line(pen: ImageDraw.ImageDraw, y: int, text: str, colour: _Colour, size: int = SMALL) -> None:
    fitting = fitted(text, TEXTS - MARGIN, size)
    pen.text((MARGIN, y), fitting, fill=colour, font=font(size))


def _write_head(picture: Image.Image, experience: Experience) -> None:
    """Write the lines of text about the whole episode; draw the first frame and the plan to their right."""
    pen = ImageDraw.Draw(picture)
    _line(pen, MARGIN, experience.goal, BRIGHT, LARGE)
    colour = DONE_COLOUR if experience.outcome == "success" else FAILED
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
        word = fitted(word, _WIDTH - MARGIN - left, SMALL)
        wide = font(SMALL).getlength(f"{word}   ")
        if x + wide > _WIDTH - MARGIN:
            x, y = left, y + LINE
        if y > _HEAD - LINE:
            break
        pen.text((x, y), word, fill=DIM, font=font(SMALL))
        x += int(wide)
