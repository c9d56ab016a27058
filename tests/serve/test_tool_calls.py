"""Tools as forms with JSON schemas, and clients' calls of them."""

import base64
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from optimus_gym.serve.tool_calls import call_tool, tool_forms, wire_contents
from optimus_gym.wrappers import ToolEnv
from optimus_gym.wrappers.tool_env import tool_names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "outside_minds.md"


@pytest.fixture
def tools():
    with ToolEnv(world="symbolic") as made:
        made.reset(seed=0)
        yield made


def test_each_tool_has_a_form_with_described_arguments():
    forms = {form.name: form for form in tool_forms()}
    assert tuple(forms) == tool_names()
    mine = forms["mine"]
    assert mine.description.startswith("Mine blocks until ")
    assert mine.schema["required"] == ["item"]
    assert mine.schema["properties"]["count"] == {
        "type": "integer",
        "minimum": 1,
        "description": "The number of pieces to gain.",
    }
    assert forms["look"].schema["properties"] == {}
    assert all(
        value["description"][0].isupper() and value["description"].endswith(".")
        for form in forms.values()
        for value in form.schema["properties"].values()
    )


def test_the_page_lists_each_tool():
    listed = re.findall(r"`(\w+)\([\w, ]*\)`", PAGE.read_text("utf-8").split("## Train")[0])
    assert set(tool_names()) <= set(listed)


def test_a_call_has_the_tools_text(tools):
    answer = call_tool(tools, "mine", {"item": "log", "count": 2})
    assert answer.fault == ""
    (content,) = answer.contents
    assert content["type"] == "text"
    assert content["text"].startswith("mine 2 oak_log: reached")
    assert wire_contents(answer.contents) == [content]


@pytest.mark.parametrize(
    ("name", "arguments", "fault", "told"),
    [
        ("mien", {}, "unknown tool", "Not done: unknown tool 'mien'; did you mean 'mine'?"),
        ("reset", {}, "unknown tool", "unknown tool 'reset'"),
        ("_do", {"verb": "mine"}, "unknown tool", "unknown tool '_do'"),
        (["mine"], {}, "unknown tool", "unknown tool ['mine']"),
        ("mine", {}, "wrong arguments", "mine: expected item, perhaps count, got 'nothing'."),
        ("mine", {"item": "log", "n": 3}, "wrong arguments", "got 'item, n'"),
        ("mine", ["log"], "wrong arguments", "got ['log']"),
        ("look", {"where": "up"}, "wrong arguments", "look: expected no arguments"),
    ],
)
def test_a_fault_of_a_call_is_answered_in_words(tools, name, arguments, fault, told):
    answer = call_tool(tools, name, arguments)
    assert answer.fault == fault
    assert told in answer.contents[0]["text"]
    assert not answer.contents[0]["text"].endswith("?.")
    assert tools.state.calls == 0


def test_a_picture_becomes_a_png_file(tmp_path):
    image = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    (content,) = wire_contents([{"type": "image", "image": Image.fromarray(image)}])
    assert content["mimeType"] == "image/png"
    (tmp_path / "a.png").write_bytes(base64.b64decode(content["data"]))
    assert (np.asarray(Image.open(tmp_path / "a.png")) == image).all()
