"""STEVE-1 gets its prompts from tables of items and verbs."""

import json
from importlib.resources import files

import pytest

from optimus_gym.controllers.steve1.prompts import own_prompt, prompts_named
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import VERBS, SubGoal
from optimus_gym.game.items import item_names
from optimus_gym.game.things import things

TABLE = json.loads(
    files("optimus_gym.controllers.steve1.data").joinpath("prompts.json").read_text("utf-8")
)


def test_the_table_names_existing_verbs_and_items_once_each():
    assert set(TABLE["verbs"]) == set(VERBS)
    for verb, prompts in TABLE["items"].items():
        named = [item for items in prompts.values() for item in items]
        assert len(named) == len(set(named))
        assert set(named) <= set(item_names()) | set(things()), verb


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_complete_prompt(verb):
    prompt = own_prompt(SubGoal(verb, "bucket", creature="cow"))
    assert prompt
    assert not set(prompt) & set("{}_")


def test_an_item_of_an_accepted_kind_or_creature_finds_its_prompt():
    assert own_prompt(SubGoal("mine", "log", accepts=("oak_log", "birch_log"))) == "chop a tree"
    assert own_prompt(SubGoal("kill", "mutton", creature="sheep")) == "kill a sheep"
    assert own_prompt(SubGoal("mine", "clay_ball")) == "mine clay ball"


@pytest.mark.parametrize(
    "item",
    [
        "cobblestone",
        "coal",
        "iron_ore",
        "gold_ore",
        "redstone",
        "diamond",
        "lapis_lazuli",
        "emerald",
    ],
)
def test_prompts_for_underground_items_begin_with_dig_down(item):
    assert own_prompt(SubGoal("mine", item)).startswith("dig down")


def test_a_users_table_outranks_the_built_in_table(tmp_path):
    path = tmp_path / "words.json"
    path.write_text(json.dumps({"oak_log": "fell a trunk", "*": "go for {item}"}))
    told = prompts_named(str(path))
    assert told(SubGoal("mine", "log", accepts=("birch_log", "oak_log"))) == "fell a trunk"
    assert told(SubGoal("mine", "iron_ore")) == "go for iron ore"
    path.write_text(json.dumps({"oak_log": "fell a trunk"}))
    told = prompts_named(str(path))
    assert told(SubGoal("mine", "iron_ore")) == own_prompt(SubGoal("mine", "iron_ore"))


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("[]", "expected a JSON object from items to prompts, got"),
        ('{"oak_logs": "chop"}', "expected every key to be an item or '\\*', got 'oak_logs'"),
        ('{"oak_log": ""}', "expected a text that is not blank as the prompt for oak_log, got ''"),
        ('{"oak_log": 1}', "expected a text that is not blank as the prompt for oak_log, got 1"),
        ('{"oak_log": "a", "oak_log": "b"}', "key twice"),
        ("{", "words.json"),
        ('{"*": "' + "x" * (1 << 20) + '"}', "expected at most 1048576 bytes"),
    ],
)
def test_unusable_tables_are_rejected(tmp_path, held, told):
    path = tmp_path / "words.json"
    path.write_text(held)
    with pytest.raises(BadValue, match=told):
        prompts_named(str(path))


@pytest.mark.parametrize("named", ["mine", "known", "none.json", 3, None])
def test_unknown_prompts_are_rejected(named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadValue, match="prompts: expected"):
        prompts_named(named)
