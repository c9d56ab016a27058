"""A fallible backbone errs in known ways, at known rates and independent of batches."""

import hashlib
import json
import math
import pickle
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.fallible import (
    RATES,
    FallibleBackbone,
    steps_in,
    with_lower_tool,
    with_missing_step,
    with_other_cause,
    with_other_count,
    with_other_station,
    with_other_verdict,
)
from optimus_gym.backbones.rules import PLANS, RulesBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.requests import Reply, Request
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.planning import Ask
from optimus_gym.testing.situations import situation
from tests.minds.plans import Listening, plan_by, planner_of, plans_by

ROOT = Path(__file__).resolve().parents[2]
PLAN = [
    {"task": "mine 3 log", "goal": ["log", 3]},
    {"task": "place crafting table", "goal": ["crafting_table", 1]},
    {"task": "craft 1 stone pickaxe", "goal": ["stone_pickaxe", 1]},
    {"task": "equip stone_pickaxe", "goal": ["stone_pickaxe", 1]},
]
MANY = 6_000


def written(steps):
    return json.dumps({f"step {n}": step for n, step in enumerate(steps, start=1)})


class Same:
    """Gives every request the same reply."""

    name = "same"
    takes_pictures = False

    def __init__(self, text):
        self.reply = Reply(text, 1.5, "model", 20, 10, 0.25, ("a fault",))

    def complete(self, requests):
        return [self.reply for _ in requests]


def asked(count, kind="plan"):
    return [Request(kind, f"question {n % 7}", seed=n, row=n % 3) for n in range(count)]


def texts(backbone, requests):
    return [reply.text for reply in backbone.complete(requests)]


def errors_in(text):
    """Return the errors in a spoiled PLAN."""
    steps = steps_in(text)
    if len(steps) < len(PLAN):
        return {"missing"}
    items, counts = ([step["goal"][n] for step in steps] for n in (0, 1))
    found = {"tier"} if "wooden_pickaxe" in items else set()
    found |= {"station"} if "furnace" in items else set()
    return found | ({"count"} if counts != [3, 1, 1, 1] else set())


def near(hits, count, rate):
    return abs(hits - count * rate) < 4.5 * math.sqrt(count * rate * (1 - rate))


def by_draws(change, *given, draws=400):
    """Return all results of an error with their counts."""
    made = (change(*given, np.random.default_rng(seed)) for seed in range(draws))
    return Counter(one if isinstance(one, str) else json.dumps(one) for one in made)


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_each_error_comes_at_its_own_rate_independent_of_the_others(scale):
    made = texts(FallibleBackbone(Same(written(PLAN)), scale), asked(MANY))
    found = [errors_in(text) for text in made]
    missing = sum("missing" in errors for errors in found)
    assert near(missing, MANY, 0.1 * scale)
    whole = [errors for errors in found if "missing" not in errors]
    rates = {"count": 0.1 * scale, "station": 0.05 * scale, "tier": 0.05 * scale}
    for error, rate in rates.items():
        assert near(sum(error in errors for errors in whole), len(whole), rate), error
        for other in rates.keys() - {error}:
            both = sum({error, other} <= errors for errors in whole)
            assert near(both, len(whole), rate * rates[other]), (error, other)
    untouched = sum(text == written(PLAN) for text in made)
    assert near(untouched, MANY, (1 - missing / MANY) * math.prod(1 - r for r in rates.values()))


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_verdicts_are_wrong_at_their_rate_and_both_wrong_verdicts_are_equally_likely(scale):
    made = texts(FallibleBackbone(Same("Situation: done"), scale), asked(MANY, "reflect"))
    count = Counter(made)
    assert count.keys() == {
        "Situation: done",
        "Situation: continue",
        "Situation: replan\nPredicament: stuck",
    }
    wrong = MANY - count["Situation: done"]
    assert near(wrong, MANY, 0.1 * scale)
    assert near(count["Situation: continue"], wrong, 0.5)


CAUSE = "Explanation: craft 4 torch uses 1 coal and 1 stick; the agent lacks 1 coal, 2 stick."
ASKED = "Ways to get things: coal, log, planks, stick"


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_explanations_blame_another_item_of_the_request_at_their_rate(scale):
    asked_why = [Request("explain", ASKED, seed=n) for n in range(MANY)]
    count = Counter(texts(FallibleBackbone(Same(CAUSE), scale), asked_why))
    wrong = [CAUSE.replace("2 stick", f"2 {name}") for name in ("coal", "log", "planks")]
    assert count.keys() == {CAUSE, *wrong}
    assert near(MANY - count[CAUSE], MANY, 0.1 * scale)
    assert all(near(count[text], MANY - count[CAUSE], 1 / 3) for text in wrong)


def test_an_explanation_without_pieces_or_a_request_without_other_items_stays_as_it_is():
    chance = np.random.default_rng(0)
    assert with_other_cause("Because of bad luck at y 12.", ASKED, chance).endswith("at y 12.")
    assert with_other_cause(CAUSE, "What of the stick?", chance) == CAUSE


def test_the_rates_are_the_documented_ones():
    plans = {"tier": 0.05, "station": 0.05, "count": 0.1, "missing": 0.1}
    assert {**plans, "verdict": 0.1, "cause": 0.1} == RATES


@pytest.mark.parametrize("kind", [*PLANS, "reflect", "see", "explain"])
def test_at_scale_0_nothing_changes(kind):
    for text in (written(PLAN), "Situation: done", "prose"):
        assert set(texts(FallibleBackbone(Same(text), 0), asked(500, kind))) == {text}


def test_a_plan_without_an_error_keeps_its_exact_text():
    spaced = json.dumps(json.loads(written(PLAN)), indent=4) + "\n"
    made = texts(FallibleBackbone(Same(spaced)), asked(200))
    assert [steps_in(text) == PLAN for text in made] == [text == spaced for text in made]
    assert 100 < made.count(spaced) < 200


def test_each_step_can_go_missing_and_the_rest_keeps_its_order():
    made = by_draws(with_missing_step, PLAN)
    assert made.keys() == {json.dumps(PLAN[:n] + PLAN[n + 1 :]) for n in range(4)}
    assert min(made.values()) > 60
    assert with_missing_step(PLAN[:1], np.random.default_rng(0)) == []


def test_the_remaining_steps_are_renumbered():
    made = texts(FallibleBackbone(Same(written(PLAN)), 3), asked(200))
    shorter = [text for text in made if len(steps_in(text)) == 3]
    assert shorter
    assert all(list(json.loads(text)) == ["step 1", "step 2", "step 3"] for text in shorter)


def test_a_wrong_count_is_any_other_count_up_to_twice_as_many():
    made = by_draws(with_other_count, PLAN[:1])
    expected = {
        json.dumps([{"task": f"mine {n} log", "goal": ["log", n]}]) for n in (1, 2, 4, 5, 6)
    }
    assert made.keys() == expected
    assert min(made.values()) > 40


def test_a_count_of_one_becomes_two_except_for_placing_and_equipping():
    changed = {"task": "craft 2 stone pickaxe", "goal": ["stone_pickaxe", 2]}
    assert by_draws(with_other_count, PLAN[1:]).keys() == {json.dumps([PLAN[1], changed, PLAN[3]])}
    once = [PLAN[1], PLAN[3]]
    assert with_other_count(once, np.random.default_rng(0)) == once


def test_only_the_count_in_a_tasks_text_is_changed():
    steps = [{"task": "mine 1 log in chunk 11", "goal": ["log", 1]}]
    (made,) = with_other_count(steps, np.random.default_rng(0))
    assert made == {"task": "mine 2 log in chunk 11", "goal": ["log", 2]}


def test_a_wrong_station_swaps_furnace_and_crafting_table():
    furnace = {"task": "place furnace", "goal": ["furnace", 1]}
    table = {"task": "place crafting table", "goal": ["crafting_table", 1]}
    chance = np.random.default_rng(0)
    assert with_other_station([table], chance) == [furnace]
    assert with_other_station([furnace], chance) == [table]
    chest = [{"task": "place chest", "goal": ["chest", 1]}]
    crafted = [{"task": "craft 1 furnace", "goal": ["furnace", 1]}]
    assert with_other_station(chest, chance) == chest
    assert with_other_station(crafted, chance) == crafted
    both = by_draws(with_other_station, [table, furnace])
    assert both.keys() == {json.dumps([furnace, furnace]), json.dumps([table, table])}


@pytest.mark.parametrize(
    ("item", "lower"),
    [
        ("stone_pickaxe", "wooden_pickaxe"),
        ("iron_axe", "stone_axe"),
        ("diamond_sword", "iron_sword"),
        ("netherite_hoe", "diamond_hoe"),
        ("wooden_pickaxe", None),
        ("golden_pickaxe", None),
        ("shears", None),
        ("iron_helmet", None),
        ("stone_bricks", None),
        ("stick", None),
    ],
)
@pytest.mark.parametrize("verb", ["craft", "equip", "Equip", "mine"])
def test_a_wrong_tool_is_one_tier_lower(verb, item, lower):
    steps = [{"task": f"{verb} 1 {item.replace('_', ' ')}", "goal": [item, 1]}]
    (made,) = with_lower_tool(steps, np.random.default_rng(0))
    if lower is None or verb == "mine":
        assert made == steps[0]
    else:
        expected = {"task": f"{verb} 1 {lower.replace('_', ' ')}", "goal": [lower, 1]}
        assert made == expected


def test_the_item_in_the_task_text_changes_with_the_goal():
    (made,) = with_lower_tool(PLAN[3:], np.random.default_rng(0))
    assert made == {"task": "equip wooden_pickaxe", "goal": ["wooden_pickaxe", 1]}


def test_a_verdict_becomes_either_of_the_other_verdicts():
    told = "Environment: forest\n situation: REPLAN \nPredicament: in_water\nso it seems"
    assert by_draws(with_other_verdict, told).keys() == {
        "Environment: forest\nSituation: done\nso it seems",
        "Environment: forest\nSituation: continue\nso it seems",
    }
    assert by_draws(with_other_verdict, "Situation: continue\nPredicament: none").keys() == {
        "Situation: done",
        "Situation: replan\nPredicament: stuck",
    }
    for text in ("Situation: unclear", "the situation: done", "", "Situation: done and well"):
        assert by_draws(with_other_verdict, text).keys() == {text}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no plan",
        "[1, 2]",
        "{}",
        "null",
        "```json\n" + written(PLAN) + "\n```",
        written(PLAN)[:-1],
        written([{"task": "mine 3 log"}]),
        written([{"task": "mine 3 log", "goal": ["log"]}]),
        written([{"task": "mine 3 log", "goal": ["log", "3"]}]),
        written([{"task": "mine 3 log", "goal": ["log", True]}]),
        written([{"task": "mine 3 log", "goal": ["log", 0]}]),
        written([{"task": "mine 3 log", "goal": ["log", 10**30]}]),
        written([{"task": 3, "goal": ["log", 3]}]),
        written(["mine 3 log"]),
        json.dumps({"step 2": PLAN[0], "step 1": PLAN[1]}),
        json.dumps({"first": PLAN[0]}),
    ],
)
def test_a_text_that_is_not_a_plan_in_our_form_passes_unchanged(text):
    assert set(texts(FallibleBackbone(Same(text), 3), asked(50))) == {text}


def test_empty_tasks_and_extra_fields_of_steps_do_no_harm():
    steps = [{"task": "", "goal": ["log", 3]}, {"task": "mine log", "goal": ["log", 3], "why": "x"}]
    made = [steps_in(text) for text in texts(FallibleBackbone(Same(written(steps)), 3), asked(300))]
    assert {"task": "mine log", "goal": ["log", 5], "why": "x"} in [
        one for plan in made for one in plan
    ]


def test_only_plans_and_verdicts_are_spoiled_each_in_its_own_way():
    plans, verdict = written(PLAN), "Situation: done"
    assert set(texts(FallibleBackbone(Same(plans), 3), asked(200, "reflect"))) == {plans}
    assert set(texts(FallibleBackbone(Same(plans), 3), asked(200, "see"))) == {plans}
    assert set(texts(FallibleBackbone(Same(verdict), 3), asked(200, "plan"))) == {verdict}
    for kind in PLANS:
        assert len(set(texts(FallibleBackbone(Same(plans), 3), asked(200, kind)))) > 5


def test_everything_except_the_text_passes_through():
    inner = Same(written(PLAN))
    replies = FallibleBackbone(inner, 3).complete(asked(100))
    assert len({reply.text for reply in replies}) > 5
    for reply in replies:
        assert reply == Reply(reply.text, 1.5, "model", 20, 10, 0.25, ("a fault",))


def test_batches_and_order_change_nothing():
    requests = [*asked(40), *asked(40), *asked(10)]
    together = texts(FallibleBackbone(Same(written(PLAN)), 3), requests)
    one_by_one = FallibleBackbone(Same(written(PLAN)), 3)
    assert [one_by_one.complete([one])[0].text for one in requests] == together
    turned = texts(FallibleBackbone(Same(written(PLAN)), 3), requests[39::-1])
    assert turned[::-1] == together[:40]
    for k in range(40):
        assert texts(FallibleBackbone(Same(written(PLAN)), 3), [requests[k]]) == [together[k]]


def test_a_repeated_request_gets_the_same_answer_in_every_row_and_other_errors_at_other_ticks():
    backbone = FallibleBackbone(Same(written(PLAN)), 3)
    made = []
    for tick in range(40):
        rows = [Request("plan", "question", row=row, seed=5, tick=tick) for row in range(9)]
        answers = {*texts(backbone, rows), *texts(backbone, rows)}
        assert len(answers) == 1
        made.append(answers.pop())
    assert len(set(made)) > 5


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"other": 1}, {"text": "else"}, {"tick": 1}],
    ids=["own", "request", "text", "tick"],
)
def test_seeds_text_and_tick_decide_the_errors(change):
    def made(seed=0, other=0, text="question", tick=0):
        requests = [Request("plan", text, seed=1000 * other + n, tick=tick) for n in range(50)]
        return texts(FallibleBackbone(Same(written(PLAN)), 3, seed), requests)

    assert made() == made()
    assert made() != made(**change)


def test_errors_are_the_same_in_every_process():
    code = (
        "import hashlib; from tests.backbones.test_fallible import *; "
        "made = texts(FallibleBackbone(Same(written(PLAN)), 2, 9), asked(300)); "
        "print(hashlib.sha256(''.join(made).encode()).hexdigest())"
    )
    made = texts(FallibleBackbone(Same(written(PLAN)), 2, 9), asked(300))
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == hashlib.sha256("".join(made).encode()).hexdigest()


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_errs_like_the_original(copied):
    original = FallibleBackbone(Same(written(PLAN)), 3, seed=4)
    first = texts(original, asked(30))
    assert texts(copied(original), asked(30)) == first == texts(original, asked(30))
    assert texts(FallibleBackbone(Same(written(PLAN)), 3), asked(30)) != first


def test_the_inner_backbone_can_be_named_described_or_given():
    listening = Listening()
    plan_by(planner_of(listening, full_graph()), task("Stone").goal)
    request = listening.request
    plain = RulesBackbone().complete([request])
    for inner in ("rules", {"name": "rules"}, RulesBackbone()):
        assert FallibleBackbone(inner, 0).complete([request]) == plain
    nested = {"name": "optimus_gym.backbones.fallible:FallibleBackbone", "scale": 0}
    assert FallibleBackbone(nested, 0).complete([request]) == plain


def test_a_planner_copes_with_a_fallible_backbone():
    planner = planner_of(FallibleBackbone("rules", 3.0), full_graph(), instead="rules")
    goal = task("Iron").goal
    made = plans_by(planner, [Ask(situation(goal, {"oak_log": n})) for n in range(30)])
    assert all(plan.subgoals for plan in made)
    whole = [plan for plan in made if plan.subgoals[-1].item == "iron_pickaxe"]
    assert 5 < len(whole) < 30
    assert all(plan.problems for plan in made if plan not in whole)
    assert 5 < sum(bool(plan.problems) for plan in made) < 30


@pytest.mark.parametrize("scale", [-0.1, 3.1, math.nan, math.inf, "1", None, True])
def test_a_bad_scale_is_rejected(scale):
    with pytest.raises(BadValue, match="scale: expected a number from 0 to 3"):
        FallibleBackbone("rules", scale)


@pytest.mark.parametrize("seed", [-1, 1.5, 2**63, "0", None])
def test_a_bad_seed_is_rejected(seed):
    with pytest.raises(BadValue, match="seed: expected an integer"):
        FallibleBackbone("rules", 1, seed)


def test_an_inner_part_that_is_not_a_backbone_is_rejected():
    with pytest.raises(UnknownName, match="did you mean 'rules'"):
        FallibleBackbone("rule")
    with pytest.raises(BadValue, match="backbone: expected a name"):
        FallibleBackbone(None)
    with pytest.raises(
        BadValue, match="an object with the attributes name, takes_pictures, complete, got object"
    ):
        FallibleBackbone(object())


@pytest.mark.parametrize("replies", [None, [], ["text"], [Reply(None)], [Reply("a")] * 2])
def test_an_inner_backbone_without_proper_replies_is_reported(replies):
    class Odd:
        name = "odd"
        takes_pictures = False

        def complete(self, requests):
            return replies

    with pytest.raises(BadValue, match="backbone 'odd': expected 1 replies with texts"):
        FallibleBackbone(Odd()).complete(asked(1))
