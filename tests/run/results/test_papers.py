"""The papers' figures stand beside what may be compared with them, and nowhere else."""

from io import StringIO

import pytest
from rich.console import Console

from optimus_gym.game.tasks import task
from optimus_gym.run.results.papers import papers_groups, papers_tasks
from optimus_gym.run.results.table import group_table
from tests.run.results.making import a_row


def rows(**other):
    given = {"controller": "random", "privileged": False, **other}
    return [a_row(episode=k, success=k == 0, **given) for k in range(4)]


def test_beside_what_sees_as_a_player_does():
    assert papers_groups(rows())["diamond"]["optimus-1"].success_rate == 0.1161
    assert papers_tasks(rows()) == {"Diamond": task("Diamond").figures}


@pytest.mark.parametrize("other", [{"privileged": True}, {"helper": ""}, {"suite": "mine"}])
def test_not_beside_what_does_not_compare(other):
    assert papers_groups(rows(**other)) == {}
    assert papers_tasks(rows(**other)) == {}
    assert papers_groups([*rows(), *rows(**other)]) == {}


def test_a_crash_is_no_reason_to_leave_them_out():
    crashed = a_row(episode=9, success=False, privileged=False, helper="", status="crashed")
    assert papers_groups([*rows(), crashed])


@pytest.mark.parametrize("privileged", [False, True])
def test_the_terminal_tells_of_what_world_they_are(privileged):
    out = StringIO()
    Console(file=out, width=300).print(group_table(rows(privileged=privileged)))
    text = out.getvalue()
    assert ("optimus-1*" in text) is not privileged
    assert ("11.6%" in text) is not privileged
    assert ("* Optimus-1, Table 1, in another world" in text) is not privileged
    assert ("(privileged)" in text) is privileged
