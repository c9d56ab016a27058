"""Turns the plan that a search has found into requirements: steps, pieces used up, amounts of items."""

from collections.abc import Mapping
from math import ceil

from optimus_gym.game.sources import Source
from optimus_gym.game.tags import tag
from optimus_gym.knowledge.cheapest import COALS, PLANKS
from optimus_gym.knowledge.fuel import burnt
from optimus_gym.knowledge.partial import Made, Partial
from optimus_gym.knowledge.requirements import Requirements, Step, Use
from optimus_gym.knowledge.search import Search
from optimus_gym.knowledge.search_options import HEAT, Kinds, Option, Options

ChosenSources = Mapping[int, Source]
"""The source that a plan takes for each option, by the option's key: an option may join several sources."""


def requirements_of(search: Search, item: str, count: int) -> Requirements:
    """Return the best plan that a search has found, as requirements.

    Args:
        search: a search that has run and has found a plan.
        item: the search's goal.
        count: how many pieces of the goal.
    """
    plan = search.best
    assert plan is not None, "the search has found a plan"
    options = search.options
    ways: dict[int, Source] = {}
    for key in search.order:
        option = plan.made[key].option
        if option.item != HEAT:
            ways[key] = _way(plan, options, ways, option)
    shares, _ = burnt(plan, search.order)
    steps = tuple(
        _step(plan, options, ways, plan.made[key], shares.get(key, (0, 0))) for key in ways
    )
    amounts = dict(plan.taken)
    for key, way in ways.items():
        amounts[way.product] = amounts.get(way.product, 0) + plan.made[key].pieces
    return Requirements(item, count, steps, amounts, plan.cost, search.optimal)


def _way(plan: Partial, options: Options, ways: ChosenSources, option: Option) -> Source:
    """Return the way of an option (equal ways joined) whose ingredients are held or made by the plan."""
    used = [_used(plan, options, ways, option, options.kinds[need]) for need, _ in option.needs]
    alike = options.joined(option)
    fitting = (
        source
        for source in alike
        if all(name in need.choices for name, need in zip(used, source.needs, strict=False))
    )
    return next(fitting, alike[0])


def _step(
    plan: Partial, options: Options, ways: ChosenSources, made: Made, fuel: tuple[int, int]
) -> Step:
    option = made.option
    way, source = ways[option.key], option.source
    assert source is not None, "only burning has no source"
    runs = ceil(made.runs)
    spent = {need.choices: need.count * runs for need in source.needs}
    for name, count in zip((COALS, PLANKS), fuel, strict=True):
        kinds = tag(name)
        if count:
            spent[kinds] = spent.get(kinds, 0) + count
    return Step(
        verb=source.verb,
        item=way.product,
        kinds=options.kinds[made.node],
        count=made.pieces,
        batches=made.batches,
        tool=source.tool,
        station=source.station,
        uses=tuple(
            Use(_used(plan, options, ways, option, kinds), kinds, n) for kinds, n in spent.items()
        ),
        ticks=option.first + option.ticks * made.runs,
        holds=source.holds,
        creature=source.creature,
        place=source.place,
    )


def _used(plan: Partial, options: Options, ways: ChosenSources, user: Option, kinds: Kinds) -> str:
    """Return the item, one of `kinds`, that a plan makes for an option or takes from the inventory."""
    made = plan.served.get(options.number(kinds), ())
    for key in made:
        if key in ways and plan.above[key] & user.bit:
            return ways[key].product
    taken = next((name for name in kinds if name in plan.taken), None)
    return taken or options.policy.cheapest(kinds) or kinds[0]
