"""The table says whose figures it shows."""

import pytest

from optimus_gym.run.results.table import title_of
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
    ids=["a controller", "the world itself", "an episode not played comes first", "none played"],
)
def test_the_title_names_the_controller_where_one_has_played(rows, who):
    assert title_of(rows) == f"optimus-67: {who} (privileged), world voxel, vanilla"
