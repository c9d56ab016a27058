"""Plans and verdicts are counted by source, and the first fault's text is kept."""

from dataclasses import replace

import pytest

from optimus_gym.core.deliberation import (
    NO_TEXT,
    TALLIED,
    Answer,
    Decision,
    Outcome,
    Record,
    Tally,
    Verdict,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import SubGoal
from tests.envs.conftest import make
from tests.envs.test_loop import Judge

LOGS = SubGoal("mine", "oak_log", 64)
NOBODY = Verdict(judged_by="nobody", corrections=1, problems=("expected a word, got 'hm'",))


class Speaker(Judge):
    """Asks its backbone before each decision, and returns the given decisions and verdicts."""

    def __init__(self, decisions, verdicts):
        super().__init__(*verdicts)
        self.decisions = list(decisions)

    def decide(self, situations):
        rows = [situation.row for situation in situations]
        self.setting.backbone.complete([Request("plan", "?", row=row) for row in rows])
        return [self.decisions.pop(0) for _ in situations]


class Scripted:
    """A backbone with its replies."""

    name = "scripted"
    takes_pictures = False

    def __init__(self, *replies):
        self.replies = list(replies)

    def complete(self, requests):
        return [self.replies.pop(0) for _ in requests]


def played(env):
    env.reset(seed=1)
    info, over = {}, False
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    return info


@pytest.fixture(scope="module")
def told():
    decisions = [
        Decision(LOGS, planned_by="rules", corrections=2, problems=("expected a plan, got 'x'",)),
        Decision(LOGS, planned_by="backbone", corrections=1),
        Decision(LOGS),
        Decision(LOGS, planned_by="goal"),
        Decision(None, "enough", corrections=2, problems=("last",)),
    ]
    verdicts = [
        NOBODY,
        Verdict("REPLAN", "in_water", judged_by="backbone", corrections=1),
        *[Verdict("REPLAN", judged_by="backbone")] * 2,
        Verdict("REPLAN"),
    ]
    replies = [Reply("prose"), Reply("", faults=("refused", "again")), *[Reply("a plan")] * 3]
    agent = Speaker(decisions, verdicts)
    env = make(
        "Optimus-Wood-v0", agent=agent, backbone=Scripted(*replies), controller="random",
        info="full",
    )  # fmt: skip
    return played(env), agent.records[0]


def test_plans_and_verdicts_are_counted_by_their_source(told):
    info, record = told
    counts = {name: info["backbone"][name] for name in TALLIED}
    assert counts == {
        "corrections": 7, "own_plans": 1, "goal_plans": 1, "rules_plans": 1, "own_verdicts": 3,
        "lost_verdicts": 1,
    }  # fmt: skip
    assert record.tally == Tally(**counts, fault="expected a plan, got 'x'")


def test_counts_have_the_order_of_their_names():
    tally = Tally(**{name: place for place, name in enumerate(TALLIED)})
    assert tally.counts == tuple(range(len(TALLIED)))


def test_unanswered_questions_are_counted(told):
    info, record = told
    asked = {name: info["backbone"][name] for name in ("calls", "unanswered", "faults")}
    assert asked == {"calls": 5, "unanswered": 1, "faults": 2}
    assert [answer.answered for answer in record.answers] == [True, False, True, True, True]


def test_the_text_of_the_first_fault_is_kept(told):
    info, _ = told
    assert info["backbone"]["fault"] == "expected a plan, got 'x'"
    silent = Answer("plan", "m", 0.0, 0, 0, 0, faults=("refused", "later"), answered=False)
    first = Tally().heard(silent).after(NOBODY)
    assert (first.fault, first.lost_verdicts) == ("refused", 1)
    assert Tally().after(NOBODY).heard(silent).fault == NOBODY.problems[0]
    assert Tally().heard(replace(silent, faults=())).fault == NO_TEXT
    assert Tally().heard(replace(silent, answered=True)).fault == ""


def test_wrong_complete_verdicts_are_counted():
    wrong = Outcome(0, LOGS, "complete", contradicted=True)
    right = Outcome(0, LOGS, "complete")
    assert Record(0, None, "gave_up", outcomes=(wrong, right, wrong)).complete_wrong == 2


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (
            Decision(LOGS, planned_by="me"),
            "planned_by: expected one of '', 'backbone', 'goal', 'rules', got 'me'",
        ),
        (Decision(LOGS, corrections=-1), "corrections .decide.: expected an integer of at least 0"),
        (Decision(LOGS, corrections=True), "corrections .decide.: expected an integer of at leas"),
    ],
)
def test_a_decision_with_an_unknown_source_is_refused(decision, message):
    env = make("Optimus-Wood-v0", agent=Speaker([decision], []), backbone=Scripted(Reply("a plan")))
    with pytest.raises(BadValue, match=f"agent 'judge': {message}"):
        env.reset(seed=1)


def test_a_verdict_with_an_unknown_source_is_refused():
    agent = Speaker([Decision(LOGS)], [Verdict(judged_by="me")])
    env = make("Optimus-Wood-v0", agent=agent, backbone=Scripted(Reply("a plan")))
    env.reset(seed=1)
    with pytest.raises(BadValue, match="judged_by: expected one of '', 'backbone', 'nobody', got"):
        env.step(0)
