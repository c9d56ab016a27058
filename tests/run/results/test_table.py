"""The table names the parts that played."""

import io

import pytest
from rich.console import Console

from optimus_gym.run.results.table import group_table, title_of
from tests.run.results.making import a_row

LEFT_OUT = a_row(episode=1, success=False, status="impossible", helper="")


@pytest.mark.parametrize(
    ("rows", "who"),
    [
        ([a_row()], "optimus-1 with oracle"),
        ([a_row(helper="")], "optimus-1"),
        ([LEFT_OUT, a_row()], "optimus-1 with oracle"),
        ([LEFT_OUT], "optimus-1"),
    ],
    ids=[
        "a controller",
        "the world itself",
        "an episode not played comes first",
        "no episode was played",
    ],
)
def test_the_title_names_the_parts_that_have_played(rows, who):
    assert title_of(rows) == f"optimus-67: {who} (privileged), world voxel, vanilla"


def test_the_title_says_that_players_crafted_by_mouse():
    by_mouse = ", world voxel, vanilla, crafting by mouse (gui)"
    assert title_of([a_row(), a_row(episode=1, crafting="gui")]).endswith(by_mouse)


RULED = {"backbone": "openai", "models": ("m",), "rules_plans": 1, "fault": "a\x1b[31m"}


def test_title_groups_and_caption_report_plans_made_in_the_models_place():
    rows = [
        a_row(**RULED),
        a_row("Iron", group="iron", backbone="openai", models=("m",), own_plans=1),
    ]
    place = "in the backbone's place: 1 plan of the rules"
    assert title_of(rows).endswith(f"(privileged), backbone m, world voxel, vanilla; {place}")
    out = io.StringIO()
    Console(file=out, width=300).print(group_table(rows, {}))
    lines = {line.split()[0]: line.rstrip() for line in out.getvalue().splitlines() if line.strip()}
    assert lines["diamond"].endswith(place)
    assert "place" not in lines["iron"]
    assert lines["backbone"] == (
        "backbone asked twice; plans: 1 its own, 1 of the rules; no reply used in 1 episode; "
        "first fault: 'a\\x1b[31m'"
    )
