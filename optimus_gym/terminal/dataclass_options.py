"""A dataclass as a command line: an option for each field, with the text under the field as its help."""

import argparse
import ast
import inspect
from dataclasses import fields
from typing import Any


def add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add an option for each field of a dataclass: `--batch-size` for `batch_size`.

    Args:
        parser: the parser that gets the options.
        kind: a dataclass. Each field has a default (a bool, a number, a text or a tuple of numbers) and a
            text under it.
    """
    texts = texts_of(kind)
    for field in fields(kind):
        option, default = "--" + field.name.replace("_", "-"), field.default
        text = texts[field.name].replace("%", "%%")
        if isinstance(default, bool):
            parser.add_argument(option, action="store_true", help=f"{text} (default: off)")
            continue
        many: dict[str, Any] = {"type": type(default)}
        shown = str(default)
        if isinstance(default, tuple):
            many = {"type": type(default[0]), "nargs": "+"}
            shown = " ".join(map(str, default))
        told = f"{text} (default: {shown or 'empty'})"
        name = field.name.rpartition("_")[2].upper()
        parser.add_argument(option, default=default, metavar=name, help=told, **many)


def texts_of(kind: type) -> dict[str, str]:
    """Return the text under each field of a class, in one line, as it stands in the source."""
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
