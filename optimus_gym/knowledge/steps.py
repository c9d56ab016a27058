"""From the search's plan to the requirements that are told: steps, what they use up, amounts."""

from math import ceil

from optimus_gym.game.tags import tag
from optimus_gym.knowledge.fuel import burnt
from optimus_gym.knowledge.options import HEAT, Kinds, Options
from optimus_gym.knowledge.partial import Made, Partial
from optimus_gym.knowledge.policy import COALS, PLANKS
from optimus_gym.knowledge.requirements import Requirements, Step, Use
from optimus_gym.knowledge.search import Search


def told(search: Search, item: str, count: int) -> Requirements:
    """Return the best plan of a search that has found one, as requirements.

    Args:
        search: the search, run.
        item: its goal.
        count: how many of it.
    """
    plan = search.best
    assert plan is not None, "the search has found a plan"
    options = search.options
    made = {key: plan.made[key] for key in search.order if plan.made[key].option.item != HEAT}
    shares, _ = burnt(plan, search.order)
    steps = tuple(_step(plan, options, m, shares.get(key, (0, 0))) for key, m in made.items())
    amounts = dict(plan.taken)
    for entry in made.values():
        name = entry.option.item
        amounts[name] = amounts.get(name, 0) + entry.pieces
    return Requirements(item, count, steps, amounts, plan.cost, search.optimal)


def _step(plan: Partial, options: Options, made: Made, fuel: tuple[int, int]) -> Step:
    source = made.option.source
    assert source is not None, "only burning has no source"
    runs = ceil(made.runs)
    spent = {need.choices: need.count * runs for need in source.needs}
    for name, count in zip((COALS, PLANKS), fuel, strict=True):
        kinds = tag(name)
        if count:
            spent[kinds] = spent.get(kinds, 0) + count
    return Step(
        verb=source.verb,
        item=made.option.item,
        kinds=options.kinds[made.node],
        count=made.pieces,
        batches=made.batches,
        tool=source.tool,
        station=source.station,
        uses=tuple(Use(_used(plan, options, kinds), kinds, n) for kinds, n in spent.items()),
        ticks=made.option.first + made.option.ticks * made.runs,
        holds=source.holds,
        creature=source.creature,
        place=source.place,
    )


def _used(plan: Partial, options: Options, kinds: Kinds) -> str:
    """Return the one of some kinds that a plan makes or takes from the inventory."""
    served = plan.served.get(options.number(kinds), ())
    if served:
        return plan.made[served[0]].option.item
    taken = (name for name in kinds if name in plan.taken)
    return next(taken, None) or options.policy.cheapest(kinds) or kinds[0]
