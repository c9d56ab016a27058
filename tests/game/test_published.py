"""The figures by group are those printed in the papers and agree with the tasks' figures."""

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.published import published_groups, source_of
from optimus_gym.game.tasks import SUITES, tasks


@pytest.mark.parametrize("suite", SUITES)
def test_groups_belong_to_the_suite_and_rates_lie_from_0_to_1(suite):
    groups = {task.group for task in tasks(suite).values()}
    told = published_groups(suite)
    assert set(told) <= groups | {"overall"}
    for agents in told.values():
        for figures in agents.values():
            assert 0 <= figures.success_rate <= 1


def test_printed_means_of_optimus_1_agree_with_its_tasks():
    """Table 1 is the mean over Tables 8 to 14, each task's episodes counting alike or not."""
    for group, agents in published_groups("optimus-67").items():
        rates = [
            task.figures["optimus-1"].success_rate
            for task in tasks("optimus-67").values()
            if task.group == group or (group == "overall" and task.group not in ("wood", "stone"))
        ]
        assert agents["optimus-1"].success_rate == pytest.approx(sum(rates) / len(rates), abs=0.08)


def test_ticks_printed_as_infinite_are_missing():
    gold = published_groups("optimus-67")["gold"]
    assert (gold["deps"].success_rate, gold["deps"].average_ticks) == (0, None)
    assert gold["human"].average_ticks == 13141.6


def test_each_suite_has_its_source_and_figures():
    assert source_of("jarvis-190") == "JARVIS-1, Table 1"
    assert published_groups("jarvis-190")["food"]["jarvis-1"].success_rate == 0.4675
    assert published_groups("jarvis-code-42") == {}
    with pytest.raises(UnknownName):
        published_groups("optimus-68")
