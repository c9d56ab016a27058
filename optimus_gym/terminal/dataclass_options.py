"""Makes a command line of a dataclass: an option for each field, with the text under the field as help."""

import argparse
import ast
import inspect
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.terminal.parser import number, whole, wholes

_READERS: Final[Mapping[type, tuple[Any, str]]] = MappingProxyType(
    {int: (whole, "N"), float: (number, "X"), tuple: (wholes, "N,...")}
)
"""By the type of an option's default, the function that reads the option's text, and the placeholder in its
help."""


_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {"out": "DIR", "root": "DIR", "file": "FILE", "aligner": "NAME|JSON"}
)
"""Placeholders in the help of options that take a text, by the last word of the option's name."""


def add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add an option for each field of a dataclass: `--batch-size` for `batch_size`.

    Args:
        parser: the parser that gets the options.
        kind: a dataclass. Each field has a default (a bool, a number, a text or a tuple of integers) and a
            text under it.
    """
    texts = texts_of(kind)
    for field in fields(kind):
        option, default = "--" + field.name.replace("_", "-"), field.default
        text = _help_of(texts[field.name], default)
        if isinstance(default, bool):
            parser.add_argument(option, action="store_true", help=text)
            continue
        last = field.name.rpartition("_")[2]
        read, placeholder = _READERS.get(type(default)) or (str, _TEXTS.get(last, "NAME"))
        parser.add_argument(option, default=default, metavar=placeholder, help=text, type=read)


def _help_of(text: str, default: object) -> str:
    """Return an option's help: the text under its field, with the default unless the text names a default.

    >>> _help_of("Folder for the models", "runs"), _help_of("VPT's weights (default: none)", "")
    ('folder for the models (default: runs)', "VPT's weights (default: none)")
    """
    if text[1:2].islower():
        text = text[0].lower() + text[1:]
    if "(default: " not in text and "(required)" not in text:
        shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
        text += f" (default: {'off' if default is False else shown})"
    return text.replace("%", "%%")


def texts_of(kind: type) -> dict[str, str]:
    """Return the docstring under each field of a class in the source code, joined to one line."""
    (body,) = ast.parse(inspect.cleandoc(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef), "a class's source is a class"
    found = {}
    for node, after in zip(body.body, body.body[1:], strict=False):
        match node, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split()).removesuffix(".")
    return found
