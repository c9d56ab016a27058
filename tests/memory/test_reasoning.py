"""People's words mean an item and a verb, and find a remembered goal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.game.tasks import tasks
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pool import MEANT, ExperiencePool
from optimus_gym.memory.reasoning import goal_meant
from optimus_gym.memory.retrieval import Filters
from optimus_gym.prompts.words import in_words, kinds_of, kinds_within, word_for
from optimus_gym.vision.mini_aligner import MiniAligner
from tests.memory.telling import Telling


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("a pick of gold, if you can", "golden_pickaxe"),
        ("one wood spade", "wooden_shovel"),
        ("shoes out of diamonds", "diamond_boots"),
        ("my golden bar", "gold_ingot"),
        ("a torch lit by redstone", "redstone_torch"),  # the longer name wins over "torch"
        ("bars of iron", "iron_bars"),  # the full name wins over the default "ingot"
        ("two compasses in a hurry", "compass"),
    ],
)
def test_an_item_is_recognised_by_all_words_of_its_name(text, item):
    assert kinds_within(text) == (item,)


@pytest.mark.parametrize("text", ["a furnace or a chest", "an iron or stone sword", "a home", ""])
def test_a_text_that_names_no_item_or_several_items_means_no_item(text):
    assert kinds_within(text) == ()


def test_a_collective_name_means_any_item_of_its_kind():
    assert kinds_within("bring me logs from over there") == kinds_of("log")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("get a compass", "craft compass"),  # "get" is no verb of the game
        ("make some charcoal", "smelt charcoal"),
        ("a stone hoe", "craft stone hoe"),
        ("put on the iron pants", "equip iron leggings"),  # "put on" means "equip"
        ("chop 3 trees with an iron axe", "mine log"),  # the tool is not the goal
        ("craft a torch given an iron axe", "craft torch"),
        ("make me a torch with a stone pick", "craft torch"),
        ("use a furnace to get iron ingots", "smelt iron ingot"),
        ("chop trees until you have a bowl", "craft bowl"),
        ("mine logs until you have enough", "mine log"),
        ("smelt and craft a hopper", "craft hopper"),
        ("put together a ladder", "craft ladder"),
        ("shears", "craft shears"),
        ("a furnace or a chest", None),
        ("survive the night", None),
        ("?", None),
    ],
)
def test_a_goal_in_peoples_words_means_a_sub_goal_of_ours(text, meant):
    assert goal_meant(text) == meant


@pytest.mark.parametrize("task", tasks().values(), ids=lambda task: task.id)
def test_each_instruction_means_its_own_task(task):
    assert (
        goal_meant(task.instruction) == f"{task.verb} {in_words(word_for(task.item, task.kinds))}"
    )


@given(st.text(max_size=300))
def test_random_texts_never_raise(text):
    meant = goal_meant(text)
    assert meant is None or meant.strip()


def remember(pool, *goals):
    return pool.add_all(
        [Experience(goal, goal, goal, "forest", {}, (), (), (), "success", 1) for goal in goals]
    )


def first(pool, text):
    (found,) = pool.find(text, count=1, filters=Filters("success"))
    return pool.get(found.number).goal


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    with ExperiencePool(tmp_path_factory.mktemp("suite"), MiniAligner()) as pool:
        remember(pool, *(task.instruction for task in tasks().values()))
        yield pool


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("stone pick plz", "Craft a stone pickaxe"),
        ("could somebody get me a wood ax", "Craft a wooden axe"),
        ("pants made of gold", "Craft golden leggings"),
        ("my wish for today is a jukebox", "Craft a jukebox"),
        ("trouble comes, so we want a sword and diamond is what it is of", "Craft a diamond sword"),
    ],
)
def test_paraphrases_find_their_task(suite, text, goal):
    assert first(suite, text) == goal


def test_a_goal_with_the_same_words_beats_a_goal_with_the_same_meaning(tmp_path):
    with ExperiencePool(tmp_path, Telling()) as pool:
        remember(pool, "golden pick", "craft golden pickaxe")
        assert first(pool, "golden pick") == "golden pick"
        (one,) = pool.find("pickaxe gold", count=1, filters=Filters("success"))
        assert one.likeness == pytest.approx(MEANT, abs=1e-3)


def test_words_that_name_no_item_are_matched_by_likeness_alone(tmp_path):
    with ExperiencePool(tmp_path, Telling()) as pool:
        remember(pool, "survive a red night", "craft golden pickaxe")
        assert first(pool, "red evening") == "survive a red night"
