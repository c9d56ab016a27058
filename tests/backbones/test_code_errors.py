"""The backbone `fallible` errs in plans of code in known ways and at known rates."""

from collections import Counter

import numpy as np
import pytest

from optimus_gym.backbones.fallible import (
    RATES,
    FallibleBackbone,
    with_lower_tool,
    with_missing_step,
    with_other_count,
    with_other_station,
)
from optimus_gym.backbones.plan_forms import code_steps, told_code
from optimus_gym.core.requests import Reply, Request
from optimus_gym.prompts.code_plans import Call, program_in, told_program

PLAN = (
    Call("mine", "log", 3),
    Call("craft", "stick", 4, {"planks": 2}),
    Call("craft", "stone_pickaxe", 1, {"cobblestone": 3, "stick": 2}, "crafting_table"),
    Call("mine", "iron_ore", 3, {}, "stone_pickaxe"),
)
TEXT = told_program(PLAN, "iron_ore")
MANY = 2_000


class Same:
    """Gives every request the same plan."""

    name = "same"
    takes_pictures = False

    def __init__(self, text=TEXT):
        self.text = text

    def complete(self, requests):
        return [Reply(self.text) for _ in requests]


def plain(calls):
    """Return calls without notes."""
    return [(call.verb, call.item, call.count, call.tool) for call in calls]


def spoiled(scale, kind="plan", text=TEXT):
    backbone = FallibleBackbone(Same(text), scale)
    asked = [Request(kind, f"question {n}", seed=n) for n in range(MANY)]
    return [reply.text for reply in backbone.complete(asked)]


def errors_in(text):
    calls = program_in(text)
    if len(calls) < len(PLAN):
        return {"missing"}
    made = plain(calls)
    tiers = {"wooden_pickaxe"} & {part for one in made for part in (one[1], one[3])}
    found = {"tier"} if tiers else set()
    found |= {"station"} if "furnace" in [one[3] for one in made] else set()
    return found | ({"count"} if [one[2] for one in made] != [3, 4, 1, 3] else set())


def test_each_error_of_a_plan_in_code_has_its_rate():
    seen = Counter(error for text in spoiled(1) for error in errors_in(text))
    for error, rate in RATES.items():
        if error in ("verdict", "cause"):
            assert not seen[error]
        else:
            hidden = 0.0 if error == "missing" else RATES["missing"]
            assert seen[error] / MANY == pytest.approx(rate * (1 - hidden), abs=0.02)


def with_error(error, calls, seed=0):
    """Return the calls of a plan after one error."""
    text = told_program(calls, "iron_ore")
    made = error(code_steps(text), np.random.default_rng(seed))
    return plain(program_in(told_code(made, text)))


@pytest.mark.parametrize("error", [with_lower_tool, with_other_station, with_other_count])
def test_an_error_changes_one_call(error):
    for seed in range(20):
        made = with_error(error, PLAN, seed)
        assert sum(one != other for one, other in zip(made, plain(PLAN), strict=True)) == 1


def test_an_error_leaves_one_call_out():
    for seed in range(20):
        made = with_error(with_missing_step, PLAN, seed)
        assert len(made) == 3
        assert set(made) < set(plain(PLAN))


def test_errors_need_a_call_that_they_fit():
    for error in (with_other_station, with_lower_tool):
        assert with_error(error, PLAN[:2]) == plain(PLAN[:2])
    shield = (Call("equip", "shield"),)
    assert with_error(with_other_count, shield) == plain(shield)


def test_a_plan_without_an_error_and_other_texts_pass_unchanged():
    assert set(spoiled(0)) == {TEXT}
    assert set(spoiled(3, "explain")) == {TEXT}
    assert set(spoiled(3, text=f"Sure!\n{TEXT}")) == {f"Sure!\n{TEXT}"}
    assert any("mine(" in text for text in spoiled(3) if text != TEXT)
