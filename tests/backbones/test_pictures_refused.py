"""A request is repeated once without pictures if the server rejects them, with a warning."""

import warnings

import numpy as np
import pytest

from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.openai_calls import PICTURES_REFUSED
from tests.backbones.openai_server import ask, saying, serving, set_environment

pytest.importorskip("openai")
PICTURE = np.zeros((4, 6, 3), np.uint8)


def blind(kind):
    """Yield a server that rejects pictures with `kind` and answers other requests."""

    def plan(text, tries):
        pictured = isinstance(server.asked[-1]["messages"][0]["content"], list)
        return kind if pictured else saying({"content": "dig"})

    with serving(plan) as server:
        yield server


@pytest.fixture(params=["400", "404", "422", "500"])
def server(request, monkeypatch):
    set_environment(monkeypatch)
    yield from blind(request.param)


def test_a_rejected_request_is_repeated_without_pictures_with_a_warning(server):
    backbone = OpenAIBackbone("m", server.address, retries=0)
    assert backbone.takes_pictures
    with pytest.warns(UserWarning, match="the server refused pictures"):
        (reply,) = backbone.complete([ask("look", PICTURE)])
    assert reply.text == "dig"
    assert len(reply.faults) == 1
    assert not backbone.takes_pictures
    assert server.asked[-1]["messages"][0]["content"] == f"look\n\n{PICTURES_REFUSED}"
    assert len(server.asked) == 2


def test_marks_of_rejected_pictures_become_not_sent(server):
    backbone = OpenAIBackbone("m", server.address, retries=0)
    with pytest.warns(UserWarning, match="the server refused pictures"):
        backbone.complete([ask("before [picture 1], now [picture 2]", PICTURE, PICTURE)])
    content = server.asked[-1]["messages"][0]["content"]
    assert content == f"before [not sent], now [not sent]\n\n{PICTURES_REFUSED}"


def test_pictures_without_a_text_are_not_retried(server):
    backbone = OpenAIBackbone("m", server.address, retries=0)
    (reply,) = backbone.complete([ask("", PICTURE)])
    assert (reply.text, len(server.asked)) == ("", 1)
    assert len(server.asked[0]["messages"][0]["content"]) == 1


def test_a_rejected_request_without_pictures_is_not_repeated(monkeypatch):
    set_environment(monkeypatch)
    with serving(lambda text, tries: "400") as server, warnings.catch_warnings():
        warnings.simplefilter("error")
        backbone = OpenAIBackbone("m", server.address, retries=0)
        (reply,) = backbone.complete([ask("look")])
        (pictured,) = backbone.complete([ask("look", PICTURE)])
        assert len(server.asked) == 3
    assert (reply.text, pictured.text) == ("", "")
    assert backbone.takes_pictures
