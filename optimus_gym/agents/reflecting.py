"""Reflecting: keeps what each row saw before its sub-goal, and has the sub-goals judged that are due."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from optimus_gym.agents.timing import Judge
from optimus_gym.core.deliberation import Decision, JudgedBy, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.reflector.reflector import Moment, Pixels, Reflection, Reflector
from optimus_gym.vision.screen import Screen, ScreenReader

QUICK: Final = ("craft", "equip", "place")
"""Verbs of sub-goals that are over before anybody reflects: nothing is seen before them."""


@dataclass(slots=True)
class Watch:
    """What is kept of a row's sub-goal.

    Attributes:
        before: the screen before it; None where nobody looked.
        picture: its picture, if the backbone shall see it.
        last: the screen at the last look.
        ticks: since it began.
    """

    before: Screen | None = None
    picture: Pixels | None = None
    last: Screen | None = None
    ticks: int = 0


class Reflecting:
    """Has the sub-goals of all rows of an environment judged.

    Args:
        reflector: judges.
        reader: reads screens.
        every: ticks of a sub-goal between two reflections.
        judge: who says that a sub-goal is reached: "inventory" leaves it to the world, so that "COMPLETE" is
            said and not acted on; "reflector" ends it by that word.
        sees: whether the backbone shall see the pictures.
    """

    def __init__(
        self,
        reflector: Reflector,
        reader: ScreenReader,
        every: int,
        judge: Judge,
        sees: bool,
    ) -> None:
        self._reflector = reflector
        self._reader = reader
        self._every = every
        self._judge = judge
        self._sees = sees
        self._watches: dict[int, Watch] = {}
        self.latest: dict[int, Reflection] = {}
        """By row, what was said in the latest call of `watched`."""

    def decided(self, situations: Sequence[Situation], decisions: Sequence[Decision]) -> None:
        """Look at the screens before sub-goals that take their time, all at once."""
        for situation in situations:
            self._watches[situation.row] = Watch()
        slow = [
            situation
            for situation, decision in zip(situations, decisions, strict=True)
            if decision.subgoal is not None and decision.subgoal.verb not in QUICK
        ]
        for situation, (screen, picture) in zip(slow, self._look(slow), strict=True):
            watch = self._watches[situation.row]
            watch.before = watch.last = screen
            watch.picture = picture if self._sees else None

    def watched(self, situations: Sequence[Situation], ticks: int) -> list[Verdict]:
        """Return the verdicts on sub-goals; those that are due are judged together, the others go on.

        Args:
            situations: of rows whose sub-goals are carried out.
            ticks: since the last call.
        """
        self.latest = {}
        for situation in situations:
            self._watches[situation.row].ticks += ticks
        due = [
            situation
            for situation in situations
            if self._watches[situation.row].ticks % self._every == 0
        ]
        moments = [
            self._moment(situation, screen, picture)
            for situation, (screen, picture) in zip(due, self._look(due), strict=True)
            if screen is not None
        ]
        for moment, reflection in zip(moments, self._reflector.reflect(moments), strict=True):
            self.latest[moment.row] = reflection
            self._watches[moment.row].last = moment.now
        return [self._verdict(situation.row) for situation in situations]

    def forget(self, rows: Sequence[int]) -> None:
        """Forget rows whose episodes are over."""
        for row in rows:
            self._watches.pop(row, None)

    def _look(self, situations: Sequence[Situation]) -> list[tuple[Screen | None, Pixels | None]]:
        """Return the rows' screens and pictures; None and None where there is nothing to see."""
        looking = [k for k, one in enumerate(situations) if one.picture is not None]
        pictures = [one.look() for k in looking if (one := situations[k].picture)]
        views = [one.look() for k in looking if (one := situations[k].pov)]
        alike = len(views) == len(pictures)
        found: list[tuple[Screen | None, Pixels | None]] = [(None, None)] * len(situations)
        screens = self._reader.read(pictures, views if alike else ())
        for k, screen, picture in zip(looking, screens, pictures, strict=True):
            found[k] = screen, picture
        return found

    def _moment(self, situation: Situation, screen: Screen, picture: Pixels | None) -> Moment:
        watch, subgoal = self._watches[situation.row], situation.subgoal
        assert subgoal is not None, "it is being carried out"
        pictures: tuple[Pixels, ...] = ()
        if self._sees and watch.picture is not None and picture is not None:
            pictures = (watch.picture, picture)
        return Moment(
            situation.row,
            situation.seed,
            subgoal.text or str(subgoal),
            watch.ticks,
            watch.before,
            watch.last,
            screen,
            pictures,
            situation.tick,
        )

    def _verdict(self, row: int) -> Verdict:
        """Return what is done about what was said of a row."""
        said = self.latest.get(row)
        if said is None:
            return Verdict()
        by: JudgedBy = "nobody" if said.problems else "backbone"
        if said.judgement == "COMPLETE" and self._judge == "inventory":
            told = f"{said}; the inventory does not agree"
            return Verdict(reflection=told, judged_by=by, problems=said.problems)
        return Verdict(
            said.judgement, said.predicament, str(said), judged_by=by, problems=said.problems
        )
