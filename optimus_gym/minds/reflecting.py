"""Reflecting: when verdicts on sub-goals are due, the screens they need, and the backbone's answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from optimus_gym.backbones.parse.verdicts import verdict_in
from optimus_gym.core.arrays import Pixels
from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.memory.pool import FoundCase
from optimus_gym.minds.eyes import Eyes, Seen
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.prompts.template import render
from optimus_gym.vision.change import Change, change_between

_QUICK: Final = ("craft", "equip", "place")
"""Verbs of sub-goals that end before their first reflection, so that their first screen is not read."""
REFLECTION_PERIOD: Final = 200
"""Ticks of a sub-goal between two reflections: our choice; Optimus-1's public code takes 1,200."""
GLANCE_PERIOD: Final = 20
"""Ticks between two pictures that are compared: 1 s (Optimus-1, appendix E.1.1). The ticks between two
reflections are a multiple of this number."""
_LONGEST_PERIOD: Final = 36_000
_CUT: Final = "the answer was cut off at its token limit"


@dataclass(frozen=True, slots=True)
class Moment:
    """A sub-goal at the moment of a reflection.

    Attributes:
        row: number of the row.
        seed: seed of the backbone's draws.
        tick: present tick of the episode.
        subgoal: the sub-goal's text.
        ticks: ticks since the sub-goal began.
        before: the screen before the sub-goal; None if it was not read.
        last: the screen at the last reflection; None if it was not read.
        now: the present screen.
        cases: similar past reflections, by verdict (complete, continue, replan), best first for each verdict.
        usual: ticks that the sub-goal should take; None if neither memory nor graph knows.
        change: change of the picture within the last second; None without an earlier picture.
        still: ticks since the picture last changed.
    """

    row: int
    seed: int
    tick: int
    subgoal: str
    ticks: int
    before: Seen | None
    last: Seen | None
    now: Seen
    cases: tuple[FoundCase, ...] = ()
    usual: float | None = None
    change: Change | None = None
    still: int = 0


@dataclass(slots=True)
class RowWatch:
    """Painter and times of a row's sub-goal, kept from one reflection to the next.

    Attributes:
        before: the screen before the sub-goal.
        last: the screen at the last reflection.
        ticks: ticks since the sub-goal began.
        glance: the last picture, uint8[H, W, 3]; None without a picture.
        change: change from the picture before the last one to the last picture.
        still: ticks since the picture last changed.
    """

    before: Seen | None = None
    last: Seen | None = None
    ticks: int = 0
    glance: Pixels | None = None
    change: Change | None = None
    still: int = 0

    def glance_at(self, situation: Situation, ticks: int) -> None:
        """Compare the present picture with the picture `ticks` ago; without one of them, `change` is None."""
        picture = situation.pov or situation.picture
        now = None if picture is None else picture.look()
        before = self.glance
        self.change = None if before is None or now is None else change_between(before, now)
        self.still = self.still + ticks if self.change and self.change.is_none else 0
        self.glance = now


class Reflector:
    """Asks a backbone for verdicts on the sub-goals of all rows of an environment.

    Args:
        backbone: gives the verdicts.
        eyes: read the screens.
        ask: makes the backbone's request from a `Moment`.
        every: ticks of a sub-goal between two reflections.
        usual: returns the ticks that a sub-goal should take, or None if neither memory nor graph knows.

    Attributes:
        period: ticks from one call of `due` to the next, so that each row's picture is compared every second
            with its picture one second before.
    """

    def __init__(
        self,
        backbone: Backbone,
        eyes: Eyes,
        ask: Callable[[Moment], Request],
        every: int,
        usual: Callable[[SubGoal], float | None] = lambda subgoal: None,
    ) -> None:
        self._backbone = backbone
        self._eyes = eyes
        self._ask = ask
        self._every = every
        self._usual = usual
        self.period = GLANCE_PERIOD
        self._watches: dict[int, RowWatch] = {}

    def begin_subgoals(
        self,
        situations: Sequence[Situation],
        decisions: Sequence[Decision],
        seen: Mapping[int, Seen],
    ) -> None:
        """Read the screens of all rows that begin a sub-goal, except for the verbs in `_QUICK`.

        Args:
            situations: situations of rows that begin their next sub-goals.
            decisions: the rows' decisions.
            seen: the screens that were read at this tick, by row.
        """
        for situation in situations:
            self._watches[situation.row] = RowWatch()
        slow = [
            situation
            for situation, decision in zip(situations, decisions, strict=True)
            if decision.subgoal is not None and decision.subgoal.verb not in _QUICK
        ]
        known = {row: one for row, one in seen.items() if one.screen is not None}
        unseen = [one for one in slow if one.row not in known]
        known |= zip([one.row for one in unseen], self._eyes.look(unseen), strict=True)
        for situation in slow:
            watch = self._watches[situation.row]
            watch.before = watch.last = known[situation.row]

    def due(self, situations: Sequence[Situation], ticks: int | None) -> list[Situation]:
        """Return the rows whose sub-goals are due for a verdict, `ticks` after the last call."""
        assert ticks is not None, "a reflector has a period"
        for situation in situations:
            watch = self._watches[situation.row]
            watch.ticks += ticks
            watch.glance_at(situation, ticks)
        return [one for one in situations if self._watches[one.row].ticks % self._every == 0]

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the present contents of the rows' screens."""
        return self._eyes.look(situations)

    def judge(
        self,
        situations: Sequence[Situation],
        seen: Sequence[Seen],
        cases: Sequence[tuple[FoundCase, ...]],
    ) -> dict[int, Verdict]:
        """Return, by row, verdicts on sub-goals whose screens were read; one call asks for all verdicts."""
        moments = [
            self._moment(situation, sight, like)
            for situation, sight, like in zip(situations, seen, cases, strict=True)
            if sight.screen is not None
        ]
        verdicts = verdicts_of(self._backbone, [self._ask(moment) for moment in moments])
        for moment in moments:
            self._watches[moment.row].last = moment.now
        return {moment.row: said for moment, said in zip(moments, verdicts, strict=True)}

    def forget(self, row: int) -> None:
        """Forget a row whose episode is over."""
        self._watches.pop(row, None)

    def _moment(self, situation: Situation, now: Seen, cases: tuple[FoundCase, ...]) -> Moment:
        watch, subgoal = self._watches[situation.row], situation.subgoal
        assert subgoal is not None, "the sub-goal is being carried out"
        return Moment(
            situation.row,
            situation.seed,
            situation.tick,
            subgoal.text or str(subgoal),
            watch.ticks,
            watch.before,
            watch.last,
            now,
            cases,
            self._usual(subgoal),
            watch.change,
            watch.still,
        )


class NoReflector:
    """Judges nothing: every sub-goal goes on."""

    period: Final = None

    def begin_subgoals(
        self,
        situations: Sequence[Situation],
        decisions: Sequence[Decision],
        seen: Mapping[int, Seen],
    ) -> None:
        """Look at nothing."""

    def due(self, situations: Sequence[Situation], ticks: int | None) -> list[Situation]:
        """Return no row."""
        return []

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return an empty list, because no row is due for a verdict."""
        return []

    def judge(
        self,
        situations: Sequence[Situation],
        seen: Sequence[Seen],
        cases: Sequence[tuple[FoundCase, ...]],
    ) -> dict[int, Verdict]:
        """Return no verdict."""
        return {}

    def forget(self, row: int) -> None:
        """Forget nothing."""


def verdicts_of(backbone: Backbone, requests: Sequence[Request]) -> list[Verdict]:
    """Return a backbone's verdicts on sub-goals.

    The backbone may correct an unreadable answer once. If the second answer is unreadable, too, the sub-goal
    goes on, and the verdict does not count as the backbone's.
    """
    if not requests:
        return []
    replies = backbone.complete(requests)
    verdicts = [verdict_of(reply) for reply in replies]
    again = [
        k
        for k, (verdict, reply) in enumerate(zip(verdicts, replies, strict=True))
        if verdict.judged_by == "nobody" and reply.text
    ]
    if again:
        asked = [_asked_again(requests[k], replies[k], verdicts[k]) for k in again]
        for k, reply in zip(again, backbone.complete(asked), strict=True):
            second = verdict_of(reply)
            problems = (*verdicts[k].problems, *second.problems)
            verdicts[k] = replace(second, corrections=1, problems=problems)
    return verdicts


def verdict_of(reply: Reply) -> Verdict:
    """Return the verdict in a reply; an unreadable reply gives "CONTINUE", not counted as the backbone's."""
    if reply.faults and not reply.text:
        problems = tuple(f"no answer: {fault}" for fault in reply.faults)
        return Verdict(judged_by="nobody", problems=problems)
    if reply.cut:
        return Verdict(judged_by="nobody", problems=(_CUT,))
    read = verdict_in(reply.text, PREDICAMENTS)
    if read.judgement is None:
        return Verdict(judged_by="nobody", problems=read.problems)
    predicament = read.predicament if read.judgement == "REPLAN" else ""
    told = f"{read.judgement} {predicament}".strip()
    told += f" ({read.environment})" if read.environment else ""
    return Verdict(read.judgement, predicament, told, "backbone", 0, read.problems)


def _asked_again(request: Request, reply: Reply, verdict: Verdict) -> Request:
    values = {
        "request": request.text,
        "answer": reply.text,
        "problems": "\n".join(verdict.problems),
    }
    return replace(request, text=render(MIND_PROMPTS, "correct_lines", values))


def check_every(value: object) -> int:
    """Return a checked number of ticks between two reflections.

    Raises:
        BadValue: the value is no multiple of 20 from 20 to 36,000.
    """
    every = check_count("every", value, GLANCE_PERIOD, _LONGEST_PERIOD)
    if every % GLANCE_PERIOD:
        raise BadValue(f"every: expected a multiple of {GLANCE_PERIOD} ticks, got {every}")
    return every
