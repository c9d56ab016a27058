"""The papers' figures are shown only for whole groups played under the papers' conditions."""

from io import StringIO

import pytest
from rich.console import Console

from optimus_gym.game.protocols import protocol
from optimus_gym.game.tasks import tasks
from optimus_gym.run.report.page import page
from optimus_gym.run.results.papers import papers_beside
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.table import group_table, print_whole
from tests.run.report.folders import a_folder
from tests.run.results.making import a_row

PAPERS = {
    "optimus-67": "optimus-1-paper",
    "optimus-ablation-18": "optimus-1-paper",
    "jarvis-190": "jarvis-1-paper",
    "mp5-process-25": "mp5-paper",
    "mp5-context-16": "mp5-paper",
    "deps-50": "deps-paper",
}
SOME = "The papers' figures of some groups are left out: "
ALL = "The papers' figures are left out: "


def rows(*groups, suite="optimus-67", episodes=1, **other):
    """Return rows of all tasks of the given groups (by default of all), under the papers' conditions."""
    given = {"controller": "random", "privileged": False, "protocol": PAPERS[suite]}
    return [
        a_row(
            task=task.id,
            group=task.group,
            suite=suite,
            episode=k,
            success=k == 0,
            **{"budget": protocol(PAPERS[suite]).budget or task.budget, **given, **other},
        )
        for task in tasks(suite).values()
        if not groups or task.group in groups
        for k in range(episodes)
    ]


def shown(told, start=()):
    out = StringIO()
    Console(file=out, width=300).print(group_table(told, dict(start)))
    return out.getvalue()


@pytest.mark.parametrize("suite", PAPERS)
def test_a_suite_under_its_papers_conditions_gets_the_papers_figures(suite):
    told = papers_beside(rows(suite=suite), {})
    groups = {task.group for task in tasks(suite).values()}
    assert set(told.groups) == groups | ({"overall"} if suite == "optimus-67" else set())
    assert set(told.tasks) == {task.id for task in tasks(suite).values() if task.figures}
    assert told.left_out == ""


def test_the_shown_figures_are_the_papers():
    told = papers_beside(rows("diamond"), {})
    assert set(told.groups) == {"diamond"}
    assert told.groups["diamond"]["optimus-1"].success_rate == 0.1161
    assert told.tasks["Diamond"] == tasks()["Diamond"].figures
    assert len(told.tasks) == 7


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"privileged": True}, "the controller reads the world itself"),
        ({"helper": ""}, "the world carries out sub-goals by itself"),
        ({"protocol": "vanilla"}, "the protocol is vanilla, the papers' is optimus-1-paper"),
    ],
)
def test_rows_under_other_conditions_get_no_figures(other, why):
    for told in (rows(**other), [*rows("wood"), *rows("stone", **other)]):
        assert papers_beside(told, {}).groups == {}
        assert papers_beside(told, {}).tasks == {}
        assert papers_beside(told, {}).left_out == f"{ALL}{why}."


def test_episodes_with_reset_options_get_no_figures():
    told = papers_beside(rows("wood"), {"inventory": {"oak_log": 9}})
    assert told.groups == told.tasks == {}
    assert told.left_out == f"{ALL}episodes begin with the reset options inventory."


def test_part_of_a_group_gets_no_figures():
    two = [row for row in rows("wood") if row.task in ("Wood", "CraftChest")]
    told = papers_beside(two, {})
    assert told.groups == told.tasks == {}
    assert told.left_out == f"{ALL}wood: 2 of 10 tasks were played."
    told = papers_beside([*two, *rows("stone")], {})
    assert set(told.groups) == {"stone"}
    assert {tasks()[name].group for name in told.tasks} == {"stone"}
    assert told.left_out == f"{SOME}wood: 2 of 10 tasks were played."


def test_an_overtime_episode_does_not_count_as_played():
    late = [
        a_row(**{**as_given(row), "status": "crashed (time)", "success": False})
        if row.task == "Wood"
        else row
        for row in rows("wood")
    ]
    assert papers_beside(late, {}).left_out == f"{ALL}wood: 9 of 10 tasks were played."


def as_given(row):
    return {name: getattr(row, name) for name in row.__slots__}


@pytest.mark.parametrize("suite", ["optimus-67", "mp5-process-25"])
def test_episodes_with_another_budget_get_no_figures(suite):
    told = papers_beside(rows(suite=suite, budget=300), {})
    assert told.groups == told.tasks == {}
    assert "had a budget of 300 ticks instead of " in told.left_out
    one = rows("wood")[0]
    other = a_row(**{**as_given(one), "episode": 1, "budget": 7200})
    told = papers_beside([*rows("wood", "stone"), other], {})
    assert set(told.groups) == {"stone"}
    budget = "CraftWoodenShovel had a budget of 7,200 ticks instead of 3,600"
    assert told.left_out == f"{SOME}wood: {budget}."


def test_the_mean_of_groups_needs_all_of_them():
    """Optimus-1, Table 1: "overall" is the mean of iron to armor."""
    without = ("iron", "gold", "diamond", "redstone")
    assert "overall" not in papers_beside(rows(*without), {}).groups
    assert "overall" in papers_beside(rows(*without, "armor"), {}).groups


@pytest.mark.parametrize("suite", ["mine", "own", "jarvis-code-42"])
def test_a_suite_without_a_paper_has_no_note(suite):
    told = papers_beside([a_row(suite=suite)], {})
    assert (told.groups, told.tasks, told.left_out) == ({}, {}, "")


def test_a_task_outside_the_group_is_named():
    other = a_row(task="Wooden", group="wood", privileged=False, protocol="optimus-1-paper")
    told = papers_beside([*rows("wood"), other], {})
    assert told.left_out == f"{ALL}wood: the group has no task 'Wooden'."


def test_crashed_and_impossible_episodes_are_failures():
    for status in ("crashed", "impossible"):
        made = [
            a_row(**{**as_given(row), "status": status, "helper": "", "success": False})
            if row.task == "Wood"
            else row
            for row in rows("wood")
        ]
        assert papers_beside(made, {}).groups


def test_the_terminal_says_that_the_figures_are_of_another_world():
    text = shown(rows("diamond", "gold"))
    assert "optimus-1*" in text
    assert "11.6%" in text
    assert "* Optimus-1, Table 1, in another world" in text
    assert "left out" not in text


def test_the_terminal_gives_the_reason_for_missing_figures():
    text = shown(rows("diamond", privileged=True))
    assert "optimus-1*" not in text
    assert "11.6%" not in text
    assert "(privileged)" in text
    assert f"{ALL}the controller reads the world itself." in text
    assert "reset options time." in shown(rows("diamond"), {"time": 18_000})


def test_a_narrow_terminal_gets_the_whole_reason(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    print_whole(group_table(rows("diamond", privileged=True), {"time": 18_000}))
    assert "reads the world itself; episodes begin with the reset options time.\n" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize("start", [{}, {"time": 18_000}])
def test_the_page_gives_the_reason_for_missing_figures(tmp_path, start):
    asked = {"suite": "optimus-67", "start": start}
    results = read_results(a_folder(tmp_path / "one", rows("diamond"), evaluation=asked))
    html = page([results], [], tmp_path / "page.html", 1_000_000)
    assert ("11.6 %" in html) is not bool(start)
    assert ("optimus-1*" in html) is not bool(start)
    assert ("are left out: episodes begin with the reset options time." in html) is bool(start)
