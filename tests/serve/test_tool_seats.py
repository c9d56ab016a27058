"""A bounded number of worlds for clients that play by tools."""

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.serve.tool_seats import ToolPlaces, ToolSeat, forms_with_begin
from optimus_gym.wrappers import ToolSpec

SPEC = ToolSpec({"task": "Wood", "world": "symbolic"})
LOGS = ("mine", {"item": "log", "count": 2})


def test_a_seat_takes_a_place_at_the_first_use_and_frees_it_when_it_closes():
    places = ToolPlaces(SPEC, 1)
    one, other = ToolSeat(places), ToolSeat(places)
    assert one.state is None
    assert one.begin(seed=1).startswith("Status: running")
    with pytest.raises(BadValue, match="worlds: expected at most 1 clients that play at once"):
        other.call(*LOGS)
    one.close()
    one.close()
    assert one.state is None
    assert other.call(*LOGS).contents[0]["text"].startswith("mine 2 oak_log: reached")
    with pytest.raises(BadValue, match="got one that has left"):
        one.call(*LOGS)


def test_the_first_call_begins_an_episode_and_begin_another():
    seat = ToolSeat(ToolPlaces(SPEC, 1))
    seat.call(*LOGS)
    assert (seat.state.task, seat.state.steps) == ("Wood", 1)
    assert "Craft a stone pickaxe" in seat.begin(seed=4, task="Stone")
    assert (seat.state.task, seat.state.seed, seat.state.steps) == ("Stone", 4, 0)
    seat.begin(seed=4)
    assert seat.state.task == "Wood"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [({"seed": "x"}, BadValue), ({"task": "Ston"}, UnknownName), ({"task": {}}, BadValue)],
)
def test_a_wrong_beginning_keeps_no_place(wrong, error):
    places = ToolPlaces(SPEC, 1)
    with pytest.raises(error):
        ToolSeat(places).begin(**wrong)
    assert ToolSeat(places).begin(seed=0)


def test_a_failed_world_frees_its_place():
    places = ToolPlaces(ToolSpec({"task": "Nothing", "world": "symbolic"}), 1)
    for _ in range(2):
        with pytest.raises(UnknownName):
            ToolSeat(places).begin()


def test_begin_is_a_tool_for_protocols_without_a_reset():
    first = forms_with_begin()[0]
    assert first.name == "begin"
    assert set(first.schema["properties"]) == {"seed", "task"}
