"""Specifications of the exchangeable parts: frozen values that can be serialised and build a part later.

| form | example | means |
| --- | --- | --- |
| name | `"oracle"` | the registered part |
| name:source | `"sb3:model.zip"` | the registered part with the option `source` or the one in `SOURCES` |
| module:Class | `"my_package.policies:Mine"` | a part from anywhere |
| mapping | `{"name": "symbolic", "failures": 0.2}` | any of these names, and options of its class |
| object | `MyController()` | used as it is, by one environment, never copied |
"""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from weakref import ReferenceType, ref

from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.plain import plain_value
from optimus_gym.core.registry import load, names

_GIVEN = "object:"
"""Prefix of a class's name in a specification that stands for an object made by the caller."""

SOURCES: Mapping[tuple[str, str], str] = MappingProxyType(
    {("backbone", "openai"): "model", ("backbone", "transformers"): "model"}
)
"""By kind and name of a part, the option that a text such as "openai:X" sets to X. For parts that are not
listed, the option is `source`."""

DUTIES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("controller", "helper"), "act"),
        "agent": "decide",
        "aligner": "frames",
        "backbone": "complete",
        "reward": "pay",
    }
)
"""By kind of part, a method that a class of the kind must have; worlds are recognised by `can` instead."""

FUNCTION_KINDS: tuple[str, ...] = ("reward",)
"""Kinds of parts that may be a function instead of a class; the options are the function's arguments."""


@dataclass(frozen=True, slots=True)
class Part:
    """The specification of a part: a value that can be compared, hashed, pickled and copied.

    Attributes:
        kind: "world", "agent", "backbone", "controller", "helper", "aligner" or "reward".
        name: a registered name, or "module:Class".
        written: arguments of the part's class by name, as JSON, sorted by name.
    """

    kind: str
    name: str
    written: str = "{}"

    @property
    def options(self) -> dict[str, Any]:
        """Return the arguments of the part's class by name, a new dict; tuples are lists."""
        options: dict[str, Any] = json.loads(self.written)
        return options

    @property
    def maker(self) -> Any:
        """Return the part's class, imported now.

        Raises:
            UnknownName: the name is neither registered nor of the form "module:Class".
            BadValue: the class does not exist, or is no class of the kind `kind`.
        """
        return _class_of(self.kind, self.name)

    def build(self, *arguments: Any, **given: Any) -> Any:
        """Build the part from the environment's arguments and the specification's options.

        Raises:
            UnknownName: the part's class does not take one of the options.
            BadValue: an option is missing, or the class rejects a value.
        """
        maker = self.maker
        options = self.options
        known = _options_of(maker, len(arguments), given)
        for name in options:
            if known is not None and name not in known:
                if not known:
                    raise BadValue(f"{self.kind} {self.name!r}: it takes no options, got {name!r}")
                raise UnknownName(f"option of {self.kind} {self.name!r}", name, known)
        try:
            inspect.signature(maker).bind(*arguments, **given, **options)
        except TypeError as error:
            raise BadValue(f"{self.kind} {self.name!r}: {error}") from error
        return maker(*arguments, **given, **options)

    def __str__(self) -> str:
        """Return the specification as a name, or as the text of a mapping with name and options."""
        options = self.options
        return repr({"name": self.name, **options}) if options else self.name


def part_of(kind: str, wanted: object) -> Part | None:
    """Return the specification that an argument states; None if the argument is a ready object.

    Raises:
        UnknownName: the name does not exist.
        BadValue: the argument is neither a name, a mapping, a part nor a ready object; or it comes from the
            specification of an environment that was made with an object; or JSON cannot hold an option.

    >>> part_of("world", {"name": "symbolic", "failures": 0.2}).options["failures"]
    0.2
    >>> str(part_of("controller", "random"))
    'random'
    >>> part_of("backbone", "openai:some/model").options
    {'model': 'some/model'}
    """
    if isinstance(wanted, Part):
        return wanted
    if isinstance(wanted, Mapping):
        return _from_mapping(kind, wanted)
    if isinstance(wanted, str):
        return _from_text(kind, wanted, {})
    if wanted is None or isinstance(wanted, int | float | list | tuple):
        raise BadValue(f"{kind}: expected a name, a mapping with a name or a part, got {wanted!r}")
    if isinstance(wanted, type):
        name = f"{wanted.__module__}:{wanted.__qualname__}"
        raise BadValue(
            f"{kind}: expected an object, got its class; make an object, or pass the name {name!r}"
        )
    return None


def _from_mapping(kind: str, wanted: Mapping[str, Any]) -> Part:
    options = dict(wanted)
    name = options.pop("name", None)
    if not isinstance(name, str) or not all(isinstance(key, str) for key in options):
        raise BadValue(
            f'{kind}: expected {{"name": …, option: value, …}}, got {dict(wanted)!r:.200}'
        )
    return _from_text(kind, name, options)


def _from_text(kind: str, text: str, options: dict[str, Any]) -> Part:
    if text.startswith(_GIVEN):
        raise BadValue(
            f"{kind}: the environment was made with an object ({text.removeprefix(_GIVEN)}), which a "
            f"specification cannot rebuild; pass an object again: gym.make(spec, {kind}=…)"
        )
    head, colon, source = text.partition(":")
    if colon and head in names(kind):
        option = SOURCES.get((kind, head), "source")
        if option in options:
            raise BadValue(
                f"{kind}: expected the option {option} once, got {text!r} and {options[option]!r}"
            )
        options, text = {option: source, **options}, head
    elif text not in names(kind):
        _class_of(kind, text)
    held = {name: plain_value(f"{kind}: {name}", value) for name, value in options.items()}
    return Part(kind, text, json.dumps(held, sort_keys=True))


def _class_of(kind: str, name: str) -> Any:
    """Return the class that a name stands for; reject an object that is no class of the part's kind.

    Raises:
        UnknownName: the name is neither registered nor of the form "module:Class".
        BadValue: no object has the name, or the object is no class with the method in `DUTIES`.
    """
    found = load(kind, name)
    duty = DUTIES.get(kind)
    if duty is None or (inspect.isclass(found) and callable(getattr(found, duty, None))):
        return found
    if kind in FUNCTION_KINDS and inspect.isfunction(found):
        return found
    function = " or a function" if kind in FUNCTION_KINDS else ""
    raise BadValue(
        f"{kind}: expected a class with the method {duty}{function}, got {name!r}: {shown(found)}"
    )


def plain(kind: str, wanted: object) -> Any:
    """Return an argument in the form that a serialisable specification holds.

    Raises:
        BadValue: JSON cannot hold the argument.

    >>> plain("controller", "random"), plain("controller", {"name": "random"})
    ('random', {'name': 'random'})
    """
    if isinstance(wanted, Part):
        options = wanted.options
        return {"name": wanted.name, **options} if options else wanted.name
    if wanted is None or isinstance(wanted, str | int | float | list | tuple | Mapping):
        return plain_value(kind, wanted)
    return f"{_GIVEN}{type(wanted).__module__}:{type(wanted).__qualname__}"


def _options_of(maker: Any, positional: int, given: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the names of the options that a class takes, or None if the class takes options of any name."""
    declared = getattr(maker, "options", None)
    if declared is not None and not callable(declared):
        return tuple(declared)
    parameters = list(inspect.signature(maker).parameters.values())[positional:]
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return tuple(one.name for one in parameters if one.name not in given)


_owners: dict[int, tuple[Callable[[], object], "ReferenceType[object]"]] = {}
"""By `id` of each object that serves an environment: a function that returns the object, and one that returns
the environment.

The object is held weakly where possible, so that an environment and its objects are freed together.
"""


def claim(kind: str, part: object, owner: object) -> None:
    """Reserve an object for one environment until `release` or until the environment is freed.

    Raises:
        BadValue: the object serves another environment.
    """
    held = _owners.get(id(part))
    if held is not None and held[0]() is part and held[1]() not in (None, owner):
        raise BadValue(
            f"{kind}: this {type(part).__name__} serves another environment already; an object is "
            f"never copied: name it by a specification, or close the other environment first"
        )

    def forget(_: object, key: int = id(part)) -> None:
        _owners.pop(key, None)

    _owners[id(part)] = (_held(part, forget), ref(owner, forget))


def _held(part: object, forget: Callable[[object], None]) -> Callable[[], object]:
    """Return a weak reference to an object or, if the object allows none, a function that returns it."""
    try:
        return ref(part, forget)
    except TypeError:
        return lambda: part


def release(owner: object) -> None:
    """Free the objects that serve an environment for use by other environments."""
    for key, (_, whose) in _owners.copy().items():
        if whose() is owner:
            _owners.pop(key, None)
