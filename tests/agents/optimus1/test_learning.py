"""Optimus-1 learns ways to items at an episode's end and writes them into the memory folder."""

import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.graph_folder import GRAPH_FILE, read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay
from optimus_gym.knowledge.outcomes import learn_from
from optimus_gym.testing.situations import attached, finished_record, outcome, situation
from tests.envs.conftest import make

LOGS = outcome(
    0,
    SubGoal("mine", "oak_log", 3, ("oak_log", "birch_log")),
    gained={"oak_log": 2, "birch_log": 1, "oak_sapling": 1},
    consumed={"apple": 1},
    ticks=300,
)
PLANKS = outcome(
    0, SubGoal("craft", "oak_planks", 8), gained={"oak_planks": 8}, consumed={"oak_log": 2},
    batches=2, ticks=4,
)  # fmt: skip
IRON = outcome(
    0, SubGoal("smelt", "iron_ingot", 3, station="furnace"), gained={"iron_ingot": 3},
    consumed={"iron_ore": 3, "coal": 1, "bread": 1}, batches=3, ticks=620,
)  # fmt: skip


def learner(folder, learn=True):
    return attached(Optimus1(), knowledge=read_knowledge(folder), memory=folder, learn=learn)


def ways(graph):
    return {(source.verb, source.product) for source in graph.sources}


def test_ways_that_worked_are_stored_and_used_in_plans(tmp_path):
    folder = tmp_path / "memory"
    agent = learner(folder)
    goal = situation(SubGoal("craft", "oak_planks", 4))
    agent.begin_episodes([goal])
    unknown = agent.decide([goal])[0]
    assert [str(step) for step in unknown.plan] == ["craft 4 oak_planks"]
    assert unknown.planned_by == "backbone"
    agent.finish([finished_record(0, LOGS, PLANKS, IRON)])
    assert ways(read_knowledge(folder)) == {
        ("mine", "oak_log"), ("craft", "oak_planks"), ("smelt", "iron_ingot")
    }  # fmt: skip
    agent.begin_episodes([goal])
    assert [str(s) for s in agent.decide([goal])[0].plan] == [
        "mine 1 oak_log",
        "craft 4 oak_planks",
    ]
    later = learner(folder)
    later.begin_episodes([goal])
    assert later.decide([goal])[0].plan == agent.decide([goal])[0].plan


def test_a_learned_way_has_the_right_counts_station_and_needs(tmp_path):
    learner(tmp_path).finish([finished_record(0, LOGS, PLANKS, IRON)])
    logs, planks, iron = read_knowledge(tmp_path).sources
    assert (logs.needs, logs.yields, logs.ticks) == ((), 1, 100)
    assert (planks.yields, planks.needs[0].count, planks.ticks) == (4, 1, 2)
    assert (iron.station, [need.choices for need in iron.needs]) == ("furnace", [("iron_ore",)])


def test_without_learning_nothing_is_written(tmp_path):
    agent = learner(tmp_path, learn=False)
    agent.finish([finished_record(0, LOGS, PLANKS)])
    assert list(tmp_path.iterdir()) == []
    goal = situation(SubGoal("craft", "oak_planks", 4))
    agent.begin_episodes([goal])
    assert [str(step) for step in agent.decide([goal])[0].plan] == ["craft 4 oak_planks"]


def test_learning_needs_a_folder():
    with pytest.raises(BadValue, match="learn: expected a memory folder"):
        attached(Optimus1(), learn=True)


FAILED = outcome(0, LOGS.subgoal, "failed", Failure("timeout"), gained={"oak_log": 2})
CALLED = outcome(0, LOGS.subgoal, "complete", gained={"oak_log": 2})
PLACED = outcome(0, SubGoal("place", "crafting_table"), consumed={"crafting_table": 1})
COW = outcome(0, SubGoal("find", "cow"))
FREE = outcome(0, SubGoal("craft", "stick", 4), gained={"stick": 4}, batches=1)
ODD = outcome(
    0, SubGoal("craft", "stick", 8), gained={"stick": 8}, consumed={"oak_planks": 3}, batches=2
)
MIXED = outcome(
    0, SubGoal("craft", "oak_planks", 8, ("oak_planks", "birch_planks")),
    gained={"oak_planks": 4, "birch_planks": 4}, consumed={"oak_log": 1, "birch_log": 1},
)  # fmt: skip
EITHER = outcome(
    0, SubGoal("smelt", "iron_ingot"), gained={"iron_ingot": 1}, batches=1,
    consumed={"iron_ore": 1, "bread": 1, "coal": 1},
)  # fmt: skip


@pytest.mark.parametrize("shown", [FAILED, CALLED, PLACED, COW, FREE, ODD, MIXED, EITHER])
def test_outcomes_that_prove_no_way_are_ignored(tmp_path, shown):
    learner(tmp_path).finish([finished_record(0, shown)])
    assert list(tmp_path.iterdir()) == []


COOKED_IN = outcome(
    0, SubGoal("smelt", "iron_ingot", station="furnace"), gained={"iron_ingot": 1}, batches=1,
    consumed={"iron_ore": 1, "coal": 1, "furnace": 1},
)  # fmt: skip
PILLARED = outcome(0, SubGoal("mine", "coal"), gained={"coal": 1}, consumed={"dirt": 2})
TAKEN_ALONG = outcome(0, SubGoal("find", "cow"), gained={"crafting_table": 1})
ATE = outcome(0, SubGoal("find", "cow"), consumed={"apple": 2})
CRAFTED = outcome(
    0, SubGoal("craft", "stick", 4), gained={"stick": 4}, consumed={"oak_planks": 2}, batches=1
)


def mined(name, count=1):
    return outcome(0, SubGoal("mine", name, count), gained={name: count})


@pytest.mark.parametrize(
    ("before", "taken", "learns"),
    [
        ((), mined("crafting_table"), True),
        ((PLACED,), mined("crafting_table"), False),
        ((PLACED, PLACED), mined("crafting_table", 2), False),
        ((PLACED,), mined("crafting_table", 2), True),
        ((PLACED, TAKEN_ALONG), mined("crafting_table"), True),
        ((COOKED_IN,), mined("furnace"), False),
        ((PILLARED,), mined("dirt", 2), False),
        ((PILLARED,), mined("dirt", 3), True),
        ((ATE,), mined("apple", 2), True),
        ((CRAFTED,), mined("oak_planks", 2), True),
    ],
)
def test_taking_back_a_placed_block_is_not_learned_as_a_way(tmp_path, before, taken, learns):
    learner(tmp_path).finish([finished_record(0, *before, taken)])
    way = ("mine", taken.subgoal.item)
    assert (way in ways(read_knowledge(tmp_path))) == learns


def test_a_block_from_another_episode_is_learned_as_a_find(tmp_path):
    learner(tmp_path).finish(
        [finished_record(0, PLACED), finished_record(1, mined("crafting_table"))]
    )
    assert ways(read_knowledge(tmp_path)) == {("mine", "crafting_table")}


def test_a_placed_kind_does_not_hide_the_other_kinds(tmp_path):
    log = SubGoal("mine", "oak_log", 3, ("oak_log", "birch_log"))
    placed = outcome(0, SubGoal("place", "birch_log", 2), consumed={"birch_log": 2})
    both = outcome(0, log, gained={"oak_log": 1, "birch_log": 2})
    learner(tmp_path).finish([finished_record(0, placed, both)])
    assert ways(read_knowledge(tmp_path)) == {("mine", "oak_log")}


CHARCOAL = outcome(
    0, SubGoal("smelt", "charcoal", 3, station="furnace"), gained={"charcoal": 3}, batches=3,
    consumed={"oak_log": 3, "oak_planks": 2},
)  # fmt: skip
GLASS = outcome(
    0, SubGoal("smelt", "glass", station="furnace"), gained={"glass": 1}, batches=1,
    consumed={"sand": 1, "coal": 1},
)  # fmt: skip


@pytest.mark.parametrize(("shown", "smelted"), [(CHARCOAL, "oak_log"), (GLASS, "sand")])
def test_the_smelted_item_is_distinguished_from_the_fuel(tmp_path, shown, smelted):
    learner(tmp_path).finish([finished_record(0, shown)])
    (source,) = read_knowledge(tmp_path).sources
    assert [need.choices for need in source.needs] == [(smelted,)]


def test_known_ways_are_not_written_again(tmp_path):
    write_knowledge(tmp_path, full_graph())
    before = (tmp_path / GRAPH_FILE).stat()
    known = outcome(
        0, SubGoal("mine", "cobblestone", 3, tool="wooden_pickaxe"), gained={"cobblestone": 3}
    )
    birch = outcome(
        0, SubGoal("craft", "crafting_table"), gained={"crafting_table": 1}, batches=1,
        consumed={"birch_planks": 3, "oak_planks": 1},
    )  # fmt: skip
    beef = outcome(0, SubGoal("kill", "beef", creature="cow"), gained={"beef": 2})
    learner(tmp_path).finish([finished_record(0, known, birch, beef, PLANKS, IRON)])
    after = (tmp_path / GRAPH_FILE).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_ways_that_another_agent_learned_meanwhile_are_kept_and_used(tmp_path):
    agent, other = learner(tmp_path), learner(tmp_path)
    other.finish([finished_record(0, LOGS)])
    agent.finish([finished_record(0, PLANKS)])
    assert ways(read_knowledge(tmp_path)) == {("mine", "oak_log"), ("craft", "oak_planks")}
    goal = situation(SubGoal("craft", "oak_planks", 4))
    agent.begin_episodes([goal])
    assert len(agent.decide([goal])[0].plan) == 2


def test_the_folder_is_written_once_for_all_rows(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "optimus_gym.minds.learning_ways.write_knowledge",
        lambda folder, graph: written.append(ways(graph)) or graph,
    )
    learner(tmp_path).finish(
        [finished_record(0, LOGS), finished_record(1, PLANKS), finished_record(2, LOGS)]
    )
    assert written == [{("mine", "oak_log"), ("craft", "oak_planks")}]


def test_the_given_graph_does_not_change(tmp_path):
    given = KnowledgeGraph.empty()
    given.learn(SeenWay("mine", "dirt"))
    agent = attached(Optimus1(), knowledge=given, memory=tmp_path, learn=True)
    agent.finish([finished_record(0, LOGS)])
    assert ways(given) == {("mine", "dirt")}
    assert ways(read_knowledge(tmp_path)) == {("mine", "dirt"), ("mine", "oak_log")}


class Bare:
    """Hands out one sub-goal that names no tool and no station."""

    name, needs, period, judge = "bare", frozenset(), None, "inventory"

    def __init__(self, subgoal):
        self.subgoal, self.outcomes = subgoal, []

    def attach(self, setting):
        pass

    def begin_episodes(self, situations):
        self.outcomes = []

    def decide(self, situations):
        subgoal = None if self.outcomes else self.subgoal
        return [Decision(subgoal, "it has tried") for _ in situations]

    def watch(self, situations):
        return [Verdict() for _ in situations]

    def ended(self, outcomes):
        self.outcomes += outcomes

    def finish(self, records):
        pass


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
@pytest.mark.parametrize(
    ("subgoal", "held", "tool", "station"),
    [
        (SubGoal("craft", "stick", 4), {"oak_planks": 2}, None, None),
        (SubGoal("mine", "cobblestone"), {"iron_pickaxe": 1}, "iron_pickaxe", None),
        (SubGoal("mine", "oak_log"), {"iron_pickaxe": 1}, None, None),
    ],
)
def test_an_outcome_names_the_used_tool_and_station(world, subgoal, held, tool, station):
    agent = Bare(subgoal)
    env = make("Optimus-v0", task={"item": "diamond"}, world=world, agent=agent)
    env.reset(seed=12, options={"inventory": held})
    env.step(0)
    (outcome,) = agent.outcomes
    assert outcome.end == "reached", outcome.failure
    assert (outcome.tool, outcome.station) == (tool, station)
    env.close()


def test_a_station_that_no_sub_goal_named_is_learned(tmp_path):
    folder = tmp_path / "memory"
    arguments = {"task": {"item": "wooden_pickaxe"}, "world": "symbolic", "memory": folder}
    start = {"inventory": {"oak_planks": 3, "stick": 2, "crafting_table": 1}}
    env = make("Optimus-v0", **arguments, learn=True)
    _, info = env.reset(seed=1, options=start)
    plans = [info["plan"]]
    over = False
    while not over:
        *_, ended, cut, info = env.step(0)
        plans.append(info["plan"])
        over = ended or cut
    env.close()
    assert info["is_success"], info["reason"]
    assert plans[0] == ("craft 1 wooden_pickaxe",)
    assert ("place 1 crafting_table", "craft 1 wooden_pickaxe") in plans
    (way,) = [one for one in read_knowledge(folder).sources if one.product == "wooden_pickaxe"]
    assert way.station == "crafting_table"


def test_a_furnace_that_is_taken_up_again_is_not_learned_as_a_way(tmp_path):
    write_knowledge(tmp_path, full_graph())
    env = make(
        "Optimus-v0", task="CraftBlastFurnace", world="symbolic", memory=tmp_path, learn=True
    )
    env.reset(seed=910_060)
    over, ends = False, []
    while not over:
        *_, ended, cut, info = env.step(0)
        ends += info["ended"]
        over = ended or cut
    env.close()
    assert ("mine 1 furnace", "reached") in ends
    assert ("mine", "furnace") not in ways(read_knowledge(tmp_path))


def test_the_symbolic_world_teaches_recipes_of_one_batch():
    start = {"inventory": {"oak_log": 3, "cobblestone": 3, "coal": 1, "furnace": 1}}
    taught = KnowledgeGraph.empty()
    for subgoals in (
        ({"verb": "craft", "item": "oak_planks", "count": 11},),
        ({"verb": "place", "item": "furnace"}, {"verb": "smelt", "item": "stone", "count": 3}),
    ):
        env = make("Optimus-v0", world="symbolic", agent="none", start=start).unwrapped
        env.reset(seed=1)
        for one in subgoals:
            env.choose(SubGoal(**one))
            env.step(0)
        learn_from(taught, [env._view.record(0).outcomes])
    told = {(one.product, one.yields, one.needs[0].count) for one in taught.sources if one.needs}
    assert told == {("oak_planks", 4, 1), ("stone", 1, 1)}
