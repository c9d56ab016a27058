from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.hurts import hurts
from optimus_gym.game.rows import rows


def test_each_source_of_damage_has_one_row():
    assert [row["hurt"] for row in rows("hurts")] == list(hurts())


def test_armour_reduces_the_damage_of_every_attacking_creature():
    attackers = [kind.name for kind in creature_kinds().values() if kind.damage > 0]
    assert attackers
    assert all(hurts()[name].armour and not hurts()[name].fire for name in attackers)


def test_armour_does_not_reduce_burning():
    assert [name for name, hurt in hurts().items() if hurt.fire and not hurt.armour] == ["burning"]
