"""What STEVE-1 is told."""

import json
from importlib.resources import files

import pytest

from optimus_gym.controllers.steve1.prompts import prompt_of
from optimus_gym.core.types import VERBS, SubGoal
from optimus_gym.game.items import item_names
from optimus_gym.game.things import things

TABLE = json.loads(
    files("optimus_gym.controllers.steve1.data").joinpath("prompts.json").read_text("utf-8")
)


def test_the_table_names_what_there_is_each_once():
    assert set(TABLE["otherwise"]) == set(VERBS)
    for verb, prompts in TABLE["known"].items():
        named = [item for items in prompts.values() for item in items]
        assert len(named) == len(set(named))
        assert set(named) <= set(item_names()) | set(things()), verb


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_prompt_without_gaps(verb):
    prompt = prompt_of(SubGoal(verb, "bucket", creature="cow"))
    assert prompt
    assert not set(prompt) & set("{}_")


def test_an_item_that_is_as_good_has_the_prompt():
    assert prompt_of(SubGoal("mine", "log", accepts=("oak_log", "birch_log"))) == "chop a tree"
    assert prompt_of(SubGoal("kill", "mutton", creature="sheep")) == "kill a sheep"
    assert prompt_of(SubGoal("mine", "obsidian")) == "mine obsidian"
