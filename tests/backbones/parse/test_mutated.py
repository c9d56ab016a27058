"""Spoiled replies never raise, take bounded work and never become a plan that fails its check."""

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.backbones.parse.deeds import MOST_PLAN_STEPS
from optimus_gym.backbones.parse.plans import MOST_PROBLEMS, MOST_SAID, MOST_TEXT, parse_plan
from optimus_gym.backbones.parse.values import MOST_VALUE_DEPTH, values_in
from optimus_gym.backbones.parse.verdicts import verdict_in
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.rng import generator
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.testing.situations import situation
from tests.backbones.parse.replies import FORMATS, PIECES, mutated
from tests.minds.plans import plan_by, plan_of, planner_of

GRAPH = full_graph()
FEW = 1_000
MANY = 20_000


def bounded(text):
    subgoals, problems = parse_plan(text)[:2]
    assert subgoals or problems
    assert len(subgoals) <= MOST_PLAN_STEPS
    assert len(problems) <= MOST_PROBLEMS
    assert all(0 < len(said) <= MOST_SAID for said in problems)
    return subgoals


def seconds(text):
    begun = time.process_time()
    bounded(text)
    verdict_in(text, PREDICAMENTS)
    return time.process_time() - begun


def used(text, goal, planned):
    """Return which plan follows from a repeated reply: the reply's own plan or the rules' plan."""
    made = plan_by(planner_of(ScriptedBackbone([text] * 3), GRAPH, instead="rules"), goal)
    assert made.subgoals
    faults, _ = faults_of(made.subgoals, situation(goal), judging_by(GRAPH))
    assert faults == []
    if made.planned_by == "rules":
        assert made.subgoals == planned
        assert made.problems[-1] == "the rules took over"
        return "rules"
    assert made.text == text
    return "part of its own" if made.problems else "own"


def spoil(count):
    rng = generator(7, "spoiled replies")
    goals = [task.goal for task in tasks().values()]
    plans = [plan_of(goal).subgoals for goal in goals]
    forms = list(FORMATS.values())
    whose: Counter[str] = Counter()
    for number in range(count):
        k = number % len(goals)
        text = mutated(forms[number // len(goals) % len(forms)](plans[k]), rng)
        bounded(text)
        verdict_in(text, PREDICAMENTS)
        whose[used(text, goals[k], plans[k])] += 1
    assert min(whose["own"], whose["rules"]) > count / 10


def test_a_thousand_spoiled_replies_never_raise_or_become_an_impossible_plan():
    spoil(FEW)


@pytest.mark.slow
def test_twenty_thousand_spoiled_replies_never_raise_or_become_an_impossible_plan():
    spoil(MANY)


@pytest.mark.parametrize("form", ["steps", "calls", "workflow", "records", "lines"])
def test_an_unspoiled_reply_is_used_unchanged(form):
    goal = tasks()["Iron"].goal
    planned = plan_of(goal).subgoals
    assert used(FORMATS[form](planned), goal, planned) == "own"


HARD = (
    "[", "{", "(", "mine(", "mine({", 'mine({"a":', "{a:", '{"a":{}}', "[{}],", "[1,", '"', '"\n', '"\\"\n',
    "[\\", "[1#", "'", "\\", "\n", " ", "#", "1", "1 ", "a ", "{{", "{[", '{"plan": [', '{"step 1": ',
    '{"task": "mine", "goal": ["log", 1]} ', '"x"x', '["a" b', "1. mine ", "1. mine 1 log\n", "mine(a) ",
    "action: mine\nobject: log\n", "def mine(", "return\n", "situation: ", "situation: done, ",
    "predicament:", "</think>", "<replan>", '{"times": 9, "actions": [', "\ud800", "\u0130", "\u2028", "٣",
    "²", "\x00", "<think>", "[thinking]", "<plan>", "final plan: ", "Thought:\n", "<|channel|>analysis",
    "\\boxed{", "mine 3 log, ", "1. mine 3 log and ", "| mine 3 log ", "- mine log (3 ", "x 3 ",
    "1. mine one two ", "->", "mine log -> ", "action, item, count\n", "<step>", "1. mine lgo\n", "draft: ",
    "挖", "1) ", "1. mine 3 x ", "and then ", "the ",
)  # fmt: skip


@pytest.mark.parametrize("piece", HARD)
def test_repeated_pieces_of_text_are_read_within_a_second(piece):
    text = (piece * MOST_TEXT)[:MOST_TEXT]
    assert any(seconds(text) < 1.0 for _ in range(3))  # a busy processor misses some


@pytest.mark.parametrize("opening", ["[", "{[", "{{", "[("])
def test_a_run_of_brackets_is_read_like_brackets_with_blanks(opening):
    for count in (39, 40, 41, 79, 81, 200):
        run = (opening * count)[:count]
        reads = [list(values_in(text)) for text in (run + "1", " ".join(run) + " 1")]
        close, spaced = ([(read.value, len(read.faults)) for read in found] for found in reads)
        assert close == spaced
        assert any("nested" in fault for fault in reads[0][0].faults) == (count > MOST_VALUE_DEPTH)


@given(st.lists(st.sampled_from((*PIECES, *HARD)) | st.text(max_size=9), max_size=30).map("".join))
def test_texts_of_random_pieces_never_raise(text):
    bounded(text)
    verdict_in(text, PREDICAMENTS)
