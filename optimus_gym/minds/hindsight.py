"""Hindsight: the right verdict at each look of a sub-goal, after the sub-goal has ended.

The label of a look is "REPLAN" after the sub-goal's last progress, or from the look on that showed the
predicament in which the sub-goal ended. The agent itself could know both: it sees inventory and vitals.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.predicaments import A_BLOW, LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.situation import Vitals
from optimus_gym.core.types import RECOVER, SubGoal

FULL_AIR: Final = Vitals().air
"""Ticks of air of a player whose head is above the water."""
GRACE: Final = 200
"""Ticks without progress, at most half of the sub-goal's, for which going on is right: our choice."""
STUCK: Final = "stuck"
"""The predicament of a sub-goal that ends without one that shows."""
VITALS_SHOW: Final = ("in_water", "hurt", "hungry", "danger")
"""Predicaments that vitals show, the most pressing first."""
WORLD_SHOWS: Final = ("in_water", "danger", "drop_down", "night")
"""Predicaments that count where a world tells them, the most pressing first."""
MAKING: Final = ("craft", "smelt")
"""Verbs whose ingredients are used up."""
HEALING: Final[Mapping[str, str]] = {"hurt": "health", "hungry": "food", "in_water": "air"}
"""For each predicament, the vital that rises while a sub-goal recovers from it."""


class Look(NamedTuple):
    """The agent's knowledge of a sub-goal at one tick.

    Attributes:
        tick: the episode's tick.
        gained: pieces held more than at the sub-goal's beginning, by item.
        used: pieces held less than at the sub-goal's beginning, by item.
        vitals: health and the like.
        told: predicaments that the world tells (`core.predicaments.SEEN_BY_WORLD`); empty without a world.
    """

    tick: int
    gained: Mapping[str, int] = {}
    used: Mapping[str, int] = {}
    vitals: Vitals = Vitals()
    told: frozenset[str] = frozenset()


class Label(NamedTuple):
    """The right verdict at a look.

    Attributes:
        judgement: the right word.
        predicament: what is wrong, by name (`core.predicaments.PREDICAMENTS`); "" without "REPLAN".
    """

    judgement: Judgement
    predicament: str = ""


def labels_of(
    subgoal: SubGoal, looks: Sequence[Look], failed: bool, counts_night: bool = False
) -> list[Label]:
    """Return the label of each look of a sub-goal that has ended.

    Args:
        subgoal: what was pursued.
        looks: in order, at least one. The first look shows the sub-goal's beginning, the last look its end.
        failed: whether the sub-goal failed or was given up for another plan.
        counts_night: whether a night that the world tells (`Look.told`) is a predicament.
    """
    if not failed:
        return [Label("CONTINUE")] * (len(looks) - 1) + [Label("COMPLETE")]
    shown = [_shown(subgoal, looks[0], look, counts_night) for look in looks]
    lasting, since = _lasting(shown)
    last = _last_progress(subgoal, looks)
    if last is None:
        since = min(since or len(looks), _after_grace(looks))
    elif since == 0:  # the sub-goal got on in spite of what it began in
        since = last + 1
    else:
        since = min(since, last + 1)
    since = min(since, len(looks) - 1)
    named = [_named(subgoal, one, lasting) for one in shown]
    return [Label("CONTINUE")] * since + [Label("REPLAN", name) for name in named[since:]]


def _shown(subgoal: SubGoal, first: Look, look: Look, counts_night: bool) -> tuple[str, ...]:
    """Return the predicaments that a look shows, the most pressing first.

    A sub-goal that recovers begins in its predicament: such a look shows nothing new.
    """
    if subgoal.verb == RECOVER:
        return ()
    told = [name for name in WORLD_SHOWS if name in look.told]
    if not counts_night:
        told = [name for name in told if name != "night"]
    vitals = look.vitals
    shows = {
        "in_water": vitals.air < FULL_AIR,
        "hurt": vitals.health <= LOW_HEALTH,
        "hungry": vitals.food <= LITTLE_FOOD,
        "danger": first.vitals.health - vitals.health >= A_BLOW,
    }
    return tuple(dict.fromkeys([*told, *(name for name in VITALS_SHOW if shows[name])]))


def _lasting(shown: Sequence[tuple[str, ...]]) -> tuple[str, int]:
    """Return the predicament at the end ("" for none), and the first look from which it lasted."""
    if not shown[-1]:
        return "", len(shown)
    lasting = shown[-1][0]
    since = len(shown) - 1
    while since > 0 and lasting in shown[since - 1]:
        since -= 1
    return lasting, since


def _last_progress(subgoal: SubGoal, looks: Sequence[Look]) -> int | None:
    """Return the number of the last look that showed progress, None if none did."""
    best: dict[str, float] = _counted(subgoal, looks[0])
    last = None
    for k, look in enumerate(looks[1:], 1):
        counted = _counted(subgoal, look)
        if any(count > best.get(name, 0) for name, count in counted.items()):
            last = k
        best |= {name: max(count, best.get(name, 0)) for name, count in counted.items()}
    return last


def _counted(subgoal: SubGoal, look: Look) -> dict[str, float]:
    """Return the numbers that rise with a sub-goal's progress, by name.

    Mining digs through other blocks on the way: every piece counts.
    """
    if subgoal.verb == RECOVER:
        vital = HEALING.get(subgoal.item)
        return {} if vital is None else {vital: getattr(look.vitals, vital)}
    mines = subgoal.verb == "mine"
    counted: dict[str, float] = {
        name: count for name, count in look.gained.items() if mines or name in subgoal.kinds
    }
    if subgoal.verb in MAKING:
        counted |= {f"used {name}": count for name, count in look.used.items()}
    return counted


def _after_grace(looks: Sequence[Look]) -> int:
    """Return the number of the first look from which a sub-goal without progress ought to be called off."""
    begun, ended = looks[0].tick, looks[-1].tick
    end_of_grace = begun + min(GRACE, (ended - begun) / 2)
    return next(k for k, look in enumerate(looks) if look.tick >= end_of_grace)


def _named(subgoal: SubGoal, shown: Sequence[str], lasting: str) -> str:
    """Return the predicament of a look that ought to have been "REPLAN"."""
    if subgoal.verb == RECOVER:
        return subgoal.item
    if lasting in shown:
        return lasting
    return shown[0] if shown else STUCK
