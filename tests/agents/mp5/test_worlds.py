"""MP5 plays in the embedded world: it declares what its percipient sees, and loses by a wrong word."""

import pytest

from tests.envs.conftest import make


def played(task, seed=500_000, **switches):
    agent = {"name": "mp5", "switches": switches}
    env = make(f"Optimus-{task}-v0", agent=agent, ticks=60)
    _, info = env.reset(seed=seed)
    while info["status"] == "running":
        info = env.step(0)[4]
    env.close()
    return info["status"]


@pytest.mark.parametrize(
    ("switches", "status"),
    [({}, "success"), ({"perception": "none"}, "missed"), ({"during": False}, "missed")],
)
def test_a_tree_in_view_is_declared_only_by_an_agent_that_perceives(switches, status):
    assert played("Mp5FindTreeInForest", **switches) == status
