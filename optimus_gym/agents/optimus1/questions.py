"""Requests of Optimus-1 to its backbone: for plans (section 2.2) and verdicts (appendix E.4, listing 2)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Request, picture_mark
from optimus_gym.core.types import TICKS_A_SECOND
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.pool import FoundCase
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.facts import (
    NO_PICTURES,
    in_a_line,
    setback_facts,
    situation_facts,
    step_facts,
)
from optimus_gym.minds.open_needs import Needed
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.recall import Lessons
from optimus_gym.minds.reflecting import Moment
from optimus_gym.prompts.lines import NOTHING, UNKNOWN, lines_of
from optimus_gym.prompts.template import render
from optimus_gym.vision.change import Change
from optimus_gym.vision.screen import NOT_SEEN, came

_PROMPTS: Final = "optimus_gym.agents.optimus1.prompts"
CASE_NAMES: Final[Mapping[Judgement, str]] = {
    "COMPLETE": "done",
    "CONTINUE": "continue",
    "REPLAN": "replan",
}
"""The word for each judgement in Optimus-1's prompt (appendix E.4, listing 2)."""
LEAST_PERCENT: Final = 0.001
"""Difference of two pictures' vectors, in percent, below which a request says 0: stored vectors are
rounded."""
_Pixels = NDArray[np.uint8]


def plan_question(
    ask: Ask, seen: Seen, lessons: Lessons, needed: Needed | None, verbs: Sequence[str], sees: bool
) -> Request:
    """Return the request that asks the backbone for a plan.

    Args:
        ask: the row's situation and goal, and the setback that makes a new plan necessary.
        seen: the contents of the row's screen.
        lessons: remembered episodes with similar tasks and similar setbacks.
        needed: the steps that the knowledge graph requires; None: the request does not mention the graph.
        verbs: verbs that a plan may use.
        sees: whether the request carries the picture.
    """
    situation = ask.situation
    images = (seen.picture.look(),) if sees and seen.picture is not None else ()
    facts: dict[str, Any] = {
        **situation_facts(situation),
        "screen": dict(seen.words),
        "biome": UNKNOWN if situation.biome is None else in_a_line(situation.biome),
        "pictures": f"the screen now {picture_mark(1)}" if images else NO_PICTURES,
        "vain": ask.vain,
        "verbs": tuple(verbs),
        "experiences": lessons.experiences,
    }
    kind = "plan"
    if ask.setback is not None:
        kind, facts = "replan", facts | setback_facts(ask.setback) | {"replans": lessons.replans}
    if needed is not None:
        steps = needed.steps
        facts |= {
            "steps": step_facts(steps),
            "takes": UNKNOWN if steps is None else str(round(steps.ticks / TICKS_A_SECOND)),
            "unknown": in_a_line(needed.unknown) or NOTHING,
        }
    text = render(_PROMPTS, kind if needed is not None else f"{kind}_unaided", lines_of(facts))
    return Request(kind, text, images, situation.row, situation.seed, situation.tick)


def reflection_question(moment: Moment, sees: bool) -> Request:
    """Return the request that asks the backbone for a verdict on a sub-goal.

    Args:
        moment: the sub-goal at this tick, with its screens and similar cases.
        sees: whether the request carries pictures: two of each similar case (a remembered reflection), the
            frame before the sub-goal, and the frame now.
    """
    images = _pictures(moment) if sees else ()
    before, last, now = (
        None if one is None else one.screen for one in (moment.before, moment.last, moment.now)
    )
    assert now is not None, "a moment is seen"
    cases = tuple(_case(found) for found in moment.cases)
    facts = {
        "subgoal": in_a_line(moment.subgoal),
        "seconds": moment.ticks // TICKS_A_SECOND,
        "predicaments": tuple(PREDICAMENTS),
        "cases": cases,
        "before": {} if before is None else before.words,
        "now": now.words,
        "usual": UNKNOWN if moment.usual is None else str(round(moment.usual / TICKS_A_SECOND)),
        "came": {} if last is None else came(last, now),
        "changed_before": NOT_SEEN if before is None else _change(before.vector, now.vector),
        "changed_last": NOT_SEEN if last is None else _change(last.vector, now.vector),
        "used": {} if before is None else came(now, before),
        "changed_second": NOT_SEEN if moment.change is None else _second(moment.change),
        "still": moment.still // TICKS_A_SECOND,
        "pictures": _told_pictures(cases) if images else NO_PICTURES,
    }
    text = render(_PROMPTS, "reflect", lines_of(facts))
    return Request("reflect", text, images, moment.row, moment.seed, moment.tick)


def _pictures(moment: Moment) -> tuple[_Pixels, ...]:
    """Return two pictures of each remembered case, then the frames before the sub-goal and now.

    The tuple is empty if the frame before the sub-goal or the frame now is missing.
    """
    if moment.before is None or moment.before.picture is None or moment.now.picture is None:
        return ()
    cases = (image for found in moment.cases for image in (found.case.before, found.case.present))
    shown = (unpacked(image.picture) for image in cases)
    return (*shown, moment.before.picture.look(), moment.now.picture.look())


def _case(found: FoundCase) -> dict[str, str]:
    case = found.case
    return {
        "situation": CASE_NAMES[case.label],
        "differs": _percent(1.0 - found.sight),
        "environment": case.environment.replace(",", " "),
        "predicament": in_a_line(case.predicament),
    }


def _change(one: NDArray[np.float32], other: NDArray[np.float32]) -> str:
    return f"{_percent(1.0 - float(one @ other))} %"


def _second(change: Change) -> str:
    return f"{_percent(change.whole)} %, of its middle {_percent(change.middle)} %"


def _percent(share: float) -> str:
    """Return a share in percent, with two significant digits.

    >>> _percent(0.00471), _percent(0.213), _percent(-1e-9)
    ('0.47', '21', '0')
    """
    percent = 100.0 * share
    if percent < LEAST_PERCENT:
        return "0"
    return f"{percent:.2g}" if percent < 10 else f"{percent:.0f}"


def _told_pictures(cases: Sequence[Mapping[str, str]]) -> str:
    """Return the line that names a request's pictures by number: two of each remembered case, two frames.

    >>> _told_pictures([{"situation": "done"}]).split("; ")[0]
    'before the sub-goal of case 1 (done) [picture 1], then [picture 2]'
    """
    named = [
        f"before the sub-goal of case {number} ({case['situation']}) "
        f"{picture_mark(2 * number - 1)}, then {picture_mark(2 * number)}"
        for number, case in enumerate(cases, 1)
    ]
    last = 2 * len(cases) + 2
    screens = [
        f"the screen before {picture_mark(last - 1)}",
        f"the screen now {picture_mark(last)}",
    ]
    return "; ".join([*named, *screens])
