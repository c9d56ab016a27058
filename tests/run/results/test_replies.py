"""A model's used and unused replies are described in words, if there are any."""

from dataclasses import replace

import pytest

from optimus_gym.core.errors import NoReplyUsed
from optimus_gym.run.results.figures import by_group
from optimus_gym.run.results.replies import MOST_FAULT, Replies, check_used, replies_in
from optimus_gym.run.results.table import causes, title_of
from tests.run.results.making import a_row

MODEL = Replies(calls=4, backbones=("openai",), models=("m",), pursued=3)
SPOILT = {
    "corrected in vain": {"corrections": 2},
    "the rules planned": {"rules_plans": 1},
    "the bare goal was handed out": {"goal_plans": 1},
    "no verdict could be read": {"lost_verdicts": 1},
    "nothing was pursued": {"pursued": 0},
    "no text came": {"unanswered": 4},
}


@pytest.mark.parametrize(
    "silent",
    [
        Replies(),
        Replies(calls=3, own_plans=2, own_verdicts=1, models=("rules",), fault="odd"),
        Replies(goal_plans=3),
    ],
    ids=["no question", "the rules and their own plans", "the agent without a planner"],
)
def test_replies_without_faults_or_without_a_model_need_no_words(silent):
    assert (silent.told, silent.replaced) == ("", "")
    check_used(silent)


def test_all_counts_are_described():
    told = Replies(
        calls=1200, unanswered=1, corrections=2, own_plans=3, goal_plans=1, rules_plans=2,
        own_verdicts=5, lost_verdicts=4, complete_wrong=1, backbones=("openai",), fault="http 500",
    ).told  # fmt: skip
    assert told == (
        "backbone asked 1,200 times, failed once, corrected twice; "
        "plans: 3 its own, 2 of the rules, 1 of the bare goal; "
        "verdicts: 5 its own, 4 unreadable; "
        "1 sub-goal called complete that the inventory does not show; first fault: 'http 500'"
    )


def test_plans_of_the_bare_goal_are_reported_for_the_rules_backbone_too():
    rules = Replies(calls=1, goal_plans=1, models=("rules",), fault="no source of beef")
    assert rules.replaced == "in the backbone's place: 1 plan of the bare goal"
    assert rules.told.startswith("backbone asked once; plans: 0 its own, 1 of the bare goal")
    check_used(rules)


@pytest.mark.parametrize("spoilt", SPOILT.values(), ids=SPOILT)
def test_unused_replies_raise_an_error_with_the_first_fault(spoilt):
    useless = replace(MODEL, fault="expected steps, got 'hm'", **spoilt)
    with pytest.raises(
        NoReplyUsed, match=r"backbone m: .* got 4 unusable ones; first fault: \"expected"
    ):
        check_used(useless)
    for used in ({"own_plans": 1}, {"own_verdicts": 1}):
        check_used(replace(useless, **used))


def test_the_fallible_backbone_is_reported_like_a_model():
    fallible = Replies(calls=1, own_plans=1, backbones=("fallible",), models=("rules",))
    assert fallible.told == "backbone asked once; plans: 1 its own"
    with pytest.raises(NoReplyUsed, match="backbone fallible: exp"):
        check_used(replace(fallible, own_plans=0, goal_plans=1, fault="odd"))


def test_replies_to_an_agent_without_sources_count_as_used():
    check_used(replace(MODEL, unanswered=1, fault="timeout"))


def test_sums_of_rows_name_the_episodes_without_a_used_reply():
    lost = {"backbone": "openai", "models": ("m",), "calls": 2, "unanswered": 2, "fault": "timeout"}
    used = {
        "backbone": "openai",
        "models": ("m", "n"),
        "calls": 3,
        "own_plans": 1,
        "fault": "odd",
        "complete_wrong": 2,
    }
    both = replies_in([a_row(), a_row(episode=1, **used), a_row(episode=2, **lost)])
    assert (both.calls, both.unanswered, both.own_plans, both.unused) == (6, 2, 1, 1)
    assert (both.models, both.fault, both.complete_wrong) == (("rules", "m", "n"), "odd", 2)
    assert "no reply used in 1 episode;" in both.told
    check_used(both)
    with pytest.raises(
        NoReplyUsed, match="got 4 unusable ones in 2 episodes; first fault: 'timeout'"
    ):
        check_used(replies_in([a_row(episode=k, **lost) for k in range(2)]))


def test_lost_memories_are_counted_with_the_first_reason():
    lost = [a_row(episode=k, memory_lost=why) for k, why in enumerate(("", "no file", "damaged"))]
    both = replies_in(lost)
    assert (both.lost, both.loss) == (2, "no file")
    assert both.told == "memory lost in 2 episodes: 'no file'"
    assert title_of(lost).endswith("; memory lost in 2 episodes")
    assert causes(by_group(lost)[0], lost) == "memory lost in 2 episodes"
    assert "memory lost" not in title_of(lost[:1])


def test_a_fault_is_quoted_in_one_short_line():
    fault = Replies(fault="a\nb\x1b[31m" + "c" * 10_000).quoted
    assert fault.startswith(r"'a b\x1b[31mccc")
    assert len(fault) < MOST_FAULT + 20
