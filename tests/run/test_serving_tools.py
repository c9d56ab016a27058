"""`optimus-gym serve-tools` through real processes, with the real clients of MCP and OpenEnv."""

import asyncio
import http.client
import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from optimus_gym.run.cli import main

ROOT = Path(__file__).resolve().parents[2]
SERVE = (sys.executable, "-m", "optimus_gym.run.cli", "serve-tools", "CraftStick")
SYMBOLIC = ("--world", "symbolic")
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a client", "version": "1"},
        },
    }
)
STICKS = (("mine", "log", 1), ("craft", "planks", 4), ("craft", "stick", 4))


@contextmanager
def serving(*arguments):
    """Yield the address of a server in a process of its own; check that a signal ends it in order."""
    command = [*SERVE, *SYMBOLIC, "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("ready on http://127.0.0.1:"), process.stderr.read()
            yield line.split()[-1]
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, told) == (128 + signal.SIGTERM, "")


def posted(address, path, body, **headers):
    """Return the status and the body of the answer to a request."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
    told = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    connection.request("POST", path, body, told)
    answer = connection.getresponse()
    return answer.status, answer.read()


async def plays(client):
    """Play an episode through a client of MCP; return the texts."""
    await client.initialize()
    results = [await client.call_tool("begin", {"seed": 0})]
    for name, item, count in STICKS:
        results.append(await client.call_tool(name, {"item": item, "count": count}))
    return [result.content[0].text for result in results]


def is_whole_episode(told):
    assert told[0].startswith("Status: running\nTask: ")
    assert told[1].startswith("mine 1 oak_log: reached after ")
    assert told[-1].endswith("The episode is over: success.")


def test_clients_of_mcp_play_over_http_and_foreign_pages_do_not():
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from mcp.client.streamable_http import streamable_http_client

    async def session(address):
        async with (
            streamable_http_client(f"{address}/mcp") as (reads, writes, _),
            mcp.ClientSession(reads, writes) as client,
        ):
            return await plays(client)

    async def two(address):
        return await asyncio.gather(session(address), session(address))

    with serving("--worlds", "2") as address:
        for told in asyncio.run(two(address)):
            is_whole_episode(told)
        begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert posted(address, "/mcp", begin, Origin="https://evil.example")[0] == 403
        assert posted(address, "/mcp", begin, Host="evil.example")[0] == 421
        assert posted(address, "/mcp", "x" * (1 << 20) + "x")[0] == 413
        assert posted(address, "/mcp", "{")[0] == 400
        assert [posted(address, "/mcp", HELLO)[0] for _ in range(3)] == [200, 200, 503]


def test_a_client_of_mcp_starts_the_server_and_plays_over_stdio():
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from mcp.client.stdio import stdio_client

    command, *arguments = SERVE
    server = mcp.StdioServerParameters(
        command=command, args=[*arguments, *SYMBOLIC, "--speaks", "mcp-stdio"], cwd=ROOT
    )

    async def session():
        async with stdio_client(server) as streams, mcp.ClientSession(*streams) as client:
            return await plays(client)

    is_whole_episode(asyncio.run(session()))


def test_clients_of_openenv_play_with_rewards():
    pytest.importorskip("openenv", reason="the extra openenv is not installed")
    from openenv.core.generic_client import GenericEnvClient
    from openenv.core.mcp_client import MCPToolClient

    with serving("--speaks", "openenv", "--worlds", "2") as address:
        with GenericEnvClient(base_url=address).sync() as client:
            begun = client.reset(seed=0)
            assert begun.observation["text"].startswith("Status: running\nTask: ")
            results = [
                client.step(
                    {
                        "type": "call_tool",
                        "tool_name": name,
                        "arguments": {"item": item, "count": count},
                    }
                )
                for name, item, count in STICKS
            ]
            assert [result.reward for result in results] == [0.0, 0.0, 1.0]
            assert [result.done for result in results] == [False, False, True]
            told = results[0].observation["result"][0]["text"]
            assert told.startswith("mine 1 oak_log: reached after ")
            assert client.state()["step_count"] == 3
            wrong = client.step({"type": "call_tool", "tool_name": "mien", "arguments": {}})
            assert "did you mean 'mine'" in wrong.observation["error"]["message"]
            assert "Craft a stone pickaxe" in client.reset(task="Stone").observation["text"]
        with MCPToolClient(base_url=address).sync() as client:
            assert {"mine", "look"} <= {tool.name for tool in client.list_tools()}
            client.reset(seed=0)
            result = client.call_tool("mine", item="log", count=1)
            assert result["result"][0]["text"] == told
        assert posted(address, "/reset", "{}", Origin="https://evil.example")[0] == 403


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--port", "65536"), "port: expected an integer from 0 to 65535, got 65536"),
        (("--worlds", "0"), "worlds: expected an integer from 1 to 256, got 0"),
        (("--speaks", "html"), "unknown protocol of the option --speaks 'html'"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments, told, capfd):
    assert main(["serve-tools", *SYMBOLIC, *arguments]) == 2
    out, line = capfd.readouterr()
    assert out == ""
    assert line.startswith(f"optimus-gym: {told}")
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Wod",), "unknown task 'Wod'"),
        (("--pays", "well"), "unknown value of the argument pays 'well'"),
        (("--protocol", "none"), "unknown protocol 'none'"),
        (("--allow-host", "play.example:80"), "--allow-host: expected a name or address alone"),
        (("--allow-host", "http://play.example"), "--allow-host: expected a name or address alone"),
        (("--host", "192.0.2.1"), "address: expected a free address to listen on, got 192.0.2.1:8"),
    ],
)
def test_what_no_environment_takes_is_refused_before_clients_come(arguments, told, capfd):
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    assert main(["serve-tools", *SYMBOLIC, *arguments]) == 2
    assert capfd.readouterr().err.startswith(f"optimus-gym: {told}")
