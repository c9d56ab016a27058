"""The server of tools for MCP, with the real client of the package `mcp`."""

import asyncio
import base64
import sys

import pytest

from optimus_gym.core.errors import MissingExtra
from optimus_gym.serve.mcp_tools import mcp_app, mcp_server
from optimus_gym.serve.tool_seats import ToolPlaces, forms_with_begin
from optimus_gym.wrappers import ToolSpec

SPEC = ToolSpec({"task": "Wood", "world": "symbolic"})


@pytest.fixture
def connected():
    """Return a function that runs a talk with a client of a new server, both in this process."""
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from mcp.shared.memory import create_connected_server_and_client_session

    def run(talk, places=None):
        async def both():
            server = mcp_server(places or ToolPlaces(SPEC, 1))
            async with create_connected_server_and_client_session(server) as client:
                return await talk(client)

        return asyncio.run(both())

    return run


def text(result):
    (content,) = result.content
    return content.text


def test_a_client_lists_the_tools_with_their_schemas(connected):
    async def talk(client):
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in connected(talk)}
    assert list(tools) == [form.name for form in forms_with_begin()]
    assert tools["mine"].inputSchema["required"] == ["item"]
    assert tools["mine"].description.startswith("Mine blocks until ")


def test_a_client_plays_an_episode_to_its_end(connected):
    async def talk(client):
        begun = await client.call_tool("begin", {"seed": 0, "task": "CraftStick"})
        told = [
            await client.call_tool(name, {"item": item, "count": count})
            for name, item, count in (
                ("mine", "log", 1),
                ("craft", "planks", 4),
                ("craft", "stick", 4),
                ("mine", "log", 1),
            )
        ]
        return begun, told, await client.call_tool("begin", {"seed": 1})

    begun, told, again = connected(talk)
    assert text(begun).startswith("Status: running\nTask: ")
    assert text(told[0]).startswith("mine 1 oak_log: reached after ")
    assert text(told[2]).endswith("The episode is over: success.")
    assert text(told[3]).startswith("Not done: the episode is over (success)")
    assert not any(result.isError for result in (begun, *told, again))
    assert text(again).startswith("Status: running\n")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("mien", {}, "unknown tool 'mien'; did you mean 'mine'?"),
        ("mine", {"thing": "log"}, "mine: expected item, perhaps count, got 'thing'"),
        ("begin", {"seed": -1}, "seed: expected an integer from 0"),
        ("begin", {"task": "Ston"}, "unknown task 'Ston'"),
        ("begin", {"task": {"item": "stick"}}, "task: expected the id of a task"),
        ("begin", {"world": "voxel"}, "begin: expected perhaps seed, perhaps task, got 'world'"),
    ],
)
def test_a_wrong_call_is_an_error_in_words(connected, name, arguments, told):
    async def talk(client):
        return await client.call_tool(name, arguments)

    result = connected(talk)
    assert result.isError
    assert told in text(result)


def test_each_session_has_a_world_which_it_frees(connected):
    places = ToolPlaces(SPEC, 1)

    async def talk(client):
        return text(await client.call_tool("mine", {"item": "log", "count": 2}))

    assert [connected(talk, places) for _ in range(2)] == [
        "mine 2 oak_log: reached after 360 ticks.\n"
        "Gained: 2 oak_log. Used up: nothing. Held: 2 oak_log."
    ] * 2


def test_a_picture_comes_as_a_png_file(connected, monkeypatch):
    from optimus_gym.wrappers import ToolEnv

    def look(self):
        from PIL import Image

        return [
            {"type": "text", "text": "here"},
            {"type": "image", "image": Image.new("RGB", (4, 3))},
        ]

    monkeypatch.setattr(ToolEnv, "look", look)

    async def talk(client):
        return (await client.call_tool("look", {})).content

    words, picture = connected(talk)
    assert (words.text, picture.mimeType) == ("here", "image/png")
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=r'pip install -e "\.\[mcp\]"'):
        mcp_app(SPEC, 1)
