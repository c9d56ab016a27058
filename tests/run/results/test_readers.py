"""The words for parts that read the world."""

import sys

import pytest

from optimus_gym.run.results.papers import papers_beside
from optimus_gym.run.results.readers import readers_in
from tests.run.results.making import a_row

TRUTH = str({"name": "optimus-1", "labels": "truth"})
CONTROLLER = "the controller reads the world itself"
AGENT = "the agent (labels='truth')"


@pytest.mark.parametrize(
    ("agent", "controller", "words"),
    [
        ("optimus-1", "oracle", CONTROLLER),
        (TRUTH, "random", f"{AGENT} reads the world itself"),
        (TRUTH, "oracle", f"the controller and {AGENT} read the world itself"),
        (
            str({"name": "optimus-1", "labels": "hindsight"}),
            "oracle",
            CONTROLLER,
        ),
        ("{'name': ", "oracle", CONTROLLER),
        ("{1: 2}", "oracle", CONTROLLER),
        (str({"name": [1]}), "oracle", CONTROLLER),
        (TRUTH, "nobody", f"{AGENT} reads the world itself"),
    ],
)
def test_the_part_that_reads_the_world_is_named(agent, controller, words):
    rows = [a_row(agent=agent, controller=controller), a_row(privileged=False)]
    assert readers_in(rows) == words
    assert words in papers_beside(rows, {}).left_out


def test_several_rows_name_all_parts():
    rows = [a_row(), a_row(agent=TRUTH, controller="random")]
    assert readers_in(rows) == f"the controller and {AGENT} read the world itself"


def test_rows_that_are_not_privileged_name_no_part():
    assert readers_in([a_row(privileged=False, agent=TRUTH)]) == ""


def test_a_rows_part_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "of_a_stranger.py").write_text("class Mine:\n    def decide(self): pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    for agent in ("of_a_stranger:Mine", str({"name": "of_a_stranger:Mine", "a": 1})):
        assert readers_in([a_row(agent=agent)]) == CONTROLLER
    assert "of_a_stranger" not in sys.modules
