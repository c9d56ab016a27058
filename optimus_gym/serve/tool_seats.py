"""Lend a bounded number of worlds to clients that play by tools."""

import threading
from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.serve.tool_calls import ToolAnswer, ToolForm, call_tool, tool_forms
from optimus_gym.wrappers.tool_env import ToolEnv, ToolSpec, ToolState

BEGIN_TOOL: Final = ToolForm(
    "begin",
    "Begin a new episode, and say its task and situation; the present episode is given up.",
    {
        "type": "object",
        "properties": {
            "seed": {"type": "integer", "minimum": 0, "description": "Decides the world."},
            "task": {"type": "string", "description": "The id of another task, such as Stone."},
        },
        "required": [],
        "additionalProperties": False,
    },
)
"""The tool that begins an episode, for protocols that have no reset of their own."""


class ToolPlaces:
    """The places of worlds on a server: each client that plays takes one until it leaves.

    Args:
        spec: what each client's `ToolEnv` is made from.
        most: maximum number of worlds at the same time, at least 1.
    """

    def __init__(self, spec: ToolSpec, most: int) -> None:
        self.spec = spec
        self.most = most
        self._free = threading.BoundedSemaphore(most)

    def take(self) -> ToolEnv:
        """Return a new `ToolEnv` at a free place.

        Raises:
            BadValue: all places are taken.
        """
        if not self._free.acquire(blocking=False):
            raise BadValue(
                f"worlds: expected at most {self.most} clients that play at once, got one more; try again "
                "when one has left, or start the server with more worlds"
            )
        try:
            return self.spec.make()
        except BaseException:
            self._free.release()
            raise

    def give_back(self, tools: ToolEnv) -> None:
        """Close a `ToolEnv` and free its place."""
        try:
            tools.__exit__()
        finally:
            self._free.release()


class ToolSeat:
    """One client's place: its `ToolEnv` is made at the first use; threads take turns.

    Args:
        places: the server's places.
    """

    def __init__(self, places: ToolPlaces) -> None:
        self._places = places
        self._tools: ToolEnv | None = None
        self._lock = threading.Lock()
        self._closed = False

    @property
    def state(self) -> ToolState | None:
        """The state of the present episode; None before the first episode and after `close`."""
        return None if self._tools is None else self._tools.state

    def begin(self, seed: object = None, task: object = None) -> str:
        """Begin an episode and return the situation as a text.

        Raises:
            BadValue, UnknownName: seed or task cannot be used, all places are taken, or the seat is closed.
        """
        if task is not None and not isinstance(task, str):
            raise BadValue(f"task: expected the id of a task, got {shown(task)}")
        with self._lock:
            return self._begin(seed, task)

    def call(self, name: object, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call a tool; the first call begins an episode if the client has begun none.

        Raises:
            BadValue: all places are taken, or the seat is closed.
        """
        with self._lock:
            if self._tools is None:
                self._begin(None, None)
            assert self._tools is not None, "an episode has begun"
            return call_tool(self._tools, name, arguments)

    def close(self) -> None:
        """Close the world and free its place; may be called twice."""
        with self._lock:
            self._closed = True
            tools, self._tools = self._tools, None
            if tools is not None:
                self._places.give_back(tools)

    def _begin(self, seed: object, task: object) -> str:
        if self._closed:
            raise BadValue("client: expected one that stays, got one that has left")
        tools = self._places.take() if self._tools is None else self._tools
        try:
            told = tools.reset(seed=seed, task=task)
        except BaseException:
            if self._tools is None:
                self._places.give_back(tools)
            raise
        self._tools = tools
        return told


def forms_with_begin() -> tuple[ToolForm, ...]:
    """Return the forms of all tools, `begin` first."""
    return (BEGIN_TOOL, *tool_forms())
