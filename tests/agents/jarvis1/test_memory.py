"""JARVIS-1 remembers successes in code, and finds them by text, backward reasoning, place and picture.

`Telling`, the aligner of these tests, gives all texts with the same colour the same vector.
"""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.agents.jarvis1.executed import executed_calls, remembered_calls
from optimus_gym.agents.jarvis1.questions import query_question
from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.core.errors import BadMemory, BadValue, UnknownName
from optimus_gym.core.situation import Picture
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.memory.experience import Image, PastPursuit
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone, outcome, situation
from tests.agents.jarvis1.asking import JarvisRow, facts_that_matter
from tests.agents.playing import last_info
from tests.envs.conftest import make
from tests.memory.making import an_experience
from tests.memory.telling import Telling, frame
from tests.minds.test_recall import vector


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "memory"


def remember(
    folder,
    goal,
    colour="green",
    status="success",
    calls=('mine(obj={"log": 1}, tool=None)',),
    **other,
):
    """Store an episode whose first picture has one colour."""
    told = {"calls": list(calls)} if calls is not None else {}
    with ExperiencePool(folder, Telling()) as pool:
        first = Image(0, b"a picture", vector(colour))
        given = {"goal": goal, "first": first, "cases": (), "replans": (), "told": told}
        film = (PastPursuit("mine 3 oak_log", "reached", "", 240, 240),)
        return pool.add(
            an_experience(f"{len(pool)}", status, **{"pursuits": film, **given, **other})
        )


def found(folder, goal="red", colour=None, biome=None, fact="goal", **options):
    """Return the goals, or another fact, of the remembered plans in a request, in order."""
    here = situation(SubGoal("craft", "stick"))
    here = replace(here, task=replace(here.task, instruction=goal), biome=biome)
    if colour is not None:
        screen = np.repeat(np.repeat(frame(colour, (36, 64)), 10, 0), 10, 1)
        here = replace(here, picture=Picture(lambda: screen, lambda: True))
    setting = {"memory": folder, "pictures": colour is not None}
    row = JarvisRow(here=here, aligner=Telling(), setting=setting, **options)
    return [one[fact] for one in facts_in(row.asked[-1].text)["references"]]


def test_successes_like_the_task_are_found_and_failures_are_not(folder):
    remember(folder, "red one", status="died")
    remember(folder, "red two")
    remember(folder, "a blue thing")
    assert found(folder) == ["red two"]
    assert found(folder, switches="no-memory") == []


def test_at_most_k_plans_are_found_the_newest_first(folder):
    for k in range(7):
        remember(folder, f"red {k}")
    assert found(folder) == [f"red {k}" for k in (6, 5, 4, 3, 2)]
    assert found(folder, top_k=1) == ["red 6"]


def test_only_multimodal_retrieval_ranks_by_the_first_picture(folder):
    remember(folder, "red", "blue", environment="a place with a blue picture")
    remember(folder, "red", "green", environment="a place with a green picture")
    for colour in ("blue", "green"):
        (place,) = found(folder, colour=colour, top_k=1, fact="environment")
        assert colour in place
        (newest,) = found(folder, colour=colour, top_k=1, fact="environment", switches="reasoning")
        assert "green" in newest


def test_plans_that_began_in_the_same_surroundings_come_first(folder):
    remember(folder, "red far", environment="desert")
    remember(folder, "red near", environment="taiga")
    remember(folder, "red last", environment="desert")
    assert found(folder, biome="taiga", top_k=2) == ["red near", "red last"]
    assert found(folder, biome="taiga", top_k=1, switches="reasoning") == ["red last"]


class Reasoning(RulesBackbone):
    """Answers requests for queries with lines of its own."""

    def __init__(self, lines):
        self.lines = lines

    def complete(self, requests):
        replies = super().complete(requests)
        return [
            replace(reply, text=self.lines) if request.kind == "query" else reply
            for request, reply in zip(requests, replies, strict=True)
        ]


NEEDS = "stick: red_bed, poppy\nred_bed: blue_bed\nblue_bed: green_bed\npoppy: red_dye"


def reasoned(folder, lines=NEEDS, **options):
    """Return the goals of the plans found for the parts that a backbone names, and the kinds of requests."""
    row = JarvisRow(
        backbone=Reasoning(lines), aligner=Telling(), setting={"memory": folder}, **options
    )
    return [one["goal"] for one in facts_in(row.asked[-1].text)["references"]], row.kinds


def test_the_parts_of_an_unknown_goal_are_looked_up_at_most_depth_steps_back(folder):
    for colour in ("green", "blue"):
        remember(folder, f"a {colour} thing")
    assert reasoned(folder, search_depth=1)[0] == []
    assert reasoned(folder, search_depth=2)[0] == ["a blue thing"]
    assert reasoned(folder, search_depth=3)[0] == ["a blue thing"]
    unknown = reasoned(folder, NEEDS.replace("blue_bed", "cyan_bed"), search_depth=3)
    assert unknown == (["a green thing"], ["query", "plan"])


def test_plans_for_parts_of_an_unknown_goal_come_before_plans_of_like_texts(folder):
    remember(folder, "a blue thing")
    remember(folder, "a red thing")
    here = situation(SubGoal("craft", "stick"))
    here = replace(here, task=replace(here.task, instruction="another blue thing"))
    for most, goals in ((1, ["a red thing"]), (2, ["a red thing", "a blue thing"])):
        assert reasoned(folder, "stick: red_bed", here=here, top_k=most)[0] == goals
    assert reasoned(folder, here=here, top_k=1, switches="text")[0] == ["a blue thing"]


def test_the_search_ends_behind_a_part_that_the_memory_knows(folder):
    for colour in ("red", "blue"):
        remember(folder, f"a {colour} thing")
    assert reasoned(folder)[0] == ["a red thing"]


def test_a_goal_that_the_memory_knows_and_text_retrieval_need_no_reasoning(folder):
    remember(folder, "craft 1 stick")
    assert reasoned(folder) == (["craft 1 stick"], ["plan"])
    remember(folder, "a red thing")
    assert reasoned(folder, switches="text")[1] == ["plan"]


def test_an_empty_memory_and_no_memory_ask_nothing(folder):
    assert reasoned(folder) == ([], ["plan"])
    assert reasoned(None) == ([], ["plan"])


WAYS = (
    Call("craft", "white_bed", 1, {"white_wool": 3, "planks": 3}, "crafting_table"),
    Call("craft", "planks", 4, {"log": 1}),
)


def test_the_rules_reason_backward_over_the_stated_ways():
    text = query_question(situation(SubGoal("craft", "white_bed")), WAYS, 2).text
    assert answer_to(text) == "white_bed: white_wool, planks, crafting_table\nplanks: log"
    assert answer_to(text.replace("most: 2", "most: 1")).count("\n") == 0
    held = query_question(situation(SubGoal("craft", "white_bed"), {"birch_planks": 1}), WAYS, 2)
    assert answer_to(held.text) == "white_bed: white_wool, crafting_table"
    assert answer_to(query_question(situation(SubGoal("mine", "log")), (), 2).text) == "nothing"


def test_every_fact_of_a_request_for_queries_changes_the_answer():
    held = {"birch_planks": 1}
    text = query_question(situation(SubGoal("craft", "white_bed"), held), WAYS, 2).text
    assert facts_that_matter([text], facts_in(text)) == {"goal", "inventory", "depth", "ways"}


def test_the_request_for_queries_equals_its_golden_file():
    from tests.agents.jarvis1.test_questions import golden

    text = query_question(situation(SubGoal("craft", "white_bed"), {"stick": 2}), WAYS, 3).text
    assert text == golden("query")


OUTCOMES = (
    outcome(0, SubGoal("mine", "oak_log", 3, tag("logs")), gained={"birch_log": 3}, consumed={"bread": 1}),
    outcome(
        0, SubGoal("craft", "oak_planks", 9, tag("planks")),
        gained={"birch_planks": 12}, consumed={"birch_log": 3},
    ),
    outcome(0, SubGoal("equip", "stick")),
    outcome(0, SubGoal("craft", "stick", 4), "failed", Failure("stuck")),
    outcome(
        0, SubGoal("craft", "birch_door", 3),
        gained={"birch_door": 3}, consumed={"birch_planks": 6}, station="crafting_table",
    ),
    outcome(0, SubGoal("mine", "coal", 1), tool="wooden_pickaxe"),
)  # fmt: skip


def test_executed_calls_say_what_was_gained_used_up_and_needed():
    assert list(map(str, executed_calls(OUTCOMES))) == [
        'mine(obj={"log": 3}, tool=None)',
        'craft(obj={"planks": 12}, materials={"log": 3}, tool=None)',
        'craft(obj={"birch_door": 3}, materials={"birch_planks": 6}, tool="crafting_table")',
        'mine(obj={"coal": 1}, tool="wooden_pickaxe")',
    ]


def test_remembered_calls_skip_damaged_lines_and_come_from_other_agents_sub_goals():
    good = str(Call("mine", "log", 3))
    one = an_experience(told={"calls": [good, "mine(", 3, None]})
    assert remembered_calls(one) == (Call("mine", "log", 3),)
    assert remembered_calls(an_experience(told={})) == (Call("mine", "oak_log", 3),)
    assert remembered_calls(an_experience(told={"calls": "mine"}, pursuits=())) == (
        Call("mine", "oak_log", 3),
        Call("craft", "wooden_axe", 1),
    )


def play(task, folder, seed=5, **arguments):
    """Play an episode in the symbolic world; return its last info, and the kinds of requests."""
    counting = CountingBackbone(RulesBackbone())
    env = make(
        "Optimus-v0", task=task, world="symbolic", memory=folder, backbone=counting, **arguments
    )
    info = last_info(env, seed)
    return info, [request.kind for call in counting.calls for request in call]


def arm(retrieval, **switches):
    """Return an agent without recipes in plans: its memory is its only source of plans."""
    return {
        "name": "jarvis-1",
        "max_replans": 4,
        "switches": {"retrieval": retrieval, "recipes": ["query"], **switches},
    }


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    for task in ("Stone", "Iron"):
        assert play(task, folder, learn=True, agent="jarvis-1")[0]["status"] == "success"
    return folder


def test_the_memory_alone_leads_to_a_known_task(learned):
    assert play("Iron", learned, agent=arm("text"))[0]["status"] == "success"
    assert play("Iron", learned, agent=arm("none"))[0]["status"] == "gave_up"


def test_only_backward_reasoning_leads_to_an_unknown_task(learned):
    info, kinds = play("Diamond", learned, agent=arm("reasoning"))
    assert (info["status"], kinds[0]) == ("success", "query")
    assert play("Diamond", learned, agent=arm("text"))[0]["status"] == "gave_up"


def test_the_named_flaw_gives_the_recipe_that_no_remembered_plan_has(learned):
    """Without the self-check the plan for the diamond lacks the iron pickaxe and fails in the world."""
    checked, _ = play("Diamond", learned, agent=arm("reasoning"))
    unchecked, _ = play("Diamond", learned, agent=arm("reasoning", checks=False))
    assert (checked["replans"], unchecked["replans"]) == (0, 1)
    assert checked["backbone"]["corrections"] == 1


def test_failures_are_not_stored_and_a_second_agent_reads_what_the_first_wrote(tmp_path):
    info, _ = play("Stone", tmp_path, learn=True, ticks=500, agent="jarvis-1")
    assert (info["status"], list(tmp_path.iterdir())) == ("budget", [])
    envs = [
        make("Optimus-Wood-v0", world="symbolic", memory=tmp_path, learn=True, agent="jarvis-1")
        for _ in range(2)
    ]
    for count, env in enumerate(envs, start=1):
        last_info(env, count)
        with ExperiencePool(tmp_path, env.unwrapped._view.agent.aligner, writes=False) as pool:
            assert len(pool) == count
            assert pool.get(count).pursuits[0].text == "mine 3 log"  # not the controller's wording
            assert pool.get(count).told["calls"][0] == 'mine(obj={"log": 3}, tool=None)'


def test_an_unusable_memory_is_named_or_left_alone(tmp_path):
    (tmp_path / "experience.sqlite").write_bytes(b"no database" * 99)
    with pytest.raises(BadMemory):
        make("Optimus-Wood-v0", world="symbolic", memory=tmp_path, agent="jarvis-1")
    careless = {"name": "jarvis-1", "on_bad_memory": "go_on"}
    with pytest.warns(RuntimeWarning, match="goes on without"):
        env = make("Optimus-Wood-v0", world="symbolic", memory=tmp_path, agent=careless)
    _, info = env.reset(seed=1)
    assert info["plan"]
    assert info["memory"]["lost"] == 1


def test_options_of_the_memory_are_checked():
    with pytest.raises(BadValue, match="search_depth: expected an integer of at least 1"):
        Jarvis1(search_depth=0)
    with pytest.raises(BadValue, match="top_k"):
        Jarvis1(top_k=0)
    with pytest.raises(UnknownName, match="retrieval"):
        Jarvis1(switches={"retrieval": "picture"})
    with pytest.raises(UnknownName, match="kind of request with recipes"):
        Jarvis1(switches={"recipes": ["plans"]})
