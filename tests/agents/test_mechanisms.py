"""The comparisons of agents find each agent's mechanisms, and play agents with and without them."""

import pytest

from benchmarks import mechanisms as worth
from benchmarks import side_by_side
from benchmarks.arms import EVERYTHING, NEW_PLANS, agents, mechanisms
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.registry import load


@pytest.mark.parametrize(
    ("agent", "some"),
    [
        ("optimus-1", {"reflection", "knowledge", "experience", "cases", "replanning"}),
        ("jarvis-1", {"sight", "symbols", "checks", "explains", "retrieval", "retrieval text"}),
        ("deps", {"describes", "explains", "horizon", "proximity", NEW_PLANS}),
        ("react", {"reasons", "observes"}),
        ("zero-shot", {"reflects"}),
    ],
)
def test_an_agents_mechanisms_are_found_from_its_options(agent, some):
    found = mechanisms(agent)
    assert some <= set(found)
    assert "recipes" not in found
    assert list(found)[-1] == EVERYTHING


@pytest.mark.parametrize("agent", agents())
def test_every_arm_makes_an_agent_that_differs(agent):
    plain = vars(load("agent", agent)())
    for off in mechanisms(agent).values():
        made = part_of("agent", {"name": agent, **off}).build()
        own = {name: value for name, value in vars(made).items() if name in plain}
        assert own != plain


def test_the_arm_without_everything_joins_all_switches():
    found = mechanisms("jarvis-1")
    switches = found[EVERYTHING]["switches"]
    single = [found[name]["switches"] for name in switches]
    assert switches == {name: value for one in single for name, value in one.items()}
    assert switches["retrieval"] == "none"


@pytest.mark.parametrize(
    ("rates", "rung", "rate"),
    [
        ((0.5,), 6, 0.5),
        ((1.0, 0.5), 9, 0.5),
        ((0.0, 0.0, 0.4), 0, 0.4),
        ((1.0, 0.9, 0.8, 0.7), 12, 0.7),
        ((0.3, 0.9, 0.7, 0.0), 4, 0.7),
    ],
    ids=["at once", "harder", "easier", "never hard enough", "the nearest one"],
)
def test_the_difficulty_is_the_one_nearest_to_the_middle(rates, rung, rate, monkeypatch, tmp_path):
    told = iter(rates)
    contest = worth.Contest("react", "optimus-67", "symbolic", tmp_path, None)

    class Row:
        def __init__(self, success):
            self.success = success

    def rows(self, arm, options, rung, seed, count):
        assert (options, seed) == ({}, worth.TUNING)
        share = next(told)
        return [Row(k < 10 * share) for k in range(10)]

    monkeypatch.setattr(worth.Contest, "rows", rows)
    assert contest.tuned() == (worth.LADDER[rung], rate)


def test_an_agent_that_the_world_refuses_is_left_out(tmp_path, capsys, monkeypatch):
    def rows(agent, home, asked):
        raise BadValue("world: expected one with pictures")

    monkeypatch.setattr(side_by_side, "_rows", rows)
    side_by_side.main(["--work", str(tmp_path), "--agents", "react"])
    assert "react is left out: world: expected one with pictures" in capsys.readouterr().out


def test_one_command_plays_agents_side_by_side_and_resumes(tmp_path, capsys):
    asked = ["--work", str(tmp_path), "--agents", "none", "--suite", "optimus-67"]
    asked += ["--tasks", "CraftCraftingTable", "--episodes", "2"]
    side_by_side.main(asked)
    first = capsys.readouterr().out
    assert side_by_side.SENTENCE in first
    (line,) = [one for one in first.splitlines() if one.startswith("| `none` | rules |")]
    assert (tmp_path / "side_by_side.md").read_text("utf-8").count(line) == 1
    side_by_side.main(asked)
    assert capsys.readouterr().out == first
