import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.protocols import assists, protocol, protocols, protocols_of
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.worlds.voxel.state.worlds import ASSISTS

ROW = {
    "name": "mine",
    "death": "respawn",
    "difficulty": "hard",
    "creatures": False,
    "time": 6000,
    "weather": "rain",
    "assists": ["night_vision"],
    "tells": ["position", "biome"],
    "source": "test",
}
NAMES = (
    "vanilla", "optimus-1-paper", "optimus-1-code", "jarvis-1-paper", "jarvis-1-code", "mp5-paper",
    "mp5-code", "deps-paper",
)  # fmt: skip


def test_the_table_of_assists_lists_exactly_the_implemented_assists():
    assert tuple(assists()) == ASSISTS.names


def test_protocols_have_the_assists_and_budgets_that_the_papers_state():
    """Optimus-1, appendices B.2 and D.1; JARVIS-1, appendix D.3; MP5, section 4.1."""
    assert tuple(protocols()) == NAMES
    assert protocol("vanilla").assists == ()
    assert protocol("optimus-1-paper").assists == ("night_vision", "diamonds_20_percent")
    assert set(protocol("jarvis-1-paper").assists) == {
        "night_vision", "keep_inventory", "peaceful", "always_day",
    }  # fmt: skip
    assert (protocol("mp5-paper").assists, protocol("mp5-paper").budget) == ((), 12_000)
    assert {name: protocol(name).death for name in NAMES} == {
        name: "respawn" if "jarvis" in name or name == "optimus-1-code" else "episode_over"
        for name in NAMES
    }


def test_protocols_show_the_biome_and_position_that_the_papers_agents_see():
    """Optimus-1, appendix B.2; JARVIS-1, appendix D.1, Table 4; MP5, appendix B.3."""
    assert {name: protocol(name).tells for name in NAMES} == {
        "vanilla": ("biome",),
        "optimus-1-paper": (),
        "optimus-1-code": ("biome", "position"),
        "jarvis-1-paper": ("biome", "position"),
        "jarvis-1-code": ("biome", "position"),
        "mp5-paper": ("position",),
        "mp5-code": ("position",),
        "deps-paper": ("biome", "position"),
    }


def test_all_protocols_have_creatures_and_begin_at_dawn_under_a_clear_sky():
    for one in protocols().values():
        assert (one.creatures, one.difficulty, one.time, one.weather) == (
            True,
            "normal",
            0,
            "clear",
        )


def test_every_suite_names_a_known_protocol_and_every_assist_has_a_protocol():
    assert {found.protocol for suite in SUITES for found in tasks(suite).values()} <= set(NAMES)
    assert {name for one in protocols().values() for name in one.assists} == set(assists())


def test_a_row_becomes_a_protocol():
    (own,) = protocols_of([{**ROW, "budget": 600}], "mine.json").values()
    assert (own.death, own.difficulty, own.creatures) == ("respawn", "hard", False)
    assert (own.time, own.weather) == (6000, "rain")
    assert (own.assists, own.budget) == (("night_vision",), 600)
    assert own.tells == ("biome", "position")
    assert protocols_of([ROW], "mine.json")["mine"].budget is None


def test_the_smallest_and_the_largest_values_are_accepted():
    for changes in ({"budget": 1}, {"time": 0}, {"time": 23_999}):
        own = protocols_of([{**ROW, **changes}], "mine.json")["mine"]
        assert {name: getattr(own, name) for name in changes} == changes


def test_the_error_for_an_unknown_protocol_suggests_the_nearest():
    with pytest.raises(UnknownName, match="'optimus-1-pap'; did you mean 'optimus-1-paper'"):
        protocol("optimus-1-pap")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"assists": ["night_visio"]}, "unknown assist 'night_visio'; did you mean 'night_vision'"),
        ({"assists": ["night_vision", "night_vision"]}, "expected each assist once"),
        ({"assists": "night_vision"}, "expected assists of type list, got 'night_vision'"),
        ({"assists": [["night_vision"]]}, "unknown assist"),
        ({"tells": ["biomes"]}, "unknown tell 'biomes'; did you mean 'biome'"),
        ({"tells": ["biome", "biome"]}, "expected each tell once"),
        ({"tells": "biome"}, "expected tells of type list, got 'biome'"),
        ({"creatures": 1}, "expected creatures of type bool, got 1"),
        ({"death": "over"}, r"expected death as one of \('episode_over', 'respawn'\), got 'over'"),
        ({"difficulty": "eas"}, "expected difficulty as one of"),
        ({"weather": "snow"}, "expected weather as one of"),
        ({"time": 24000}, "expected a time of 0 to 23999, got 24000"),
        ({"budget": 0}, "expected a budget of at least 1 tick, got 0"),
        ({"budget": True}, "expected a budget of at least 1 tick, got True"),
        ({"gravity": 1}, "expected no field 'gravity'"),
    ],
)
def test_faults_of_a_row_are_reported(changes, fault):
    with pytest.raises(BadValue, match=rf"mine.json: 1 fault\n  row 0 \(mine\): {fault}"):
        protocols_of([{**ROW, **changes}], "mine.json")


def test_all_faults_of_a_file_are_reported_at_once():
    nameless = {name: value for name, value in ROW.items() if name != "name"}
    with pytest.raises(BadValue) as raised:
        protocols_of([ROW, ROW, nameless], "mine.json")
    assert "2 faults" in str(raised.value)
    assert "row 1 (mine): expected a new name" in str(raised.value)
    assert "row 2 (?): expected a field 'name', got none" in str(raised.value)
