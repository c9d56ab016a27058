"""A server that offers the tools of `ToolEnv` by the Model Context Protocol (MCP), over HTTP or stdio."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from optimus_gym import __version__
from optimus_gym.core.errors import MissingExtra, OptimusError, shown
from optimus_gym.serve.door_guard import MOST_BODY, AsgiApp
from optimus_gym.serve.tool_calls import ToolAnswer, refused_call, wire_contents
from optimus_gym.serve.tool_seats import BEGIN_TOOL, ToolPlaces, ToolSeat, forms_with_begin
from optimus_gym.wrappers.tool_env import ToolSpec

MCP_PATH: Final = "/mcp"
"""Path of the address at which the server speaks MCP over HTTP."""
IDLE_S: Final = 1800.0
"""Seconds without a request after which a client loses its world: our choice."""
_INTRODUCTION: Final = (
    "Play a task of Minecraft. The tool `begin` begins an episode and says the task; each other tool carries "
    "out one step and says how it ended."
)


def mcp_server(places: ToolPlaces) -> Any:
    """Return a server of the package `mcp` whose sessions each have a world of their own.

    Raises:
        MissingExtra: the package `mcp` is not installed, or another major version.
    """
    try:
        from mcp import types
        from mcp.server.lowlevel import Server
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: F401
    except ImportError as error:
        raise MissingExtra("the server of tools for MCP", "mcp") from error

    @asynccontextmanager
    async def seated(_: Any) -> AsyncIterator[ToolSeat]:
        seat = ToolSeat(places)
        try:
            yield seat
        finally:
            await asyncio.shield(asyncio.to_thread(seat.close))

    server: Any = Server("optimus-gym", __version__, instructions=_INTRODUCTION, lifespan=seated)

    @server.list_tools()  # type: ignore[untyped-decorator]
    async def listed() -> list[Any]:
        return [
            types.Tool(name=form.name, description=form.description, inputSchema=dict(form.schema))
            for form in forms_with_begin()
        ]

    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
    async def called(name: str, arguments: dict[str, Any]) -> Any:
        seat = server.request_context.lifespan_context
        answer = await asyncio.to_thread(_called, seat, name, arguments)
        return types.CallToolResult(
            content=wire_contents(answer.contents), isError=answer.fault != ""
        )

    return server


def mcp_app(spec: ToolSpec, worlds: int) -> AsgiApp:
    """Return an ASGI application that speaks MCP over HTTP ("Streamable HTTP") at `MCP_PATH`.

    Args:
        spec: what each client's `ToolEnv` is made from.
        worlds: maximum number of clients at the same time.

    Raises:
        MissingExtra: the package `mcp` is not installed.
    """
    server = mcp_server(ToolPlaces(spec, worlds))
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Route

    manager = StreamableHTTPSessionManager(
        server,
        json_response=True,
        session_idle_timeout=IDLE_S,
        max_request_body_size=MOST_BODY,
        max_sessions=worlds,
    )

    @asynccontextmanager
    async def running(_: Any) -> AsyncIterator[None]:
        async with manager.run():
            yield

    class Endpoint:
        """The manager as an application: Starlette takes a function for one that answers by itself."""

        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    app: AsgiApp = Starlette(routes=[Route(MCP_PATH, Endpoint())], lifespan=running)
    return app


async def serve_mcp_by_stdio(spec: ToolSpec) -> None:
    """Speak MCP with the one client that has started this process, over its standard input and output.

    Raises:
        MissingExtra: the package `mcp` is not installed.
    """
    server = mcp_server(ToolPlaces(spec, 1))
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


def _called(seat: ToolSeat, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Call a tool, or begin an episode; what the client did wrongly is answered in words."""
    try:
        if name != BEGIN_TOOL.name:
            return seat.call(name, arguments)
        unknown = set(arguments) - BEGIN_TOOL.schema["properties"].keys()
        if unknown:
            return refused_call(
                "wrong arguments",
                f"begin: expected perhaps seed, perhaps task, got {shown(', '.join(sorted(unknown)))}",
            )
        told = seat.begin(**arguments)
    except OptimusError as error:
        return refused_call("wrong arguments", str(error))
    return ToolAnswer(({"type": "text", "text": told},))
