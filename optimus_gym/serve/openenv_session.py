"""One client's session with the server of tools for OpenEnv; the import needs the extra `openenv`."""

from typing import Any, Final

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
    ToolError,
    ToolErrorType,
)
from openenv.core.env_server.types import EnvironmentMetadata, Observation, State

from optimus_gym import __version__
from optimus_gym.serve.tool_calls import CallFault, tool_forms, wire_contents
from optimus_gym.serve.tool_seats import ToolPlaces, ToolSeat

NAME: Final = "optimus-gym"
"""The environment's name in OpenEnv's list."""


class FirstSituation(Observation):  # type: ignore[misc]
    """The observation of a reset: the situation as a text."""

    text: str


class OpenEnvSession(Environment):  # type: ignore[misc]
    """One client's world, in the form of OpenEnv's environments.

    Args:
        places: the server's places; the session takes one at its first reset.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, places: ToolPlaces) -> None:
        super().__init__()
        self._seat = ToolSeat(places)
        self._episode: str | None = None

    def reset(self, seed: Any = None, episode_id: Any = None, task: Any = None) -> Any:
        """Begin an episode and return its situation."""
        text = self._seat.begin(seed, task)
        self._episode = episode_id
        return FirstSituation(text=text, done=self._is_over(), metadata=self._told())

    def step(self, action: Any, timeout_s: Any = None) -> Any:
        """Call a tool, or list the tools."""
        if isinstance(action, ListToolsAction):
            forms = [
                Tool(name=form.name, description=form.description, input_schema=form.schema)
                for form in tool_forms()
            ]
            return ListToolsObservation(tools=forms)
        name = action.tool_name
        if self._seat.state is None:
            fault = _error("wrong arguments", "Not done: reset before the first call.")
            return CallToolObservation(tool_name=name, error=fault)
        before = self._paid()
        answer = self._seat.call(name, action.arguments)
        return CallToolObservation(
            tool_name=name,
            result=wire_contents(answer.contents),
            error=_error(answer.fault, answer.contents[0]["text"]) if answer.fault else None,
            reward=self._paid() - before,
            done=self._is_over(),
            metadata=self._told(),
        )

    @property
    def state(self) -> Any:
        """The episode's id, number of sub-goals, task, seed, ticks and status."""
        state = self._seat.state
        steps = 0 if state is None else state.steps
        return State(episode_id=self._episode, step_count=steps, **self._told())

    def get_metadata(self) -> Any:
        """Return the environment's name, description and version."""
        told = "Tasks of Minecraft, played by named tools with counts"
        return EnvironmentMetadata(name=NAME, description=told, version=__version__)

    def close(self) -> None:
        """Close the world and free its place."""
        self._seat.close()

    def _is_over(self) -> bool:
        state = self._seat.state
        return state is not None and state.status != "running"

    def _paid(self) -> float:
        return 0.0 if self._seat.state is None else self._seat.state.reward

    def _told(self) -> dict[str, Any]:
        """Return task, seed, ticks and status of the episode, in JSON's types; empty before the first one."""
        state = self._seat.state
        if state is None:
            return {}
        names = ("task", "seed", "ticks", "status")
        return {name: getattr(state, name) for name in names}


def _error(fault: CallFault, told: str) -> Any:
    unknown = fault == "unknown tool"
    kind = ToolErrorType.TOOL_NOT_FOUND if unknown else ToolErrorType.INVALID_ARGS
    return ToolError(error_type=kind, message=told)
