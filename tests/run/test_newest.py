from optimus_gym.run.episode import NewestFirst


def names(newest, **inventory):
    ordered = newest.ordered(inventory)
    assert ordered == inventory
    return list(ordered)


def test_what_was_got_last_comes_first():
    newest = NewestFirst()
    assert names(newest, dirt=1, stick=4) == ["dirt", "stick"]
    assert names(newest, dirt=1, stick=5) == ["stick", "dirt"]
    assert names(newest, dirt=2, stick=5) == ["dirt", "stick"]
    assert names(newest, coal=1, dirt=2, stick=5) == ["coal", "dirt", "stick"]
    assert names(newest, coal=1, dirt=2, stick=5) == ["coal", "dirt", "stick"]


def test_what_is_used_up_moves_nothing_and_leaves_when_there_is_none():
    newest = NewestFirst()
    names(newest, dirt=1, stick=4)
    names(newest, coal=1, dirt=1, stick=4)
    assert names(newest, coal=1, dirt=1, stick=2) == ["coal", "dirt", "stick"]
    assert names(newest, dirt=1, stick=2) == ["dirt", "stick"]
    assert names(newest, coal=1, dirt=1, stick=2) == ["coal", "dirt", "stick"]


def test_a_new_thing_stands_before_more_of_an_old_one():
    newest = NewestFirst()
    names(newest, cobblestone=57, stick=4)
    order = names(newest, cobblestone=58, diamond=1, stick=4)
    assert order == ["diamond", "cobblestone", "stick"]


def test_each_film_has_its_own_order():
    names(NewestFirst(), dirt=1, stick=4)
    assert names(NewestFirst(), dirt=2, stick=4) == ["dirt", "stick"]
