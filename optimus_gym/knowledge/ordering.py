"""The order of a plan's steps: crafting and smelting on the spot come before a walk to gather."""

from optimus_gym.core.errors import BadValue
from optimus_gym.game.tools import tools
from optimus_gym.knowledge.partial import Partial
from optimus_gym.knowledge.search_options import Option, Options

BURN, CRAFT, CRAFT_AT_STATION, SMELT, GO = range(5)
"""Kinds of a plan's steps; of steps that can be done next, the first kind in this order is done first."""


class Circular(BadValue):
    """The steps of a plan wait for one another: for instance, charcoal needs charcoal as its own fuel."""


def in_order(plan: Partial, options: Options) -> tuple[int, ...]:
    """Return the keys of a plan's options (its steps), each after the options that it rests on.

    Among options that can be done next, crafting comes first, then smelting, then walks, so that a station
    placed once serves as many steps as it can. Gathering with a weaker tool comes before gathering with a
    better one; with equally good tools, the shorter search comes first. An option that uses up a tool or
    station comes after the options that need the tool or station held. An option that uses up any of several
    kinds (any planks) comes, if possible, before an option that makes one of these kinds (oak planks) for
    another step.

    Raises:
        Circular: steps wait for one another, or a sown item has no first piece.
    """
    waits, wishes = _waits(plan, options), _wishes(plan, options)
    rank = {key: place for place, key in enumerate(reversed(plan.made))}
    priority = {key: (*_priority(plan.made[key].option), rank[key]) for key in plan.made}
    order: list[int] = []
    done: set[int] = set()
    waiting = sorted(plan.made, key=priority.__getitem__)
    while waiting:
        able = [key for key in waiting if waits[key] <= done]
        if not able:
            raise Circular(
                "plan: expected steps without a cycle, got steps that wait for one another"
            )
        ready = next((key for key in able if wishes[key] <= done), able[0])
        order.append(ready)
        done.add(ready)
        waiting.remove(ready)
    return tuple(order)


def _waits(plan: Partial, options: Options) -> dict[int, set[int]]:
    """Return for each option of a plan, by key, the options that must be done before it.

    Raises:
        Circular: a sown item has no first piece.
    """
    waits: dict[int, set[int]] = {}
    holders: dict[str, set[int]] = {}
    for key, made in plan.made.items():
        option = made.option
        before = {other for other, above in plan.above.items() if above & option.bit}
        for name in option.once_held:
            before.update(plan.served.get(options.one(name), ()))
            holders.setdefault(name, set()).add(key)
        if option.sown:
            before |= _seeds(plan, option)
        waits[key] = before - {key}
    for key, made in plan.made.items():
        for need, _ in made.option.needs:
            for name in options.kinds[need]:
                waits[key] |= holders.get(name, set()) - {key}
    return waits


def _wishes(plan: Partial, options: Options) -> dict[int, set[int]]:
    """Return for each option the options that, if done after it, might use up its product."""
    wishes: dict[int, set[int]] = {key: set() for key in plan.made}
    wanted = {key: m.option.item for key, m in plan.made.items() if m.option.node in plan.passed}
    for taker, made in plan.made.items():
        for need, _ in made.option.needs:
            kinds = options.kinds[need]
            for key, item in wanted.items() if len(kinds) > 1 else ():
                if item in kinds and not plan.above[key] & made.option.bit:
                    wishes[key].add(taker)
    return wishes


def _seeds(plan: Partial, sown: Option) -> set[int]:
    """Return the options that give the first piece to sow; empty if the player held a piece at the start."""
    options = ((key, made.option) for key, made in plan.made.items())
    seeds = {key for key, option in options if option.item == sown.item and not option.sown}
    if not seeds and sown.item not in {*plan.held, *plan.taken}:
        raise Circular(f"plan: expected a first {sown.item} to sow, got only steps that sow it")
    return seeds


def _priority(option: Option) -> tuple[int, int, float]:
    source = option.source
    if source is None:
        return BURN, 0, 0.0
    if source.verb == "craft":
        return (CRAFT if source.station is None else CRAFT_AT_STATION), 0, 0.0
    if source.verb == "smelt":
        return SMELT, 0, 0.0
    tier = tools()[source.tool].tier if source.tool else 0
    return GO, tier, source.first
