"""Builds situations for agents, and ticks the worlds while backbones answer."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.deliberation import Answer
from optimus_gym.core.interfaces import Agent, Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import PICTURE_SIZE, Picture, Situation, Vitals
from optimus_gym.core.squeezing import squeezed
from optimus_gym.core.types import (
    TICKS_A_SECOND,
)
from optimus_gym.envs.courses import Course, counts_by_name
from optimus_gym.envs.part_answers import check_replies
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.equipment import EQUIPMENT_PLACES
from optimus_gym.game.items import item_names

_Frame = NDArray[np.uint8]
TOGETHER = 16
"""Maximum number of 640x360 screens that one call reduces to the size of `pov`; 16 screens take 11 MB."""


class Glances:
    """Draws frames of the observation's size; a frame that an agent asked for is reused within its tick.

    Args:
        runtime: the worlds.
        size: width and height, pixels.
        squeezes: whether a frame is the 640x360 screen reduced to `size`, instead of drawn at `size`.
    """

    def __init__(self, runtime: Runtime, size: tuple[int, int], squeezes: bool = False) -> None:
        self._runtime = runtime
        self._size = size
        self._squeezes = squeezes
        self._kept: dict[int, tuple[int, _Frame]] = {}
        """For each row, `Runtime.moments` when its latest frame for an agent was drawn, and that frame."""

    def pictures(self, rows: Sequence[int]) -> list[Picture | None]:
        """Return a picture for each row, drawn on request; the first request draws the frames of all `rows`.

        Rows whose world has failed get None; without the power "pictures" all rows get None.
        """
        if "pictures" not in self._runtime.can:
            return [None] * len(rows)
        moments = self._runtime.moments
        group = {row: int(moments[row]) for row in rows if not self._is_broken(row)}
        return [
            Picture(
                partial(self._drawn, row, group),
                partial(_is_moment, self._runtime, row, group[row]),
            )
            if row in group
            else None
            for row in rows
        ]

    def _is_broken(self, row: int) -> bool:
        return self._runtime.episode(row).status == "world_failed"

    def fill(self, rows: Sequence[int], images: _Frame) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with the present frames of `rows`."""
        seen = [k for k, row in enumerate(rows) if self._is_kept(row)]
        if not seen:
            self._draw(rows, images)
            return
        for k in seen:
            images[k] = self._kept[rows[k]][1]
        others = [k for k in range(len(rows)) if k not in set(seen)]
        if others:
            drawn = np.empty((len(others), *images.shape[1:]), np.uint8)
            self._draw([rows[k] for k in others], drawn)
            images[others] = drawn

    def _drawn(self, row: int, group: dict[int, int]) -> _Frame:
        """Return a row's present frame; one drawing call draws the frames of the whole `group`."""
        if not self._is_kept(row):
            wanted = [
                one
                for one, moment in group.items()
                if _is_moment(self._runtime, one, moment) and not self._is_kept(one)
            ]
            images = np.empty((len(wanted), *self._size[::-1], 3), np.uint8)
            self._draw(wanted, images)
            for one, image in zip(wanted, images, strict=True):
                self._kept[one] = (group[one], image.copy())
        return self._kept[row][1]

    def _draw(self, rows: Sequence[int], images: _Frame) -> None:
        if not self._squeezes:
            if len(rows):
                self._runtime.world.frames(np.array(rows, np.int64), images)
            return
        for first in range(0, len(rows), TOGETHER):
            some = np.array(rows[first : first + TOGETHER], np.int64)
            screens = np.empty((len(some), *PICTURE_SIZE[::-1], 3), np.uint8)
            self._runtime.world.frames(some, screens)
            images[first : first + TOGETHER] = squeezed(screens, self._size)

    def _is_kept(self, row: int) -> bool:
        return row in self._kept and _is_moment(self._runtime, row, self._kept[row][0])


def situations_of(
    runtime: Runtime, courses: Sequence[Course], glances: Glances, rows: Sequence[int]
) -> list[Situation]:
    """Return each row's situation: all that the agent learns about the row in this tick.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course, the notes on its episode.
        glances: draws the observation's frames.
        rows: rows whose worlds have not failed.
    """
    if not rows:
        return []
    world, tells = runtime.world, runtime.config.rules.tells
    worn, vitals = world.bodies(rows)
    poses = world.poses(rows).tolist()
    povs = glances.pictures(rows)
    names = item_names()
    made = []
    for n, row in enumerate(rows):
        episode, course = runtime.episode(row), courses[row]
        gained, consumed = changes(runtime, course, row)
        x, y, z = poses[n][:3]
        made.append(
            Situation(
                row=row,
                task=episode.task,
                goal=episode.goal,
                tick=episode.ticks,
                budget=episode.budget,
                inventory=runtime.inventory(row),
                equipment={
                    p: names[k]
                    for p, k in zip(EQUIPMENT_PLACES, worn[n].tolist(), strict=True)
                    if k
                },
                vitals=Vitals(*vitals[n].tolist()),
                height=y,
                stations=world.stations(row),
                biome=world.biome(row) if "biome" in tells else None,
                position=(x, y, z) if "position" in tells else None,
                subgoal=course.latest,
                gained=gained,
                consumed=consumed,
                seed=episode.seed,
                picture=_picture(runtime, row) if "pictures" in runtime.can else None,
                pov=povs[n],
            )
        )
    return made


def changes(runtime: Runtime, course: Course, row: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many of each item the row has gained and lost since its latest sub-goal began."""
    if course.held_then is None:
        return {}, {}
    difference = runtime.counts[row] - course.held_then
    return counts_by_name(difference), counts_by_name(-difference)


def _picture(runtime: Runtime, row: int) -> Picture:
    moment = int(runtime.moments[row])
    return Picture(
        partial(runtime.frame, row, PICTURE_SIZE), partial(_is_moment, runtime, row, moment)
    )


def _is_moment(runtime: Runtime, row: int, moment: int) -> bool:
    return bool(runtime.moments[row] == moment)


def memory_lost(agent: Agent) -> str:
    """Return the agent's reason, in words, for going on without its memory; "" if there is no such reason."""
    return str(getattr(agent, "memory_lost", ""))


class MeteredBackbone:
    """A backbone that passes on another backbone's answers and notes their cost.

    Args:
        backbone: the backbone that answers.
        courses: every row's course; the cost of a reply is added to `answers` of its request's row.
        tick: returns how many ticks a row's episode has taken.
    """

    def __init__(
        self, backbone: Backbone, courses: Sequence[Course], tick: Callable[[int], int]
    ) -> None:
        self.name = backbone.name
        self._backbone = backbone
        self._courses = courses
        self._tick = tick

    @property
    def takes_pictures(self) -> bool:
        """Return whether requests may hold pictures; this may become False when a server refuses pictures."""
        return self._backbone.takes_pictures

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Return the backbone's replies, in the order of the requests.

        Raises:
            BadValue: the backbone did not give one reply to each request.
        """
        replies = check_replies(self.name, self._backbone.complete(requests), len(requests))
        for request, reply in zip(requests, replies, strict=True):
            if request.row is not None:
                self._courses[request.row].hear(self._answer(request, request.row, reply))
        return replies

    def _answer(self, request: Request, row: int, reply: Reply) -> Answer:
        return Answer(
            kind=request.kind,
            model=reply.model or self.name,
            latency_s=reply.latency_s,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            tick=self._tick(row),
            cost=reply.cost,
            faults=reply.faults,
            answered=bool(reply.text.strip()),
        )


class Thinking:
    """Lets each row's world tick, with an idle player, for the time that the backbone's answers took.

    Figure 13 of Optimus-1 shows how agents that plan in many calls fare if the world goes on while they plan.
    The time of an answer is the latency that its backbone reports, or the recorded latency if the answer is
    replayed. A row waits only for its own answers, although one call answers several rows. A fraction of a
    tick that is left over is added to the time of the row's next answer.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course; this class counts the ticks in `Course.thought`.
        account: called with a row after each tick of the row.
    """

    def __init__(
        self, runtime: Runtime, courses: Sequence[Course], account: Callable[[int], None]
    ) -> None:
        self._runtime = runtime
        self._courses = courses
        self._account = account

    def go_by(self, rows: Sequence[int]) -> frozenset[int]:
        """Tick each row for its answers' time, or until its episode ends; return rows whose player died."""
        died: set[int] = set()
        while waiting := [row for row in rows if self._is_owed(row)]:
            self._runtime.tick(waiting, np.tile(noop(), (len(waiting), 1)))
            for row in waiting:
                self._courses[row].thought += 1
                if self._runtime.episode(row).status != "world_failed":
                    self._account(row)
            died.update(row for row in waiting if self._runtime.died[row])
        return frozenset(died)

    def _is_owed(self, row: int) -> bool:
        """Return whether the row's answers took longer than the ticks that its world spent on them."""
        course = self._courses[row]
        seconds = sum(answer.latency_s for answer in course.answers)
        owed = int(seconds * TICKS_A_SECOND) > course.thought
        return owed and not self._runtime.episode(row).over
