"""The table of creatures is joined to their loot, and its numbers are checked when it is read."""

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.creatures import (
    _faults,
    creature_kind,
    creature_kinds,
    difficulty_number,
    sheep_colours,
)
from optimus_gym.game.rows import rows
from optimus_gym.game.ways import creatures

KNOWN = {creature.name: creature for creature in creatures()}


def test_creatures_have_the_loot_and_biomes_of_the_table_of_ways():
    for name, kind in creature_kinds().items():
        assert kind.loot == KNOWN[name].loot
        assert kind.biomes == KNOWN[name].place.biomes
    assert {kind.kind for kind in creature_kinds().values()} == {"animal", "monster"}


def test_the_colours_of_sheep_sum_to_one():
    assert sum(sheep_colours().values()) == pytest.approx(1.0)
    assert next(iter(sheep_colours())) == "white"


def test_errors_for_unknown_names_suggest_the_nearest():
    with pytest.raises(UnknownName, match="zombie"):
        creature_kind("zombi")
    with pytest.raises(UnknownName, match="normal"):
        difficulty_number("normale")
    assert difficulty_number("hard") == 3


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("creature", "cowe", "cow"),
        ("pack", [4, 2], "least, most"),
        ("kind", "beast", "'animal' or 'monster'"),
        ("health", 0, "above 0"),
    ],
)
def test_faults_of_a_row_are_found(field, value, fault):
    row = {**rows("creatures")[0], field: value}
    assert any(fault in text for text in _faults(row, KNOWN))
    assert _faults(rows("creatures")[0], KNOWN) == []
