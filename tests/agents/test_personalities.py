"""The answers of a server's model alone decide whether a task that needs a plan succeeds."""

import json

import pytest

from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.rules import answer_to
from tests.agents.playing import last_info
from tests.backbones.openai_server import GOOD, saying, serving, set_environment
from tests.envs.conftest import make

pytest.importorskip("openai")

CORRECTED = "\nYour answer was:\n"


def tasks_in(text):
    """Return the steps of the plan that the rules would write."""
    return [step["task"] for step in json.loads(answer_to(text)).values()]


def plan(text):
    return answer_to(text)


def fenced(text):
    return f"Sure! Here is the plan:\n```json\n{plan(text)}\n```\nGood luck!"


def thinking(text):
    return f"<think>\nmine 3 diamond, or rather not\n</think>\n{plan(text)}"


def numbered(text):
    return "\n".join(f"{n}. {task}" for n, task in enumerate(tasks_in(text), 1))


def bullets(text):
    return "## Plan\n" + "\n".join(f"- **{task}**" for task in tasks_in(text))


def corrigible(text):
    return plan(text) if CORRECTED in text else "1. craft 1 stone pickaxe"


def half_sound(text):
    """Return the plan's first half and then an impossible step."""
    tasks = tasks_in(text)
    return "\n".join([*tasks[: max(len(tasks) // 2, 1)], "craft 1 diamond pickaxe"])


def short_sighted(text):
    return f"1. {tasks_in(text)[0]}"


USEFUL = {
    "as asked": plan,
    "fenced and chatty": fenced,
    "thinking aloud": thinking,
    "numbered lines": numbered,
    "headings and bullets": bullets,
    "right when corrected": corrigible,
    "half sound": half_sound,
    "one step at a time": short_sighted,
}
"""A model's answers to a text, by name; each model succeeds by its own plans."""
CUT = {
    **GOOD,
    "choices": [{"message": {"content": "<think>First I need"}, "finish_reason": "length"}],
}
CALLS = saying({"content": None, "tool_calls": [{"function": {"name": "mine", "arguments": "{}"}}]})
USELESS = {
    "prose": (saying({"content": "I love this game."}), "answer 1: expected a JSON object of steps"),
    "silence": (saying({"content": ""}), "no answer: no text"),
    "tool calls only": (CALLS, "no answer: no text"),
    "cut thoughts": (CUT, "answer 1: expected a whole answer, got an answer cut off"),
    "refusals": (saying({"content": None, "refusal": "I won't."}), "no answer: refused: I won't."),
    "status 500": ("500", "no answer: http 500"),
    "status 400": ("400", "no answer: http 400"),
    "lost connections": ("cut", "no answer: connection lost"),
    "no JSON at all": ("no JSON", "no answer: no JSON in"),
    "other JSON": (saying({"content": '{"weather": "fine"}'}), "answer 1: "),
    "things that are not": (saying({"content": "1. craft 1 warp drive"}), "expected an item of the game"),
    "the goal at once": (saying({"content": "1. craft 1 stone pickaxe"}), "(craft 1 stone_pickaxe) cannot"),
    "an unclosed thought": (saying({"content": "<think>mine 3 log"}), "answer 1: "),
}  # fmt: skip
"""A server's message and the beginning of the first fault, by name; no message gives a plan."""


def played(answer, monkeypatch, **options):
    """Return the last info of an episode and the server's number of requests."""
    set_environment(monkeypatch)
    with serving(lambda text, tries: answer(text)) as server:
        backbone = OpenAIBackbone("m", server.address, retries=0, timeout=5)
        agent = {"name": "optimus-1", **options}
        env = make("Optimus-Stone-v0", world="symbolic", backbone=backbone, agent=agent)
        info = last_info(env, 3)
        return info, len(server.asked)


@pytest.mark.parametrize("name", USEFUL)
def test_a_model_that_writes_steps_succeeds_by_its_own_plans(name, monkeypatch):
    info, asked = played(lambda text: saying({"content": USEFUL[name](text)}), monkeypatch)
    told = info["backbone"]
    assert info["is_success"], info["reason"]
    assert told["own_plans"] >= 1
    assert (told["goal_plans"], told["rules_plans"]) == (0, 0)
    assert told["corrections"] == asked - told["own_plans"]


@pytest.mark.parametrize("name", USELESS)
def test_a_model_that_writes_no_steps_fails_with_a_reason(name, monkeypatch):
    sent, fault = USELESS[name]
    info, asked = played(lambda text: sent, monkeypatch)
    told = info["backbone"]
    assert (info["is_success"], info["status"]) == (False, "gave_up")
    assert asked >= 1
    assert (told["own_plans"], told["goal_plans"], told["rules_plans"]) == (0, 0, 0)
    assert fault.removeprefix("answer 1: ") in info["reason"]


@pytest.mark.parametrize(("instead", "reaches"), [("goal", False), ("rules", True)])
def test_the_goal_or_the_rules_replace_a_missing_plan_only_if_chosen(instead, reaches, monkeypatch):
    sent, _ = USELESS["prose"]
    info, _ = played(lambda text: sent, monkeypatch, on_no_plan=instead, max_replans=3)
    assert info["is_success"] == reaches
    assert info["backbone"][f"{instead}_plans"] >= 1
    assert info["backbone"]["own_plans"] == 0
