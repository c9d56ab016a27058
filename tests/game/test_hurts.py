from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.hurts import hurts
from optimus_gym.game.rows import rows


def test_each_source_of_damage_is_there_once():
    assert [row["hurt"] for row in rows("hurts")] == list(hurts())


def test_who_attacks_is_a_source_that_armour_reduces():
    attackers = [kind.name for kind in creature_kinds().values() if kind.damage > 0]
    assert attackers
    assert all(hurts()[name].armour and not hurts()[name].fire for name in attackers)


def test_fire_that_burns_on_passes_armour():
    assert [name for name, hurt in hurts().items() if hurt.fire and not hurt.armour] == ["burning"]
