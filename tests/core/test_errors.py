"""Errors survive pickling, and their texts hold the words that other libraries look for."""

import pickle
import tracemalloc

import pytest

from optimus_gym.core.errors import (
    BadMemory,
    BadValue,
    MissingExtra,
    NoReplyUsed,
    OptimusError,
    StalePicture,
    UnknownName,
    WorldFailed,
    shown,
    unknown_argument,
)
from optimus_gym.core.parts import part_of

MADE = (
    BadMemory("memory: 'experience.sqlite' is empty"),
    BadValue("ticks: expected an integer, got 'a'"),
    MissingExtra("controller 'sb3'", "train"),
    NoReplyUsed("none of 3"),
    StalePicture("too late"),
    UnknownName("item", "oak_lgo", ["oak_log"]),
    WorldFailed({1: "broken"}),
    unknown_argument("controler", ["controller"]),
)


def test_every_error_class_has_an_example_here():
    tried = {type(error) for error in MADE}
    found, new = set(), {OptimusError}
    while new:
        found |= new
        new = {kind for known in new for kind in known.__subclasses__()}
    assert tried == {kind for kind in found if kind.__module__ == OptimusError.__module__} - {
        OptimusError
    }


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_errors_survive_pickling(error):
    """A worker of `gymnasium.vector.AsyncVectorEnv` sends its environment's error to the main process."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            test_every_error_class_has_an_example_here,
            f"the function {__name__}:test_every_error_class_has_an_example_here",
        ),
        (object(), "<object object>"),
        ([object()], "[<object object>]"),
        (Exception().with_traceback, "<built-in method with_traceback of Exception object>"),
        ("a lies at 0x7f3a here", "'a lies at 0x7f3a here'"),
        (BadValue, "<class 'optimus_gym.core.errors.BadValue'>"),
    ],
)
def test_a_shown_value_has_no_memory_address(value, told):
    assert shown(value) == told


def test_the_error_names_a_function_that_is_not_a_part():
    with pytest.raises(BadValue) as raised:
        part_of("controller", f"{__name__}:test_every_error_class_has_an_example_here")
    assert str(raised.value).endswith(
        f": the function {__name__}:test_every_error_class_has_an_example_here"
    )


def test_an_unknown_argument_may_be_raised_again_with_a_longer_text():
    """`gymnasium.make` does so with every TypeError."""
    error = unknown_argument("frameskip", ["ticks"])
    assert isinstance(error, TypeError)
    again = type(error)(f"{error} was raised from the environment creator")
    assert "__init__() got an unexpected keyword argument 'frameskip'" in str(again)


@pytest.mark.parametrize("value", [bytes(10**8), "x" * 10**8, [0] * 10**7])
def test_a_long_value_is_cut_without_being_written_out(value):
    tracemalloc.start()
    text = shown(value)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
    assert len(text) == 100
    assert text.endswith("...")


def test_a_value_that_is_nested_too_deeply_is_shown_in_words():
    value = []
    for _ in range(100_000):
        value = [value]
    assert shown(value) == "a value nested too deeply"
