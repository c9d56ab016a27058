"""The search against brute force: every inventory that can be reached, cheapest first."""

from heapq import heappop, heappush

from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.game.sources import Need, Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.policy import Unobtainable

PARTS = ("dirt", "sand", "glass", "brick", "clay")
NAMES = (*PARTS, "crafting_table")
MOST_STATES = 20_000


@st.composite
def sources(draw, product):
    verb = draw(st.sampled_from(("mine", "craft", "craft")))
    ticks = draw(st.integers(1, 9))
    if verb == "mine":
        return Source("mine", product, 1, ticks=ticks, first=draw(st.sampled_from((0, 3, 20))))
    parts = st.sampled_from([name for name in PARTS if name != product])
    others = st.lists(parts, min_size=1, max_size=2, unique=True).map(tuple)
    needs = draw(st.lists(st.builds(Need, others, st.integers(1, 3)), min_size=1, max_size=2))
    station = draw(st.sampled_from((None, None, "crafting_table")))
    yields = draw(st.integers(1, 4))
    return Source("craft", product, yields, tuple(needs), station=station, ticks=ticks)


systems = st.lists(st.sampled_from(NAMES), min_size=4, max_size=9).flatmap(
    lambda products: st.tuples(*(sources(product) for product in products))
)
inventories = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3), max_size=2)


def consumed(counts, needs):
    """Every inventory that is left when the needs are taken from one, in any mixture of kinds."""
    if not needs:
        yield counts
        return
    (choices, missing), *rest = needs
    if missing == 0:
        yield from consumed(counts, rest)
        return
    for name in choices:
        place = NAMES.index(name)
        if counts[place]:
            left = (*counts[:place], counts[place] - 1, *counts[place + 1 :])
            yield from consumed(left, [(choices, missing - 1), *rest])


def cheapest(system, item, count, inventory, limit):
    """The fewest ticks in which `count` of `item` can be held, if below `limit`; else None.

    Gives up, with None as well, after MOST_STATES inventories.
    """
    goal = NAMES.index(item)
    start = tuple(inventory.get(name, 0) for name in NAMES), frozenset()
    heap, seen, number = [(0.0, 0, start)], set(), 0
    while heap and len(seen) < MOST_STATES:
        ticks, _, (counts, searched) = heappop(heap)
        if (counts, searched) in seen:
            continue
        seen.add((counts, searched))
        if counts[goal] >= count:
            return ticks
        for k, source in enumerate(system):
            spent = ticks + source.ticks + (0 if k in searched else source.first)
            if spent >= limit - 1e-6:
                continue
            place = NAMES.index(source.product)
            for left in set(consumed(counts, [(n.choices, n.count) for n in source.needs])):
                if source.station and not left[NAMES.index(source.station)]:
                    continue
                got = (*left[:place], left[place] + int(source.yields), *left[place + 1 :])
                number += 1
                heappush(heap, (spent, number, (got, searched | {k} if source.first else searched)))
    return None


def carried_out(found, inventory):
    """The inventory after all steps; fails where one finds too little."""
    held = dict.fromkeys(NAMES, 0) | inventory
    for step in found.steps:
        for use in step.uses:
            missing = use.count
            assert use.item in use.kinds
            for name in (use.item, *use.kinds):
                taken = min(missing, held[name])
                held[name] -= taken
                missing -= taken
            assert missing == 0, (step, held)
        assert step.station is None or held[step.station] > 0, (step, held)
        held[step.item] += step.count
    return held


def test_no_plan_is_cheaper_than_one_that_is_proved():
    proofs = []

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(systems, st.integers(1, 4), inventories)
    def compare(system, count, inventory):
        item = system[0].product
        try:
            found = KnowledgeGraph(system).requirements(item, count, inventory)
        except Unobtainable:
            if not inventory:
                assert cheapest(system, item, count, inventory, 300) is None
            return
        assert carried_out(found, inventory)[item] >= count
        if found.steps:
            proofs.append(found.optimal)
            if found.optimal:
                better = cheapest(system, item, count, inventory, found.ticks)
                assert better is None, (better, found)

    compare()
    assert len(proofs) > 80
    assert sum(proofs) > 0.7 * len(proofs)
