"""What a request for a reflection says, as plain values (`prompts.lines` makes them its text)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.memory.pool import FoundCase
from optimus_gym.vision.screen import Screen

SITUATIONS: Final[Mapping[Judgement, str]] = {
    "COMPLETE": "done",
    "CONTINUE": "continue",
    "REPLAN": "replan",
}
"""The words of Optimus-1's prompt (appendix E.4, listing 2)."""
NOT_SEEN: Final = "not seen"
TICKS_A_SECOND: Final = 20


def reflection_facts(
    subgoal: str,
    ticks: int,
    screens: tuple[Screen | None, Screen | None, Screen],
    cases: Sequence[FoundCase],
    pictures: int,
) -> dict[str, Any]:
    """Return what is known of a sub-goal that is being carried out.

    Args:
        subgoal: its text.
        ticks: since it began.
        screens: before it, at the last look, and now; None where nobody looked.
        cases: that are like it, best first.
        pictures: how many go with the request: those of cases, two each, and the two screens.
    """
    before, last, now = screens
    return {
        "subgoal": " ".join(subgoal.split()),
        "seconds": ticks // TICKS_A_SECOND,
        "predicaments": tuple(PREDICAMENTS),
        "cases": tuple(_case(found) for found in cases),
        "before": {} if before is None else before.words,
        "now": now.words,
        "alike_before": _alike(before, now),
        "alike_last": _alike(last, now),
        "pictures": _told_pictures(pictures),
    }


def _case(found: FoundCase) -> dict[str, str]:
    case = found.case
    return {
        "situation": SITUATIONS[case.label],
        "likeness": f"{min(found.sight, 1.0):.5f}",  # kept vectors are rounded
        "environment": case.environment.replace(",", " "),
        "predicament": " ".join(case.predicament.split()),
    }


def _alike(one: Screen | None, other: Screen) -> str:
    return NOT_SEEN if one is None else f"{float(one.vector @ other.vector):.5f}"


def _told_pictures(count: int) -> str:
    if not count:
        return "There are no pictures."
    return (
        f"The pictures: of each of the {count // 2 - 1} cases above, in their order, the screen before its "
        f"sub-goal and the screen then; at last the screen before this sub-goal and the screen now."
    )
