"""Judges sub-goals by what is seen: screens before and now, and like cases (Optimus-1, equation 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.backbones.parse.verdicts import verdict_in
from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.pool import JUDGEMENTS, ExperiencePool, FoundCase
from optimus_gym.memory.search import Filters, Wanted
from optimus_gym.prompts.lines import lines_of
from optimus_gym.prompts.template import render
from optimus_gym.reflector.facts import reflection_facts
from optimus_gym.vision.screen import Screen

CASES: Final = 3
"""Cases of each situation that are compared with: our choice; one of each goes along as pictures."""
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Moment:
    """A sub-goal at a moment.

    Attributes:
        row: whose.
        seed: for the backbone's draws.
        subgoal: its text.
        ticks: since it began.
        before: the screen before it; None where nobody looked.
        last: the screen at the last look; None likewise.
        now: the screen now.
        pictures: the screens before and now, uint8[360, 640, 3] each; none where nobody shall see them.
        tick: the episode's, now.
    """

    row: int
    seed: int
    subgoal: str
    ticks: int
    before: Screen | None
    last: Screen | None
    now: Screen
    pictures: tuple[Pixels, ...] = ()
    tick: int = 0


@dataclass(frozen=True, slots=True)
class Reflection:
    """What was said of a sub-goal.

    Attributes:
        judgement: "CONTINUE" where the answer could not be read.
        predicament: one of `core.predicaments`, or "".
        environment: where the agent is said to be.
        problems: what of the answer could not be read.
    """

    judgement: Judgement
    predicament: str = ""
    environment: str = ""
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = f"{self.judgement} {self.predicament}".strip()
        return f"{told} ({self.environment})" if self.environment else told


class Reflector:
    """Judges the sub-goals of many rows at once.

    Args:
        backbone: is asked.
        pool: the memory; None: nothing is remembered.
        which: outcomes of the episodes whose cases are looked at.
        sees: whether the requests carry pictures.
    """

    def __init__(
        self,
        backbone: Backbone,
        pool: ExperiencePool | None = None,
        which: Wanted = "both",
        sees: bool = False,
    ) -> None:
        self._backbone = backbone
        self._pool = pool
        self._filters = Filters(which)
        self._sees = sees

    def reflect(self, moments: Sequence[Moment]) -> list[Reflection]:
        """Return what is said of each sub-goal; all of them are asked about at once."""
        if not moments:
            return []
        replies = self._backbone.complete([self.question(moment) for moment in moments])
        return [_read(reply) for reply in replies]

    def question(self, moment: Moment) -> Request:
        """Return what is asked about a moment."""
        cases = self._cases(moment)
        images = self._images(moment, cases) if self._sees else ()
        screens = (moment.before, moment.last, moment.now)
        facts = reflection_facts(moment.subgoal, moment.ticks, screens, cases, len(images))
        text = render("reflect", lines_of(facts))
        return Request("reflect", text, images, facts, moment.row, moment.seed, moment.tick)

    def _cases(self, moment: Moment) -> list[FoundCase]:
        """Return the best cases of each situation."""
        if self._pool is None or self._filters.which == "none":
            return []
        count = 1 if self._sees else CASES
        found = self._pool.cases(
            moment.subgoal, moment.now.vector, count=count, filters=self._filters
        )
        return [case for judgement in JUDGEMENTS for case in found[judgement]]

    def _images(self, moment: Moment, cases: Sequence[FoundCase]) -> tuple[Pixels, ...]:
        """Return the pictures of cases, and those of the moment."""
        if not moment.pictures:
            return ()
        shown = [
            image.picture for found in cases for image in (found.case.before, found.case.present)
        ]
        return (*(unpacked(picture) for picture in shown), *moment.pictures)


def _read(reply: Reply) -> Reflection:
    """Return what an answer says; what cannot be read, or was cut off, lets the sub-goal go on."""
    if reply.cut:
        return Reflection("CONTINUE", problems=("the answer was cut off at its limit of tokens",))
    read = verdict_in(reply.text, PREDICAMENTS)
    judgement: Judgement = read.judgement or "CONTINUE"
    predicament = read.predicament if judgement == "REPLAN" else ""
    return Reflection(judgement, predicament, read.environment, read.problems)
