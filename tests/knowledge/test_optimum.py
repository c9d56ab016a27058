"""The search agrees with brute force over every reachable inventory, cheapest first."""

from heapq import heappop, heappush

from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.game.sources import Need, Source
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph

PARTS = ("dirt", "sand", "glass", "brick", "clay")
NAMES = (*PARTS, "crafting_table", "wooden_pickaxe")
PLACE = {name: place for place, name in enumerate(NAMES)}
MOST_STATES = 6_000


@st.composite
def sources(draw, product):
    verb = draw(st.sampled_from(("mine", "grow", "craft", "craft")))
    ticks, first = draw(st.integers(1, 9)), draw(st.sampled_from((0, 3, 20)))
    held = draw(st.sampled_from(((), (), (), *((name,) for name in PARTS))))
    tool = draw(st.sampled_from((None, None, None, "wooden_pickaxe")))
    if verb == "mine":  # a first piece is often expensive, like a potato from a zombie
        ticks *= draw(st.sampled_from((1, 1, 5)))
        return Source("mine", product, 1, ticks=ticks, first=first, tool=tool, holds=held)
    if verb == "grow":  # a crop that multiplies itself
        return Source("grow", product, 1, ticks=ticks, first=first, tool=tool, holds=(product,))
    parts = st.sampled_from([name for name in PARTS if name != product])
    others = st.lists(parts, min_size=1, max_size=2, unique=True).map(tuple)
    needs = draw(st.lists(st.builds(Need, others, st.integers(1, 3)), min_size=1, max_size=2))
    station = draw(st.sampled_from((None, None, "crafting_table")))
    if any(name in need.choices for name in held for need in needs):
        held = ()
    yields = draw(st.integers(1, 4))
    return Source("craft", product, yields, tuple(needs), station=station, ticks=ticks, holds=held)


systems = st.lists(st.sampled_from(NAMES), min_size=4, max_size=9).flatmap(
    lambda products: st.tuples(*(sources(product) for product in products))
)
inventories = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3), max_size=2)


def consumed(counts, needs):
    """Yield every inventory that remains after the needs are taken, in any mixture of kinds."""
    if not needs:
        yield counts
        return
    (choices, missing), *rest = needs
    if missing == 0:
        yield from consumed(counts, rest)
        return
    for name in choices:
        place = PLACE[name]
        if counts[place]:
            left = (*counts[:place], counts[place] - 1, *counts[place + 1 :])
            yield from consumed(left, [(choices, missing - 1), *rest])


def given_to(counts, name, pieces):
    place = PLACE[name]
    return (*counts[:place], counts[place] + pieces, *counts[place + 1 :])


def cheapest(system, item, count, inventory, limit):
    """Return the fewest ticks in which `count` of `item` can be held, if below `limit`; else None.

    Also return None after MOST_STATES inventories.
    """
    start = tuple(inventory.get(name, 0) for name in NAMES), frozenset()
    heap, seen, number = [(0.0, 0, start)], set(), 0
    while heap and len(seen) < MOST_STATES:
        ticks, _, (counts, searched) = heappop(heap)
        if (counts, searched) in seen:
            continue
        seen.add((counts, searched))
        if counts[PLACE[item]] >= count:
            return ticks
        for k, source in enumerate(system):
            spent = ticks + source.ticks + (0 if k in searched else source.first)
            held = [name for name in (*source.holds, source.station, source.tool) if name]
            if spent >= limit - 1e-6:
                continue
            for left in set(consumed(counts, [(n.choices, n.count) for n in source.needs])):
                if not all(left[PLACE[name]] for name in held):
                    continue
                got = given_to(left, source.product, int(source.yields))
                number += 1
                heappush(heap, (spent, number, (got, searched | {k} if source.first else searched)))
    return None


def carried_out(found, inventory):
    """Return the inventories that the steps may leave; empty if a step finds too little."""
    states = {tuple(inventory.get(name, 0) for name in NAMES)}
    for step in found.steps:
        held = [name for name in (*step.holds, step.station, step.tool) if name]
        assert all(use.item in use.kinds for use in step.uses)
        states = {
            given_to(left, step.item, step.count)
            for counts in states
            if all(counts[PLACE[name]] for name in held)
            for left in consumed(counts, [(use.kinds, use.count) for use in step.uses])
        }
    return states


def compared(system, item, count, inventory):
    """Compare a plan with brute force; return whether it was proved, or None without a plan or steps."""
    try:
        found = KnowledgeGraph(system).requirements(item, count, inventory)
    except Unobtainable:
        if not inventory and not any(source.holds for source in system):
            assert cheapest(system, item, count, inventory, 300) is None
        return None
    assert any(held[PLACE[item]] >= count for held in carried_out(found, inventory))
    if found.optimal and found.steps:
        better = cheapest(system, item, count, inventory, found.ticks)
        assert better is None, (better, found)
    return found.optimal if found.steps else None


def test_brute_force_finds_no_cheaper_plan_than_a_proved_plan():
    proofs = []

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(systems, st.integers(1, 5), inventories)
    def compare(system, count, inventory):
        for item in dict.fromkeys(source.product for source in system[:3]):
            proofs.append(compared(system, item, count, inventory))

    compare()
    plans = [proof for proof in proofs if proof is not None]
    assert len(plans) > 150
    assert sum(plans) > 0.7 * len(plans)
