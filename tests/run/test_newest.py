from optimus_gym.run.episode import NewestFirst


def names(newest, **inventory):
    ordered = newest.ordered(inventory)
    assert ordered == inventory
    return list(ordered)


def test_the_item_gained_last_comes_first():
    newest = NewestFirst()
    assert names(newest, dirt=1, stick=4) == ["dirt", "stick"]
    assert names(newest, dirt=1, stick=5) == ["stick", "dirt"]
    assert names(newest, dirt=2, stick=5) == ["dirt", "stick"]
    assert names(newest, coal=1, dirt=2, stick=5) == ["coal", "dirt", "stick"]
    assert names(newest, coal=1, dirt=2, stick=5) == ["coal", "dirt", "stick"]


def test_losing_items_does_not_change_the_order():
    newest = NewestFirst()
    names(newest, dirt=1, stick=4)
    names(newest, coal=1, dirt=1, stick=4)
    assert names(newest, coal=1, dirt=1, stick=2) == ["coal", "dirt", "stick"]
    assert names(newest, dirt=1, stick=2) == ["dirt", "stick"]
    assert names(newest, coal=1, dirt=1, stick=2) == ["coal", "dirt", "stick"]


def test_a_new_item_comes_before_an_item_that_grows():
    newest = NewestFirst()
    names(newest, cobblestone=57, stick=4)
    order = names(newest, cobblestone=58, diamond=1, stick=4)
    assert order == ["diamond", "cobblestone", "stick"]


def test_each_film_has_its_own_order():
    names(NewestFirst(), dirt=1, stick=4)
    assert names(NewestFirst(), dirt=2, stick=4) == ["dirt", "stick"]
