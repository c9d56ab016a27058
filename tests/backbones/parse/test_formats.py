"""Plans in the formats of public agents are read, clean and messy."""

import pytest

from optimus_gym.backbones.parse.deeds import MOST_PLAN_STEPS
from optimus_gym.backbones.parse.plans import MOST_TEXT, merged_problems, parse_plan
from optimus_gym.game.tasks import tasks
from optimus_gym.prompts.words import word_for
from tests.backbones.parse.replies import FORMATS, read, said
from tests.minds.plans import plan_of

TASKS = sorted(tasks())


def written(subgoal):
    return subgoal.verb, subgoal.count, word_for(subgoal.item, subgoal.kinds)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", TASKS)
def test_a_plan_reads_the_same_in_every_format(name, form):
    plan = plan_of(tasks()[name].goal).subgoals
    subgoals, problems = parse_plan(FORMATS[form](plan))[:2]
    assert problems == ()
    assert [written(s) for s in subgoals] == [written(s) for s in plan]


JARVIS = """\
[{"goal": {"log": 3}, "type": "mine", "text": "cut a tree"},
 {"goal": {"planks": 8}, "type": "craft", "text": "planks for table and pickaxe"},
 {"goal": {"charcoal": 1}, "type": "smelt", "text": "burn it"}]"""


@pytest.mark.parametrize(
    "text",
    [
        JARVIS,
        f"```\n{JARVIS}\n```",
        '{"plan": ' + JARVIS + ', "status": "success"}',
        '{"wooden_pickaxe": {"status": "success", "init_inventory": {}, "plan": ' + JARVIS + "}}",
        JARVIS.replace('"', "'").replace("}]", "},]"),
        JARVIS.replace("},\n", "}\n"),
        JARVIS.replace("[", "").replace("]", ""),
        JARVIS.replace('"goal"', "goal").replace('"type"', "type").replace('"text"', "text"),
        JARVIS.replace("3}", '"3"}').replace("8}", "8.0}"),
        JARVIS.replace('"type": "craft", ', "").replace("planks for", "craft planks for"),
    ],
)
def test_goals_of_jarvis_1_are_read(text):
    assert said(text) == ["mine 3 oak_log", "craft 8 oak_planks", "smelt 1 charcoal"]


def test_each_item_of_a_goal_becomes_a_sub_goal():
    text = '[{"goal": {"coal": 2, "iron_ore": 3}, "type": "mine", "text": "go down"}]'
    assert said(text) == ["mine 2 coal", "mine 3 iron_ore"]


def test_a_goal_without_items_is_read_from_its_text():
    assert said('[{"goal": {}, "type": "mine", "text": "mine 2 sand"}]') == ["mine 2 sand"]


RECORDS = """\
name: mine_log
text condition: cut down trees
action: mine
object_item: log
object_number: 5
tool: null
rank: 1
###
name: craft_axe
condition: make it
action: craft
object_item: wooden_axe
object_number: 1
materials: {"planks": 3, "stick": 2}
tool: crafting_table
rank: 2
###"""


@pytest.mark.parametrize(
    "text",
    [
        RECORDS,
        RECORDS.replace("###\n", "\n"),
        RECORDS.replace("name:", "- **name**:").replace(": ", " : ").replace("**", ""),
        RECORDS.replace("object_item: log\nobject_number: 5", 'object: {"log": 5}'),
        '[{"name": "a", "action": "mine", "object_item": "log", "object_number": 5, "tool": null},'
        '{"name": "b", "action": "craft", "object": {"wooden_axe": 1}, "tool": "crafting_table"}]',
        "[{'name': 'a', 'type': 'mine', 'objective': {'log': 5}, 'tool': {}, 'rank': 1},"
        "{'output': {'wooden_axe': 1}, 'type': 'craft', 'tool': {'crafting_table': 1}}]",
    ],
)
def test_parsed_goals_are_read(text):
    assert said(text) == ["mine 5 oak_log", "place 1 crafting_table", "craft 1 wooden_axe"]


ONE = '{"step 1": {"task": "mine 2 log", "goal": ["log", 2]}'
TWO = '"step 2": {"task": "craft 8 planks", "goal": ["planks", 8]}}'


@pytest.mark.parametrize(
    "text",
    [
        f"<task planning>: {ONE}, {TWO}",
        f"The error was {ONE}}}, so\n<replan>:\n{ONE}, {TWO}",
        f"<think>First {ONE}}} and then more.</think> {ONE}, {TWO}",
        f'I hold {{"log": 2}}. [See below]\n{ONE}, {TWO}',
        f"A first try: {ONE}}}\nBetter: {ONE}, {TWO}",
        f"{ONE}}}, {TWO}",
        f"{ONE}}}\n{{{TWO}",
        f"[{ONE}}}, {{{TWO}]",
        ONE[1:] + ",\n" + TWO[:-1],
        f"{ONE}, {TWO}".replace('"', '\\"'),
        f"{ONE}, {TWO}".replace('"', "'"),
        f"{ONE}, {TWO}".replace("{", "{{").replace("}", "}}"),
        f"{ONE}, {TWO}".replace('"step 1"', "step 1").replace('"goal"', "goal"),
        f"{ONE}, {TWO}".replace("[", "(").replace("]", ")"),
        f"{ONE}  // wood\n, {TWO}  # all",
        '{"step 1": "mine 2 log", # wood\n"step 2": "craft 8 planks" // all\n}',
        f'{{"thoughts": "I need wood", "steps": {ONE}, {TWO}}}',
        f'{{"thoughts": "I mine wood", {ONE[1:]}, {TWO}',
    ],
)
def test_messy_steps_are_read(text):
    assert said(text) == ["mine 2 oak_log", "craft 8 oak_planks"]


@pytest.mark.parametrize("cut", range(5, 60, 5))
def test_a_truncated_plan_is_a_problem(cut):
    _, problems = parse_plan(f"{ONE}, {TWO}"[:-cut])[:2]
    assert "before the end of the text" in " ".join(problems)


def test_a_stray_word_is_a_problem_and_all_sub_goals_are_kept():
    subgoals, problems = read(f"{ONE} oops, {TWO}")
    assert subgoals == ["mine 2 oak_log", "craft 8 oak_planks"]
    assert len(problems) == 1
    assert problems[0].startswith("expected nothing at 'oops, ")


@pytest.mark.parametrize("mark", ["</think>", "<task planning>:\n", "</THINK>\n\n<replan>\n"])
@pytest.mark.parametrize("form", ["1. mine {} sand\n", "mine({{'sand': {}}}, null)\n"])
def test_a_plan_in_the_thoughts_before_the_answer_is_ignored(form, mark):
    assert said(form.format(9) + mark + form.format(2)) == ["mine 2 sand"]
    subgoals, problems = read(form.format(9) + mark + "That is it.")
    assert subgoals == ([] if "think" in mark.lower() else ["mine 9 sand"])
    assert bool(problems) == ("think" in mark.lower())


def test_a_later_format_is_read_if_an_earlier_format_gives_nothing():
    text = 'As asked: {"step 1": {"task": "...", "goal": ["item", 1]}}\n1. mine 2 log'
    assert said(text) == ["mine 2 oak_log"]


def test_a_text_that_is_too_long_is_one_problem():
    assert parse_plan("1. mine 2 log\n".ljust(MOST_TEXT))[1] == ()
    subgoals, problems = parse_plan("1. mine 2 log\n".ljust(MOST_TEXT + 1))[:2]
    assert subgoals == ()
    assert problems == ("expected at most 100000 characters, got 100001",)


@pytest.mark.parametrize(
    "line", ["1. mine 1 log\n", "mine(log)\n", "[1]{'goal':{log:1},type:mine}"]
)
def test_a_plan_has_a_limited_number_of_steps(line):
    assert len(parse_plan(line * MOST_PLAN_STEPS)[0]) == MOST_PLAN_STEPS
    subgoals, problems = parse_plan(line * (MOST_PLAN_STEPS + 1))[:2]
    assert len(subgoals) == MOST_PLAN_STEPS
    assert problems == (f"expected at most {MOST_PLAN_STEPS} steps, got more",)


def test_equipped_tools_and_placed_stations_count_towards_the_limit():
    line = "mine(coal, 'stone_pickaxe'); craft(chest, {}, 'crafting_table');"
    subgoals, problems = parse_plan(line * (MOST_PLAN_STEPS // 2))[:2]
    assert len(subgoals) == MOST_PLAN_STEPS
    assert problems == (f"expected at most {MOST_PLAN_STEPS} sub-goals, got {2 * MOST_PLAN_STEPS}",)


def test_problems_are_few_and_short():
    problems = merged_problems([f"{n}. craft {'warp ' * 60} drive" for n in range(1, 100)])
    assert len(problems) == 20
    assert max(map(len, problems)) == 200
    assert problems[-1] == "and 80 more problems"


def test_steps_with_the_same_fault_are_named_in_one_sentence():
    _, problems = read("".join(f"{n}. fly {n} miles\n" for n in range(1, 100)))
    (said,) = problems
    assert said.startswith(
        "steps 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...: expected a task that begins"
    )
    assert len(said) <= 200
