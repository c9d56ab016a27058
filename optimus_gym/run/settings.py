"""Reads the options of `run.options`: parts, rules, reset options and other arguments of the environment.

A part is given by its name or as JSON; `--set` gives one option of a part, or one of the
environment's arguments in `SETTINGS`.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import MOST_SHOWN, BadValue, UnknownName, shown
from optimus_gym.core.parts import part_of, plain
from optimus_gym.core.plain import read_json
from optimus_gym.core.registration import environment_id, environment_ids, task_names, views
from optimus_gym.envs.config import PART_KINDS, EnvConfig

NAMED: Final = (*PART_KINDS, "protocol", "memory")
"""Environment arguments that have an option of their own and cannot be given by `--set`."""
ALSO_NAMED: Final = ("resolution", "ticks", "crafting")
"""Environment arguments that either an option of their own or `--set` can give."""
MOST_DIGITS: Final = 9
"""Maximum number of digits of a picture's width or height in an option."""
SETTINGS: Final = tuple(one.name for one in fields(EnvConfig) if one.name not in (*NAMED, "start"))
"""Environment arguments that `--set` can give."""
_NEAREST: Final = 3
"""Maximum number of environment ids that an error message suggests."""
_NEAR: Final = 0.8
"""Similarity of an unknown name and a task's name, 0 to 1, from which an error message suggests the task."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The settings of an environment that a command line gives.

    Attributes:
        given: the given parts (as specifications), protocol and memory, by name.
        settings: arguments of the environment that are neither a part nor protocol nor memory, by name.
        start: reset options by name.
    """

    given: Mapping[str, Any]
    settings: Mapping[str, Any]
    start: Mapping[str, Any]


def asked(parsed: argparse.Namespace) -> Asked:
    """Return the settings from the options of `run.options.add_setting_options`.

    Raises:
        BadValue, UnknownName: an argument cannot be read, two arguments exclude each other, or a name is
            unknown.
    """
    given: dict[str, Any] = {}
    for kind in NAMED:
        written = getattr(parsed, kind, None)
        if written is not None:
            given[kind] = _part(kind, written) if kind in PART_KINDS else written
    _name_backbone(parsed, given)
    settings = _settings(parsed.settings, given)
    _add_named(parsed, settings)
    _wrap_backbone(parsed, given)
    for kind in PART_KINDS:
        if kind in given:
            part_of(kind, given[kind])
    return Asked(given, settings, values_of("start", parsed.start))


def _add_named(parsed: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Add the arguments of `ALSO_NAMED` to `settings`.

    Raises:
        BadValue: the argument cannot be read, or both its own option and `--set` give a value.
    """
    for name in ALSO_NAMED:
        value = getattr(parsed, name)
        if value is None:
            continue
        if name in settings:
            raise BadValue(f"{name}: expected --{name} or --set {name}=..., got both")
        settings[name] = parse_resolution(value) if name == "resolution" else value


def parse_resolution(text: str) -> tuple[int, int]:
    """Return width and height from a text "WxH".

    Raises:
        BadValue: the text is not two whole numbers with an x between them.

    >>> parse_resolution("640x360")
    (640, 360)
    """
    width, _, height = text.partition("x")
    if not all(side.isdecimal() and len(side) <= MOST_DIGITS for side in (width, height)):
        raise BadValue(f"resolution: expected WxH such as 128x128, got {shown(text)}")
    return int(width), int(height)


def _part(kind: str, written: str) -> Any:
    """Return a part's specification from an option's text: the name itself, or the content of JSON.

    >>> _part("agent", "optimus-1"), _part("backbone", '{"name": "openai", "model": "m"}')
    ('optimus-1', {'name': 'openai', 'model': 'm'})
    """
    return read_json(written, kind) if written.lstrip().startswith("{") else written


def _name_backbone(parsed: argparse.Namespace, given: dict[str, Any]) -> None:
    """Put the backbone that the arguments name, with its model and server, into `given`.

    Raises:
        BadValue: two arguments exclude each other, or a model or server is given without a backbone.
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
            raise BadValue(f"replay: expected --replay without {' or '.join(named)}, got both")
        given["backbone"] = {"name": "replay", "source": str(check_path("replay", source))}
    elif options:
        if "backbone" not in given:
            raise BadValue(
                f"backbone: expected --backbone NAME with {' and '.join(options)}, got none"
            )
        for name, value in options.items():
            _set(_table_of("backbone", given), name, value)


def _wrap_backbone(parsed: argparse.Namespace, given: dict[str, Any]) -> None:
    """Wrap the backbone in the backbone `fallible` for `--error-scale`, and in `replay` for `--record`."""
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
    """Return the settings that `--set` gives, by name; put options of parts into `given`.

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
            raise BadValue(f"set: {name}: expected --{name} {shown(written)} instead of --set")
        if name == "start":
            raise BadValue("set: start: expected --start NAME=VALUE instead of --set")
        if not dot and name not in SETTINGS:
            raise UnknownName("setting", name, SETTINGS)
        _set(_table_of(kind, given) if dot else settings, option or name, _value(name, written))
    return settings


def _table_of(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Turn a part's specification in `given` into a mapping of name and options; return the mapping."""
    part = part_of(kind, given.get(kind, getattr(EnvConfig, kind)))
    assert part is not None, "a name is no object"
    given[kind] = table = {"name": part.name, **part.options}
    return table


def values_of(where: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return the values of texts "NAME=VALUE" by name.

    Raises:
        BadValue: a text has another form, or a name comes twice.

    >>> values_of("start", ["time=night", 'inventory={"oak_log": 1}'])
    {'time': 'night', 'inventory': {'oak_log': 1}}
    """
    table: dict[str, Any] = {}
    for text in texts:
        name, written = _named(where, text)
        _set(table, name, _value(name, written))
    return table


def _named(where: str, text: str) -> tuple[str, str]:
    """Return name and value of a text "NAME=VALUE".

    Raises:
        BadValue: the text has another form.
    """
    name, equals, written = text.partition("=")
    if not name or not equals:
        raise BadValue(f"{where}: expected NAME=VALUE, got {shown(text)}")
    return name.strip(), written


def _set(table: dict[str, Any], name: str, value: Any) -> None:
    """Put a value into a mapping under a new name.

    Raises:
        BadValue: the mapping already has a value of this name.
    """
    if name in table:
        raise BadValue(f"{name}: expected a value once, got it twice")
    table[name] = value


def _value(name: str, written: str) -> Any:
    """Return the value of a text read as JSON; a text that is no JSON is returned itself.

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
            f"{kind}: expected a specification, since each process builds its own part; got an object of "
            f"{type(given).__name__}; name it 'module:Class'"
        )
    return plain(kind, given)


def subgoal_id(name: str) -> str:
    """Return the id of a sub-goal view from the id itself or a task's name.

    Raises:
        BadValue, UnknownName: the id is of another view, or neither an id nor a task has this name; the
            message suggests the sub-goal view's id or the most similar ids.

    >>> subgoal_id("Diamond")
    'Optimus-Diamond-v0'
    """
    view = views()[0]
    if name in task_names():
        return environment_id(view, name)
    found, _, rest = check_id(name).partition("-")
    if found != view:
        raise BadValue(f"id: expected the sub-goal view, '{view}-{rest}', got {name!r}")
    return name


def check_id(name: str) -> str:
    """Return `name` if it is the id of an environment.

    Raises:
        BadValue, UnknownName: `name` is a task or unknown; the message suggests the task's ids, or ids with
            similar names.

    >>> check_id("Diamond")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: id: expected a view of the task, 'Optimus-Diamond-v0' or \
'OptimusControl-Diamond-v0' or 'OptimusFlat-Diamond-v0', got 'Diamond'
    """
    known = environment_ids()
    if name in known:
        return name
    if name in task_names():
        ids = " or ".join(repr(environment_id(view, name)) for view in views())
        raise BadValue(f"id: expected a view of the task, {ids}, got {name!r}")
    tasks = {one.lower(): one for one in task_names()}
    near = get_close_matches(name.lower()[:MOST_SHOWN], tasks, _NEAREST, _NEAR)
    if near:
        ids = ", ".join(repr(environment_id(views()[0], tasks[one])) for one in near)
        raise BadValue(f"unknown environment {shown(name)}; did you mean {ids}?")
    raise UnknownName("environment", name, known)
