"""Arms differ in agent, backbone or switches, and nothing else."""

import pytest

from optimus_gym.agents.optimus1.switches import PRESETS
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.tasks import tasks
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.tables.arms import (
    ABLATED,
    ablation_arms,
    ablations,
    has_sizes,
    table_arms,
    tables,
)


def evaluation(suite=ABLATED, **given):
    return Evaluation(suite=suite, world="symbolic", episodes=1, seed=10_000, **given)


def test_a_table_has_each_agent_with_each_backbone():
    made = table_arms("1", evaluation("optimus-67"), ("deps", "optimus-1"), ("rules", "fallible"))
    assert [arm.name for arm in made.arms] == [
        "deps with rules", "optimus-1 with rules", "deps with fallible", "optimus-1 with fallible",
    ]  # fmt: skip
    assert [str(arm.evaluation.agent) for arm in made.arms] == ["deps", "optimus-1"] * 2
    assert {arm.evaluation.seed for arm in made.arms} == {10_000}
    (one, _) = table_arms("1", evaluation("optimus-67"), ("deps", "react"), ("rules",)).arms
    assert one.name == "deps"


def test_ablations_are_the_presets_in_the_papers_order():
    made = {
        which: ablation_arms(which, evaluation(memory="starter"), ("rules",))
        for which in ablations()
        if not has_sizes(which)
    }
    names = {which: [arm.name for arm in one.arms] for which, one in made.items()}
    assert names["2"] == [
        "nothing",
        "planning",
        "no-memory",
        "no-knowledge",
        "no-experience",
        "full",
    ]
    assert names["3"] == ["no-cases", "successes", "failures", "full"]
    assert names["5a"] == ["no-memory", "full"]
    for one in made.values():
        for arm in one.arms:
            assert arm.evaluation.agent["switches"] == arm.name
            assert arm.name in PRESETS


def test_the_papers_figures_rise_to_the_whole_agent():
    for which in ("2", "3"):
        arms = ablation_arms(which, evaluation(memory="starter"), ("rules",)).arms
        groups = {task.group for task in tasks(ABLATED).values()}
        assert all(set(arm.paper) == groups for arm in arms)
        whole = arms[-1].paper
        assert whole["diamond"] == pytest.approx(0.0959)
        assert all(arm.paper[name] <= whole[name] for arm in arms for name in groups)


def test_options_of_the_agent_hold_for_all_arms():
    agent = {"name": "optimus-1", "max_replans": 3}
    arms = ablation_arms("3", evaluation(agent=agent, memory="starter"), ("rules", "fallible")).arms
    assert len(arms) == 8
    assert all(arm.evaluation.agent["max_replans"] == 3 for arm in arms)


def test_names_are_safe_for_folders():
    backbones = ({"name": "fallible", "scale": 2}, "rules")
    arms = table_arms("15", evaluation("mp5-process-25"), ("deps",), backbones).arms
    assert all(not set(arm.name) & set("/\\:{}\"'") for arm in arms)
    assert len({arm.name for arm in arms}) == 2


def test_every_table_names_a_suite():
    for row in tables().values():
        assert tasks(row["suite"])


@pytest.mark.parametrize("agent", ["deps", {"name": "optimus-1", "switches": "planning"}])
def test_an_ablation_needs_optimus_1_without_switches(agent):
    with pytest.raises(BadValue, match="agent: expected optimus-1 without switches"):
        ablation_arms("2", evaluation(agent=agent), ("rules",))


def test_unknown_numbers_and_arms_that_come_twice_are_refused():
    with pytest.raises(UnknownName, match="unknown table '7'"):
        table_arms("7", evaluation(), ("deps",), ("rules",))
    with pytest.raises(UnknownName, match="unknown ablation '4'"):
        ablation_arms("4", evaluation(), ("rules",))
    with pytest.raises(BadValue, match="expected each once, got deps twice"):
        table_arms("1", evaluation("optimus-67"), ("deps", "deps"), ("rules",))
