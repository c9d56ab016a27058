"""The tools of `ToolEnv` for clients: forms with JSON schemas, checked calls, results in JSON's types."""

import base64
import inspect
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from optimus_gym.core.errors import hint, shown
from optimus_gym.wrappers.tool_env import ToolContent, ToolEnv, tool_names
from optimus_gym.wrappers.tool_words import not_done

CallFault = Literal["", "unknown tool", "wrong arguments"]
"""The fault of a client's call itself; "" if the tool was called."""
_JSON_TYPES: Final[Mapping[type, Mapping[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": 1},
}


@dataclass(frozen=True, slots=True)
class ToolForm:
    """A tool's name, its description, and the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


class ToolAnswer(NamedTuple):
    """The result of a client's call: texts and pictures, and the fault of the call itself."""

    contents: tuple[ToolContent, ...]
    fault: CallFault = ""


@cache
def tool_forms() -> tuple[ToolForm, ...]:
    """Return the forms of all tools of `ToolEnv`, made from its methods' types and docstrings.

    >>> tool_forms()[-1].name, dict(tool_forms()[2].schema)["required"]
    ('status', ['item'])
    """
    return tuple(_form(name, getattr(ToolEnv, name)) for name in tool_names())


def call_tool(tools: ToolEnv, name: object, arguments: object) -> ToolAnswer:
    """Call a tool by name with a client's arguments; faults of the call are answered in words."""
    if name not in tool_names():
        return refused_call(
            "unknown tool", f"unknown tool {shown(name)}; {hint(name, tool_names())}"
        )
    assert isinstance(name, str), "it is one of the names"
    method = getattr(tools, name)
    known = inspect.signature(method).parameters
    given = arguments if isinstance(arguments, Mapping) else {}
    least = [one for one, value in known.items() if value.default is inspect.Parameter.empty]
    if not isinstance(arguments, Mapping) or not set(least) <= given.keys() <= known.keys():
        named_so = (one if one in least else f"perhaps {one}" for one in known)
        expected = ", ".join(named_so) or "no arguments"
        named = ", ".join(map(str, given)) or "nothing"
        got = shown(named if isinstance(arguments, Mapping) else arguments)
        return refused_call("wrong arguments", f"{name}: expected {expected}, got {got}")
    told = method(**given)
    return ToolAnswer((_text(told),) if isinstance(told, str) else tuple(told))


def wire_contents(contents: Sequence[ToolContent]) -> list[ToolContent]:
    """Return contents in JSON's types, as MCP has them: a picture becomes a PNG file in base64."""
    return [_wired(content) for content in contents]


def _wired(content: ToolContent) -> ToolContent:
    if content["type"] == "text":
        return content
    file = io.BytesIO()
    content["image"].save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return {"type": "image", "data": data, "mimeType": "image/png"}


def _text(told: str) -> ToolContent:
    return {"type": "text", "text": told}


def refused_call(fault: CallFault, why: str) -> ToolAnswer:
    """Return the answer to a call that could not be made, which says why."""
    return ToolAnswer((_text(not_done(why)),), fault)


def _form(name: str, method: Callable[..., Any]) -> ToolForm:
    told = inspect.getdoc(method) or ""
    described = _described(told)
    parameters = [
        one for one in inspect.signature(method).parameters.values() if one.name != "self"
    ]
    return ToolForm(
        name,
        told.split("\n\n")[0],
        {
            "type": "object",
            "properties": {
                one.name: {**_JSON_TYPES[one.annotation], "description": described[one.name]}
                for one in parameters
            },
            "required": [one.name for one in parameters if one.default is inspect.Parameter.empty],
            "additionalProperties": False,
        },
    )


def _described(docstring: str) -> dict[str, str]:
    """Return the text of each argument in a docstring's section "Args", whose texts take one line each."""
    _, _, section = docstring.partition("Args:\n")
    lines = section.split("\n\n")[0].splitlines()
    pairs = (line.strip().partition(": ") for line in lines)
    return {name: text for name, _, text in pairs}
