"""A table of arms shows rates, differences to the last arm, and the paper's figures where they compare."""

import io

from rich.console import Console

from optimus_gym.core.intervals import wilson
from optimus_gym.game.protocols import protocol
from optimus_gym.game.published import published_groups
from optimus_gym.game.tasks import tasks
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.results.row import OVERTIME
from optimus_gym.run.tables.arm_table import arm_table
from optimus_gym.run.tables.arms import ABLATED, Arm, Comparison, ablation_arms
from tests.run.results.making import a_row

EVALUATION = Evaluation(suite=ABLATED, world="symbolic", episodes=1, seed=10_000)


def printed(comparison, played):
    out = io.StringIO()
    console = Console(file=out, width=400, color_system=None)
    console.print(arm_table(comparison, played, {}))
    return out.getvalue()


def rows(success, **given):
    """Return an episode of each task of the suite; `success` says by group which ones are reached."""
    known = tasks(ABLATED)
    return [
        a_row(
            suite=ABLATED, task=name, group=task.group, seed=k, success=task.group in success,
            budget=protocol(task.protocol).budget or task.budget, protocol=task.protocol, **given,
        )
        for k, (name, task) in enumerate(known.items())
    ]  # fmt: skip


def two(paper):
    arms = [Arm("less", EVALUATION, paper), Arm("more", EVALUATION, {})]
    return Comparison("A title", tuple(arms))


def test_rates_and_differences_are_counted_from_the_rows():
    played = {"less": rows(("wood",)), "more": rows(("wood", "stone"))}
    text = printed(two({}), played)
    head, less, more = [line for line in text.splitlines() if line.strip()][1:4]
    assert head.split()[:5] == ["wood", "stone", "iron", "gold", "diamond"]
    assert head.split()[-2:] == ["less", "more"]
    low, high = (100 * end for end in wilson(2, 2))
    assert f"100.0 ({low:.1f} to {high:.1f})" in less
    assert less.strip().startswith("less")
    share = 100 * 3 / 18
    assert f"-{share:.1f} (" in less
    assert more.rstrip().endswith("-")


def test_papers_figures_stand_below_an_arm_that_compares():
    paper = {"wood": 0.95, "stone": 0.5, "iron": 0.25, "gold": 0.1, "diamond": 0.05}
    played = {
        name: rows(("wood",), privileged=False, helper="functional") for name in ("less", "more")
    }
    text = printed(two(paper), played)
    assert "less (paper)" in text
    assert "95.0" in text
    assert "in another world" in text
    reading = {
        name: rows(("wood",), privileged=True, helper="functional") for name in ("less", "more")
    }
    text = printed(two(paper), reading)
    assert "(paper)" not in text
    assert "The paper's figures are left out" in text


def test_papers_figures_need_whole_groups():
    part = [row for row in rows((), privileged=False, helper="functional") if row.group != "gold"]
    text = printed(two({"wood": 0.9}), {"less": part[1:], "more": part[1:]})
    assert "wood: 1 of 2 tasks were played" in text


def test_an_ablation_prints_all_its_arms():
    comparison = ablation_arms("2", EVALUATION, ("rules",))
    text = printed(comparison, {arm.name: rows(("wood",)) for arm in comparison.arms})
    assert all(arm.name in text for arm in comparison.arms)
    assert "Table 2" in text


def test_the_paper_line_of_an_agent_has_its_published_rates():
    suite = "optimus-67"
    evaluation = Evaluation(
        suite=suite, world="symbolic", agent="jarvis-1", episodes=1, seed=10_000
    )
    known = tasks(suite)
    played = [
        a_row(
            suite=suite, task=name, group=task.group, success=True, privileged=False,
            budget=protocol(task.protocol).budget or task.budget, protocol=task.protocol,
        )
        for name, task in known.items()
    ]  # fmt: skip
    text = printed(Comparison("Table 1", (Arm("jarvis", evaluation),)), {"jarvis": played})
    assert "jarvis (paper)" in text
    assert f"{100 * published_groups(suite)['iron']['jarvis-1'].success_rate:.1f}" in text


def test_an_arm_of_overtime_episodes_alone_has_no_figures():
    late = rows((), status=OVERTIME)
    text = printed(two({}), {"less": late, "more": rows(("wood",))})
    assert "less" in text
    line = next(one for one in text.splitlines() if one.strip().startswith("less "))
    assert set(line.split()[1:]) == {"-"}
