"""The things and conditions that a task of a context asks to see."""

import pytest

from optimus_gym.backbones.sought_things import is_yes, sought_in

NIGHT = "Find a tree in the forest during the nighttime on a sunny day"
RAIN = "Find a cow in the birch forest on a rainy day"
BRIGHT = (
    "Find a pig in the plains with a grass next to it during the daytime on a sunny day with "
    "sufficient brightness"
)


@pytest.mark.parametrize(
    ("task", "thing", "others"),
    [
        ("Find a cow", "cow", []),
        (NIGHT, "log", [("ecology", "forest"), ("time", "night"), ("weather", "clear")]),
        (
            BRIGHT,
            "pig",
            [
                ("object", "grass"),
                ("ecology", "plains"),
                ("time", "day"),
                ("weather", "clear"),
                ("brightness", "bright"),
            ],
        ),
        (RAIN, "cow", [("ecology", "birch_forest"), ("weather", "rain")]),
        (BRIGHT, "grass", []),
        (NIGHT, "cow", []),
        ("Craft stone pickaxe", "log", []),
    ],
)  # fmt: skip
def test_a_task_names_the_thing_and_its_conditions(task, thing, others):
    assert sought_in(task, thing)[1:] == others


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("log: yes", True),
        ("oak_log: yes", True),
        ("log: no", False),
        ("pig: yes", False),
        ("", False),
    ],
)
def test_an_answer_says_whether_a_thing_is_in_view(answer, said):
    assert is_yes(answer, "log") is said
