"""Errors go from process to process, and say what other libraries look for."""

import pickle

import pytest

from optimus_gym.core.errors import (
    BadValue,
    MissingExtra,
    OptimusError,
    StalePicture,
    UnknownName,
    WorldFailed,
    unknown_argument,
)

MADE = (
    BadValue("ticks: expected an integer, got 'a'"),
    MissingExtra("controller 'sb3'", "train"),
    StalePicture("too late"),
    UnknownName("item", "oak_lgo", ["oak_log"]),
    WorldFailed({1: "broken"}),
    unknown_argument("controler", ["controller"]),
)


def test_every_error_is_tried():
    tried = {type(error) for error in MADE}
    found, new = set(), {OptimusError}
    while new:
        found |= new
        new = {kind for known in new for kind in known.__subclasses__()}
    assert tried == {kind for kind in found if kind.__module__ == OptimusError.__module__} - {
        OptimusError
    }


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_errors_cross_processes(error):
    """A worker of `gymnasium.vector.AsyncVectorEnv` sends what its environment raised."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert vars(again) == vars(error)


def test_an_unknown_argument_may_be_raised_again_with_a_longer_text():
    """`gymnasium.make` does so with every TypeError."""
    error = unknown_argument("frameskip", ["ticks"])
    assert isinstance(error, TypeError)
    again = type(error)(f"{error} was raised from the environment creator")
    assert "__init__() got an unexpected keyword argument 'frameskip'" in str(again)
