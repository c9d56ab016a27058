"""What agents are told, what agents, controllers and backbones answer, and the time that answers take."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Answer, Decision, JudgedBy, Judgement, PlannedBy, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.protocols import Agent, Backbone
from optimus_gym.core.requests import Reply, Request, check_reply
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.situation import PICTURE_SIZE, Picture, Situation, Vitals
from optimus_gym.core.squeezing import squeezed
from optimus_gym.core.types import RECOVER, VERBS, Failure, SubGoal
from optimus_gym.envs.accounts import Course
from optimus_gym.envs.runtime import Runtime, named
from optimus_gym.game.equipment import PLACES
from optimus_gym.game.items import item_names
from optimus_gym.game.things import things

Frame = NDArray[np.uint8]
TOGETHER = 16
"""Whole screens that are held at once while they are squeezed: 11 MB."""
JUDGEMENTS = get_args(Judgement)
JUDGES = get_args(JudgedBy)
PLANNERS = get_args(PlannedBy)
TICKS_A_SECOND = 20
"""Minecraft Wiki, "Tick"."""


class Glances:
    """Draws frames of the observation's size, each of them once a tick.

    Args:
        runtime: the worlds.
        size: width and height, pixels.
        squeezes: whether they are squeezed from the whole screen, instead of drawn at their size.
    """

    def __init__(self, runtime: Runtime, size: tuple[int, int], squeezes: bool = False) -> None:
        self._runtime = runtime
        self._size = size
        self._squeezes = squeezes
        self._kept: dict[int, tuple[int, Frame]] = {}
        """By row, the latest frame that an agent asked for, and its moment."""

    def pictures(self, rows: Sequence[int]) -> list[Picture | None]:
        """Return the present pictures of `rows`; the first that is looked at has the others drawn too.

        They are None in a world without pictures, and where the world has failed.
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

    def fill(self, rows: Sequence[int], images: Frame) -> None:
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

    def _drawn(self, row: int, group: dict[int, int]) -> Frame:
        """Return the present frame of a row; draws all of its group whose moment it still is."""
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

    def _draw(self, rows: Sequence[int], images: Frame) -> None:
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
    """Return the present situation of each of `rows`.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course.
        glances: draws what the observation shows.
        rows: rows whose worlds work.
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
                equipment={p: names[k] for p, k in zip(PLACES, worn[n].tolist(), strict=True) if k},
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
    """Return what is held more, and what less, than when the row's latest sub-goal began, by name."""
    if course.held_then is None:
        return {}, {}
    difference = runtime.counts[row] - course.held_then
    return named(difference), named(-difference)


def _picture(runtime: Runtime, row: int) -> Picture:
    moment = int(runtime.moments[row])
    return Picture(
        partial(runtime.frame, row, PICTURE_SIZE), partial(_is_moment, runtime, row, moment)
    )


def _is_moment(runtime: Runtime, row: int, moment: int) -> bool:
    return bool(runtime.moments[row] == moment)


def check_decisions(agent: str, decisions: object, count: int) -> Sequence[Decision]:
    """Return an agent's decisions.

    Raises:
        BadValue: they are not `count` decisions, or one's sub-goal is none that the game knows.
    """
    for decision in _listed(f"agent {agent!r}", "decide", decisions, count, Decision):
        _check_author(agent, decision, "planned_by", PLANNERS, "decide")
        if decision.subgoal is not None:
            _check_subgoal(agent, decision.subgoal)
    return decisions  # type: ignore[return-value]  # a list of decisions, as has been seen


def _check_subgoal(agent: str, subgoal: object) -> None:
    if not isinstance(subgoal, SubGoal):
        raise BadValue(f"agent {agent!r}: expected a SubGoal or None, got {subgoal!r} (decide)")
    if subgoal.verb not in VERBS:
        raise BadValue(
            f"agent {agent!r}: expected a verb of {', '.join(VERBS)}, got {subgoal.verb!r} (decide)"
        )
    check_count(f"agent {agent!r}: count (decide)", subgoal.count, 1, MOST_HELD)
    if subgoal.verb == RECOVER:
        if subgoal.item not in PREDICAMENTS:
            raise BadValue(
                f"agent {agent!r}: expected a predicament of {', '.join(PREDICAMENTS)}, "
                f"got {subgoal.item!r} (decide)"
            )
        return
    unknown = [name for name in subgoal.kinds if name not in things()]
    if unknown:
        raise BadValue(
            f"agent {agent!r}: expected an item or thing of the game, got {unknown[0]!r} (decide)"
        )


def check_verdicts(agent: str, verdicts: object, count: int) -> Sequence[Verdict]:
    """Return an agent's verdicts.

    Raises:
        BadValue: they are not `count` verdicts with a word of `Judgement`.
    """
    for verdict in _listed(f"agent {agent!r}", "watch", verdicts, count, Verdict):
        if verdict.judgement not in JUDGEMENTS:
            raise BadValue(
                f"agent {agent!r}: expected one of {', '.join(JUDGEMENTS)}, "
                f"got {verdict.judgement!r} (watch)"
            )
        _check_author(agent, verdict, "judged_by", JUDGES, "watch")
    return verdicts  # type: ignore[return-value]  # a list of verdicts, as has been seen


def _check_author(
    agent: str, said: Decision | Verdict, name: str, known: Sequence[str], method: str
) -> None:
    """Refuse what cannot be counted: whose plan or verdict it is, and how often it was corrected."""
    author = getattr(said, name)
    if author not in known:
        expected = ", ".join(map(repr, known))
        raise BadValue(
            f"agent {agent!r}: {name}: expected one of {expected}, got {author!r} ({method})"
        )
    check_count(f"agent {agent!r}: corrections ({method})", said.corrections, 0)


def memory_lost(agent: Agent) -> str:
    """Return why an agent goes on without its memory, in words; "" if it does not say so."""
    return str(getattr(agent, "memory_lost", ""))


def check_failures(controller: str, failures: object, count: int) -> Sequence[Failure | None]:
    """Return a controller's failures.

    Raises:
        BadValue: they are not `count`, each a Failure or None.
    """
    where = f"controller {controller!r}"
    _listed(where, "act", failures, count, Failure | None)
    return failures  # type: ignore[return-value]  # a list of them, as has been seen


def check_replies(backbone: str, replies: object, count: int) -> Sequence[Reply]:
    """Return a backbone's replies.

    Raises:
        BadValue: they are not `count` replies, or one holds what no reply can.
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
    """A backbone that passes on another one's answers and notes their cost.

    Args:
        backbone: who answers.
        courses: get the cost of each reply to a request that names a row, in that row's `answers`.
        tick: tells the episode's tick of a row.
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
        """Return whether a request may bring pictures; a server may have refused them since."""
        return self._backbone.takes_pictures

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Return the backbone's replies, in the order of the requests.

        Raises:
            BadValue: the backbone gave anything but a reply to each.
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
    """Lets each row's world go on for as long as its answers took, with nothing done meanwhile.

    Optimus-1, Figure 13, shows what that does to who plans in many calls. Answers count with the latency
    that their backbone tells, a recording's with the recorded one, each row's own though rows ask at once;
    what is left of a second beside whole ticks is kept for the next answers.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course; its `thought` is written.
        account: called with a row after each tick of it.
    """

    def __init__(
        self, runtime: Runtime, courses: Sequence[Course], account: Callable[[int], None]
    ) -> None:
        self._runtime = runtime
        self._courses = courses
        self._account = account

    def go_by(self, rows: Sequence[int]) -> frozenset[int]:
        """Tick `rows` until their answers' time is over or their episodes are; return whose players died."""
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
        """Tell whether the row's answers took longer than its world has gone on for them."""
        course = self._courses[row]
        seconds = sum(answer.latency_s for answer in course.answers)
        owed = int(seconds * TICKS_A_SECOND) > course.thought
        return owed and not self._runtime.episode(row).over
