"""The command-line options that `run`, `evaluate` and `record` share: parts, rules and reset options.

A part is a name or JSON; `--set` gives one option of a part, or another argument of the environment.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import MOST_SHOWN, BadValue, UnknownName, shown
from optimus_gym.core.parts import part_of, plain
from optimus_gym.core.plain import read_json
from optimus_gym.core.registration import environment_id, environment_ids, task_names, views
from optimus_gym.envs.config import PART_KINDS, EnvConfig

NAMED: Final = (*PART_KINDS, "protocol", "memory")
"""Environment arguments with their own command-line option."""
SETTINGS: Final = tuple(one.name for one in fields(EnvConfig) if one.name not in NAMED)
"""Environment arguments that `--set` gives."""
SETTINGS_TOLD: Final = "who plays, and by which rules"
EXAMPLES: Final = """A part is a name, a name with its source, or JSON; --set gives one option of it:

  --backbone openai:some-model --set backbone.timeout=20 --set agent.every=400
  --backbone '{"name": "openai", "model": "some-model", "timeout": 20}'
  --set agent.aligner='{"name": "mini"}' --set resolution='[640, 360]' --begin time=night"""
SUCH_AS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "world": "symbolic",
        "agent": "none",
        "backbone": "openai:some-model",
        "controller": "random",
    }
)
"""An example of each kind of part, other than the default, for help texts."""
NEAREST: Final = 3
"""Most environments that an error suggests."""
NEAR: Final = 0.8
"""Least similarity of a task's name, 0 to 1, for a suggestion."""


def add_setting_arguments(parser: argparse.ArgumentParser, memory: bool = True) -> None:
    """Add the options for parts, rules and reset options.

    Args:
        parser: gets the options, and examples below its help.
        memory: whether the agent may have a memory folder.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    group = parser.add_argument_group(SETTINGS_TOLD)
    for part in PART_KINDS:
        told = f"such as {SUCH_AS[part]} (default {getattr(EnvConfig, part)})"
        group.add_argument(f"--{part}", metavar="NAME|JSON", help=told)
    group.add_argument("--model", metavar="NAME", help="of a backbone that has one")
    group.add_argument(
        "--base-url", metavar="URL", help="of a server that speaks OpenAI's protocol"
    )
    group.add_argument(
        "--error-scale",
        type=float,
        metavar="X",
        help="let the backbone err, 0 (never) to 3 times as often as `fallible` does by itself",
    )
    group.add_argument(
        "--protocol", metavar="NAME", help=f"rule set (default {EnvConfig.protocol})"
    )
    if memory:
        group.add_argument(
            "--memory", metavar="FOLDER", help="knowledge and experience of the agent"
        )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="another argument of the environment, or PART.OPTION=VALUE; may be given several times",
    )
    group.add_argument(
        "--begin",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a reset option of every episode, such as time=night; may be given several times",
    )


def add_recording_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that record a backbone's answers, and that replay recorded answers."""
    group = parser.add_argument_group("recorded answers")
    group.add_argument(
        "--record", type=Path, metavar="FILE", help="write all answers to a new file"
    )
    group.add_argument("--replay", type=Path, metavar="FILE", help="answer from such a file")


@dataclass(frozen=True, slots=True)
class Asked:
    """The settings of a command line.

    Attributes:
        given: the given parts (as specifications), protocol and memory, by name.
        settings: other arguments of the environment by name.
        begin: reset options by name.
    """

    given: Mapping[str, Any]
    settings: Mapping[str, Any]
    begin: Mapping[str, Any]


def asked(parsed: argparse.Namespace) -> Asked:
    """Return the settings from the arguments of `add_setting_arguments`.

    Raises:
        BadValue, UnknownName: an argument cannot be read, two exclude each other, or a name is unknown.
    """
    given: dict[str, Any] = {}
    for kind in NAMED:
        written = getattr(parsed, kind, None)
        if written is not None:
            given[kind] = _part(kind, written) if kind in PART_KINDS else written
    _name_backbone(parsed, given)
    settings = _settings(parsed.settings, given)
    _wrap_backbone(parsed, given)
    for kind in PART_KINDS:
        if kind in given:
            part_of(kind, given[kind])
    return Asked(given, settings, values_of("begin", parsed.begin))


def _part(kind: str, written: str) -> Any:
    """Return a part's specification: a name, or what JSON holds.

    >>> _part("agent", "optimus-1"), _part("backbone", '{"name": "openai", "model": "m"}')
    ('optimus-1', {'name': 'openai', 'model': 'm'})
    """
    return read_json(written, kind) if written.lstrip().startswith("{") else written


def _name_backbone(parsed: argparse.Namespace, given: dict[str, Any]) -> None:
    """Put the backbone that the arguments name, with its model and server, into `given`.

    Raises:
        BadValue: two arguments exclude each other, or a model or server has no backbone.
    """
    told = {"model": parsed.model, "base_url": parsed.base_url}
    options = {name: value for name, value in told.items() if value is not None}
    source = getattr(parsed, "replay", None)
    if source is not None:
        others = {
            "backbone": parsed.backbone,
            "record": parsed.record,
            "error_scale": parsed.error_scale,
            **options,
        }
        named = [name for name, value in others.items() if value is not None]
        if named:
            raise BadValue(f"replay: expected it without others, got {', '.join(named)} beside it")
        given["backbone"] = {"name": "replay", "source": str(check_path("replay", source))}
    elif options:
        if "backbone" not in given:
            raise BadValue(f"backbone: expected --backbone NAME for {', '.join(options)}, got none")
        for name, value in options.items():
            _set(_table_of("backbone", given), name, value)


def _wrap_backbone(parsed: argparse.Namespace, given: dict[str, Any]) -> None:
    """Wrap the backbone in `fallible` or `replay` if the arguments ask for errors or a recording."""
    usual = EnvConfig.backbone
    if parsed.error_scale is not None:
        inner = given.get("backbone", usual)
        given["backbone"] = {"name": "fallible", "backbone": inner, "scale": parsed.error_scale}
    target = getattr(parsed, "record", None)
    if target is not None:
        source = str(check_path("record", target))
        inner = given.get("backbone", usual)
        given["backbone"] = {"name": "replay", "source": source, "backbone": inner}


def _settings(texts: Sequence[str], given: dict[str, Any]) -> dict[str, Any]:
    """Return settings by name; put options of parts into `given`.

    Raises:
        BadValue: a text has another form, or a name comes twice.
        UnknownName: a setting or part is unknown.
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, written = _named("set", text)
        kind, dot, option = name.partition(".")
        if dot and kind not in PART_KINDS:
            raise UnknownName("part", kind, PART_KINDS)
        if name in NAMED:
            raise BadValue(f"set: {name}: expected it as --{name} {shown(written)}")
        if not dot and name not in SETTINGS:
            raise UnknownName("setting", name, SETTINGS)
        _set(_table_of(kind, given) if dot else settings, option or name, _value(name, written))
    return settings


def _table_of(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Replace a part's specification in `given` by a table, and return the table."""
    part = part_of(kind, given.get(kind, getattr(EnvConfig, kind)))
    assert part is not None, "a name is no object"
    given[kind] = table = {"name": part.name, **part.options}
    return table


def values_of(where: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return the values of "NAME=VALUE" by name.

    Raises:
        BadValue: a text has another form, or a name comes twice.

    >>> values_of("begin", ["time=night", 'inventory={"oak_log": 1}'])
    {'time': 'night', 'inventory': {'oak_log': 1}}
    """
    table: dict[str, Any] = {}
    for text in texts:
        name, written = _named(where, text)
        _set(table, name, _value(name, written))
    return table


def listed(text: str) -> tuple[str, ...]:
    """Return the entries of a comma-separated text, without surrounding blanks.

    >>> listed("Wood, Stone,,Iron ")
    ('Wood', 'Stone', 'Iron')
    """
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _named(where: str, text: str) -> tuple[str, str]:
    """Return the parts of "NAME=VALUE".

    Raises:
        BadValue: the text has another form.
    """
    name, equals, written = text.partition("=")
    if not name or not equals:
        raise BadValue(f"{where}: expected NAME=VALUE, got {shown(text)}")
    return name.strip(), written


def _set(table: dict[str, Any], name: str, value: Any) -> None:
    """Put a value into a table.

    Raises:
        BadValue: the table already has a value of this name.
    """
    if name in table:
        raise BadValue(f"{name}: expected a value once, got it twice")
    table[name] = value


def _value(name: str, written: str) -> Any:
    """Return the JSON value of a text, or else the text itself.

    Raises:
        BadValue: the text begins like a JSON object, list or string, but is no JSON.

    >>> _value("a", "0.2"), _value("a", "[64, 64]"), _value("a", "all")
    (0.2, [64, 64], 'all')
    """
    try:
        return read_json(written, name)
    except BadValue:
        if written.lstrip().startswith(("{", "[", '"')):
            raise
        return written


def specification(kind: str, given: Any) -> Any:
    """Return a part's specification as JSON values.

    Raises:
        BadValue: `given` is an object, which other processes cannot share; or a name or option is unknown.
    """
    if part_of(kind, given) is None:
        raise BadValue(
            f"{kind}: expected a specification, since each process makes its own; got an object of "
            f"{type(given).__name__}; name it 'module:Class'"
        )
    return plain(kind, given)


def check_id(name: str) -> str:
    """Return `name` if it is the id of an environment.

    Raises:
        BadValue, UnknownName: the id is unknown; the message names ids of the nearest tasks, or near ids.

    >>> check_id("Diamnd")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: unknown environment 'Diamnd'; did you mean 'Optimus-Diamond-v0'?
    """
    known = environment_ids()
    if name in known:
        return name
    tasks = {one.lower(): one for one in task_names()}
    near = get_close_matches(name.lower()[:MOST_SHOWN], tasks, NEAREST, NEAR)
    if near:
        ids = ", ".join(repr(environment_id(views()[0], tasks[one])) for one in near)
        raise BadValue(f"unknown environment {shown(name)}; did you mean {ids}?")
    raise UnknownName("environment", name, known)
