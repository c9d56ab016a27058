import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.protocols import assists, parse, protocol, protocols
from optimus_gym.worlds.voxel.state import ASSISTS

ROW = {"name": "mine", "ends_at_death": False, "assists": ["night_vision"], "source": "test"}


def test_every_assist_of_the_table_is_built_and_every_built_one_is_in_it():
    assert tuple(assists()) == ASSISTS.names


def test_the_papers_protocol_has_what_its_appendices_say():
    assert protocol("vanilla").assists == ()
    assert protocol("optimus-1-paper").assists == ("night_vision", "diamonds_20_percent")
    assert next(iter(protocols())) == "vanilla"


def test_a_row_becomes_a_protocol():
    (own,) = parse([{**ROW, "budget": 600}], "mine.json").values()
    assert (own.ends_at_death, own.assists, own.budget) == (False, ("night_vision",), 600)
    assert parse([ROW], "mine.json")["mine"].budget is None


def test_an_unknown_protocol_gets_the_nearest():
    with pytest.raises(UnknownName, match="'optimus-1'; did you mean 'optimus-1-paper'"):
        protocol("optimus-1")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"assists": ["night_visio"]}, "unknown assist 'night_visio'; did you mean 'night_vision'"),
        ({"assists": ["night_vision", "night_vision"]}, "expected each assist once"),
        ({"assists": "night_vision"}, "expected assists of type list, got 'night_vision'"),
        ({"assists": [["night_vision"]]}, "unknown assist"),
        ({"ends_at_death": 1}, "expected ends_at_death of type bool, got 1"),
        ({"budget": 0}, "expected a budget of at least 1 tick, got 0"),
        ({"budget": True}, "expected a budget of at least 1 tick, got True"),
        ({"difficulty": "easy"}, "expected no field 'difficulty'"),
    ],
)
def test_faults_of_a_row(changes, fault):
    with pytest.raises(BadValue, match=rf"mine.json: 1 faults\n  row 0 \(mine\): {fault}"):
        parse([{**ROW, **changes}], "mine.json")


def test_all_faults_of_a_file_come_at_once():
    nameless = {"ends_at_death": True, "assists": [], "source": "test"}
    with pytest.raises(BadValue) as raised:
        parse([ROW, ROW, nameless], "mine.json")
    assert "2 faults" in str(raised.value)
    assert "row 1 (mine): expected a name of its own" in str(raised.value)
    assert "row 2 (?): expected a field 'name', got none" in str(raised.value)
