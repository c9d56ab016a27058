"""A server that offers the tools of `ToolEnv` by the protocol of OpenEnv, for its clients and trainers."""

from optimus_gym.core.errors import MissingExtra
from optimus_gym.serve.door_guard import AsgiApp
from optimus_gym.serve.mcp_tools import IDLE_S
from optimus_gym.serve.tool_seats import ToolPlaces
from optimus_gym.wrappers.tool_env import ToolSpec


def openenv_app(spec: ToolSpec, worlds: int) -> AsgiApp:
    """Return an ASGI application that speaks OpenEnv's protocol: a session of a client is a world.

    A reset takes `seed` and `task`, and its observation has the situation as `text`. An action is
    OpenEnv's `CallToolAction`; its observation has the tool's contents as `result`, with reward and done.

    Args:
        spec: what each client's `ToolEnv` is made from.
        worlds: maximum number of clients at the same time.

    Raises:
        MissingExtra: the package `openenv` is not installed.
    """
    try:
        from openenv.core.env_server.http_server import create_fastapi_app
        from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
        from openenv.core.env_server.types import ConcurrencyConfig
    except ImportError as error:
        raise MissingExtra("the server of tools for OpenEnv", "openenv") from error
    from optimus_gym.serve.openenv_session import NAME, OpenEnvSession

    places = ToolPlaces(spec, worlds)

    class Session(OpenEnvSession):
        """A session at one of the server's places."""

        def __init__(self) -> None:
            super().__init__(places)

    app: AsgiApp = create_fastapi_app(
        Session,
        CallToolAction,
        CallToolObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=worlds, session_timeout=IDLE_S),
        env_name=NAME,
        mode="simulation",
    )
    return app
