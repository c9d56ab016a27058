"""A contract tries each rule, reports what it got and where, and stops at a broken basic rule."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import optimus_gym.testing
from optimus_gym.core.errors import UnknownName
from optimus_gym.testing import KINDS, contract_of
from optimus_gym.testing.contract import (
    Contract,
    NotApplicable,
    PartCase,
    RuleBroken,
    describe,
    expect,
    expect_refusal,
    member_names,
    place_in_code,
)

ROOT = Path(__file__).resolve().parents[2]
TOYS = Contract(PartCase)


@TOYS.basic
def can_be_made(case):
    """A toy can be made."""
    case.make()


@TOYS.rule
def rolls(case):
    """A toy rolls a way of at least 1.

    The rest is no part of the sentence.
    """
    toy = case.make()
    expect(toy.roll() >= 1, "a way of at least 1", toy.roll(), toy, "roll")


@TOYS.rule
def sings(case):
    """A toy sings."""
    if not hasattr(case.make(), "sing"):
        raise NotApplicable("it has no voice")
    case.make().sing()


class Ball:
    def roll(self):
        return 3


class Cube(Ball):
    def roll(self):
        return 0

    def sing(self):
        return {}["song"]


class Glass(Ball):
    def __init__(self):
        sys.exit("broken")


def line_of(text):
    """Return the number of the first line of this file with a text."""
    lines = Path(__file__).read_text("utf-8").splitlines()
    return next(k for k, line in enumerate(lines, start=1) if text in line)


def test_a_rule_returns_why_it_does_not_apply():
    first, rolling, singing = TOYS.rules
    assert (first(Ball), rolling(Ball), singing(Ball)) == ("", "", "it has no voice")
    assert str(rolling) == "rolls"
    assert rolling.sentence == "A toy rolls a way of at least 1."


def test_a_broken_rule_reports_expected_and_actual_value_and_place():
    line = line_of("class Cube") + 1
    place = re.escape(f"(Cube.roll, test_contract.py line {line})")
    with pytest.raises(RuleBroken, match=f"expected a way of at least 1, got 0 {place}"):
        TOYS.rules[1](Cube)
    with pytest.raises(AssertionError):
        TOYS.rules[1](Cube)


def test_an_error_inside_a_part_is_reported_with_its_place():
    findings = list(TOYS.findings(Cube))
    assert [one.verdict for one in findings] == ["passed", "failed", "failed"]
    line = line_of('return {}["song"]')
    assert findings[2].detail == (
        f"expected no error, got KeyError: 'song' (test_contract.py line {line}, in sing)"
    )


def test_no_rule_is_tried_after_a_broken_basic_rule():
    findings = list(TOYS.findings(Glass))
    assert [one.verdict for one in findings] == ["failed", "not tried", "not tried"]
    assert "SystemExit: broken" in findings[0].detail
    assert findings[1].detail == "the part breaks the rule can_be_made"


def test_an_error_in_a_library_is_placed_in_the_parts_own_code():
    def parse():
        return ast.parse("1 +")

    with pytest.raises(SyntaxError) as caught:
        parse()
    line = line_of('return ast.parse("1 +")')
    assert describe(caught.value, Cube).endswith(f"(test_contract.py line {line}, in parse)")


def test_a_call_that_does_not_fit_is_placed_at_the_class():
    with pytest.raises(TypeError) as caught:
        Cube().roll(1)
    caught.value.__traceback__ = None
    assert f"(Cube, test_contract.py line {line_of('class Cube')})" in describe(caught.value, Cube)


def test_a_missing_refusal_and_a_wrong_error_are_reported():
    with pytest.raises(RuleBroken, match=r"expected ValueError for a cube, got no error \(Cube"):
        expect_refusal(lambda: None, (ValueError,), "a cube", Cube, "roll")
    with pytest.raises(
        RuleBroken, match=r"expected OSError or ValueError for a cube, got KeyError"
    ):
        expect_refusal(Cube().sing, (OSError, ValueError), "a cube", Cube, "roll")
    expect_refusal(Cube().sing, (KeyError,), "a cube", Cube, "roll")


def test_a_place_without_source_is_shown_as_a_name():
    assert place_in_code(3) == "int"
    assert place_in_code(int, "bit_length") == "int.bit_length"


def test_member_names_lists_attributes_properties_and_methods():
    from optimus_gym.core.interfaces import Backbone

    assert member_names(Backbone) == ["name", "takes_pictures", "complete"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_has_one_sentence_and_a_name_of_its_own(kind):
    rules = contract_of(kind).rules
    assert len({rule.name for rule in rules}) == len(rules) > 5
    for rule in rules:
        assert re.fullmatch(r"[A-Z`][^\n]*\.", rule.sentence), rule.sentence


def test_an_unknown_kind_of_part_is_refused():
    with pytest.raises(UnknownName, match="unknown kind of part 'wolrd'; did you mean 'world'"):
        contract_of("wolrd")


def test_the_docstrings_example_tests_a_part(tmp_path):
    lines = optimus_gym.testing.__doc__.split("\n\n")[2].splitlines()
    example = "\n".join(line.removeprefix("    ") for line in lines)
    heads = "import pytest\nfrom optimus_gym.testing import controller_rules\n"
    part = "from tests.controllers.faulty import AnyVerb as Mine\n\n"
    (tmp_path / "test_mine.py").write_text(f"{heads}{part}{example}\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path), "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    rules = len(contract_of("controller").rules)
    assert f"1 failed, {rules - 1} passed" in done.stdout
    assert "test_mine_fits[refuses_other_verbs]" in done.stdout


def test_the_testing_package_uses_no_assert():
    paths = sorted((ROOT / "optimus_gym" / "testing").glob("*.py"))
    assert paths
    for path in paths:
        tree = ast.parse(path.read_text("utf-8"))
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)], path.name
