"""Builds situations for agents, checks answers, and ticks the worlds while backbones answer.

The module checks the answers of agents, controllers and backbones.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Answer, Decision, JudgedBy, Judgement, PlannedBy, Verdict
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import Agent, Backbone
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Reply, Request, check_reply
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.situation import PICTURE_SIZE, Picture, Situation, Vitals
from optimus_gym.core.squeezing import squeezed
from optimus_gym.core.types import (
    HIGHEST_SHAFT,
    RECOVER,
    SHAFT_ENDS,
    TICKS_A_SECOND,
    VERBS,
    Failure,
    SubGoal,
)
from optimus_gym.envs.courses import Course, counts_by_name
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.equipment import EQUIPMENT_PLACES
from optimus_gym.game.items import item_names
from optimus_gym.game.things import things

_Frame = NDArray[np.uint8]
TOGETHER = 16
"""Maximum number of 640x360 screens that one call reduces to the size of `pov`; 16 screens take 11 MB."""
_JUDGEMENTS = get_args(Judgement)
_JUDGES = get_args(JudgedBy)
PLANNERS = get_args(PlannedBy)


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


def check_decisions(agent: str, decisions: object, count: int) -> Sequence[Decision]:
    """Return the checked decisions of an agent, one for each of `count` rows.

    Raises:
        BadValue: the answer is not `count` decisions, or the game does not know a decision's sub-goal.
    """
    for decision in _listed(f"agent {agent!r}", "decide", decisions, count, Decision):
        _check_author(agent, decision, "planned_by", PLANNERS, "decide")
        if not isinstance(decision.subgoal, SubGoal | None):
            got = shown(decision.subgoal)
            raise BadValue(f"agent {agent!r}: expected a SubGoal or None, got {got} (decide)")
        if decision.subgoal is not None:
            check_subgoal(f"agent {agent!r}", "decide", decision.subgoal)
    return decisions  # type: ignore[return-value]  # a list of decisions, as has been seen


def check_subgoal(who: str, method: str, subgoal: SubGoal) -> None:
    """Check that the game knows a sub-goal's verb, count and item.

    Args:
        who: the part or argument that gave the sub-goal, for messages.
        method: the method that got the sub-goal, for messages.
        subgoal: the sub-goal.

    Raises:
        BadValue: the game does not know the verb, the count or the item.
    """
    if subgoal.verb not in VERBS:
        raise BadValue(
            f"{who}: expected a verb of {', '.join(VERBS)}, got {subgoal.verb!r} ({method})"
        )
    check_count(f"{who}: count ({method})", subgoal.count, 1, MOST_HELD)
    if subgoal.verb == RECOVER:
        if subgoal.item not in PREDICAMENTS:
            raise BadValue(
                f"{who}: expected a predicament of {', '.join(PREDICAMENTS)}, "
                f"got {subgoal.item!r} ({method})"
            )
        return
    if subgoal.verb in SHAFT_ENDS:
        _check_shaft(who, method, subgoal)
        return
    unknown = [name for name in subgoal.kinds if name not in things()]
    if unknown:
        raise BadValue(
            f"{who}: expected an item or thing of the game, got {unknown[0]!r} ({method})"
        )


def _check_shaft(who: str, method: str, subgoal: SubGoal) -> None:
    """Reject a sub-goal that digs a shaft to no end, or to a height that the world does not have."""
    end = SHAFT_ENDS[subgoal.verb]
    if subgoal.kinds != (end,):
        raise BadValue(
            f"{who}: expected the item {end!r} of {subgoal.verb}, got {subgoal.item!r} ({method})"
        )
    check_count(f"{who}: height ({method})", subgoal.count, 1, HIGHEST_SHAFT)


def check_verdicts(agent: str, verdicts: object, count: int) -> Sequence[Verdict]:
    """Return the checked verdicts of an agent, one for each of `count` sub-goals.

    Raises:
        BadValue: the answer is not `count` verdicts, each CONTINUE, COMPLETE or REPLAN.
    """
    for verdict in _listed(f"agent {agent!r}", "watch", verdicts, count, Verdict):
        if verdict.judgement not in _JUDGEMENTS:
            raise BadValue(
                f"agent {agent!r}: expected one of {', '.join(_JUDGEMENTS)}, "
                f"got {verdict.judgement!r} (watch)"
            )
        _check_author(agent, verdict, "judged_by", _JUDGES, "watch")
    return verdicts  # type: ignore[return-value]  # a list of verdicts, as has been seen


def _check_author(
    agent: str, said: Decision | Verdict, name: str, known: Sequence[str], method: str
) -> None:
    """Reject an unknown author of a plan or verdict, and a number of corrections that is no integer >= 0."""
    author = getattr(said, name)
    if author not in known:
        expected = ", ".join(map(repr, known))
        raise BadValue(
            f"agent {agent!r}: {name}: expected one of {expected}, got {author!r} ({method})"
        )
    check_count(f"agent {agent!r}: corrections ({method})", said.corrections, 0)


def memory_lost(agent: Agent) -> str:
    """Return the agent's reason, in words, for going on without its memory; "" if there is no such reason."""
    return str(getattr(agent, "memory_lost", ""))


def check_failures(controller: str, failures: object, count: int) -> Sequence[Failure | None]:
    """Return the checked failures of a controller: why each row cannot go on, or None.

    Raises:
        BadValue: the answer is not `count` values, each a Failure or None.
    """
    where = f"controller {controller!r}"
    _listed(where, "act", failures, count, Failure | None)
    return failures  # type: ignore[return-value]  # a list of them, as has been seen


def check_replies(backbone: str, replies: object, count: int) -> Sequence[Reply]:
    """Return the checked replies of a backbone to `count` requests.

    Raises:
        BadValue: the answer is not `count` replies, or `check_reply` rejects a reply.
    """
    for reply in _listed(f"backbone {backbone!r}", "complete", replies, count, Reply):
        check_reply(reply, f"backbone {backbone!r}, complete")
    return replies  # type: ignore[return-value]  # a list of replies, as has been seen


def _listed(who: str, method: str, answers: object, count: int, kind: Any) -> Sequence[Any]:
    if not isinstance(answers, Sequence) or len(answers) != count:
        got = f"{len(answers)}" if isinstance(answers, Sequence) else repr(answers)[:80]
        raise BadValue(f"{who}: expected {count} answers of {method}, got {got}")
    for answer in answers:
        if not isinstance(answer, kind):
            name = getattr(kind, "__name__", str(kind))
            raise BadValue(f"{who}: expected a {name}, got {answer!r:.80} ({method})")
    return answers


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
