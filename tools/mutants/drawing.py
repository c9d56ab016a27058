"""Mutants of lines drawn at random: a measure of the tests without a bias from a choice of lines.

`rooms.json` lists rooms. Each room names patterns of source files, and the files of tests that should notice.
An operator makes one small change in one line of a function (`OPERATORS`). Rooms take turns, and each line is
drawn at most once. The draw depends only on the seed and the sources.
"""

import ast
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from optimus_gym.core.rng import generator
from tools.mutants.schemata import with_mutants
from tools.mutants.table import BadRow, Mutant

ROOMS: Final = Path(__file__).parent / "rooms.json"
"""The default file of rooms."""
COMPARED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not",
        "is not": "is", "in": "not in", "not in": "in",
    }
)  # fmt: skip
"""Replacements of comparison operators."""
COUNTED: Final[Mapping[str, str]] = MappingProxyType({"+": "-", "-": "+", "*": "//", "//": "*"})
"""Replacements of arithmetic operators."""
JOINED: Final[Mapping[str, str]] = MappingProxyType({"and": "or", "or": "and"})
"""Replacements of `and` and `or`."""
NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {"min": "max", "max": "min", "any": "all", "all": "any", "True": "False", "False": "True"}
)
"""Replacements of names of functions and constants."""
UNTOUCHED: Final = ("annotation", "returns", "decorator_list", "defaults", "kw_defaults")
"""Fields of syntax nodes whose content the operators do not change."""
_SIGN: Final = re.compile(r"\bis\s+not\b|\bnot\s+in\b|\b(?:is|in|and|or)\b|[<>=!]=|//|[<>+*-]")
Drawn = TypeVar("Drawn")
Edit = tuple[int, int, int, str]
"""A line's number from 1, the first and the end byte of the change in it, and the new text."""


@dataclass(frozen=True, slots=True)
class Room:
    """Source files for drawn mutants, and the files of tests that should notice.

    Attributes:
        name: the area of the room's mutants.
        files: source files, from the root of the checkout.
        tests: files of tests, from the root of the checkout.
    """

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


def rooms(root: Path, table: Path = ROOMS) -> list[Room]:
    """Return the rooms of a table.

    Raises:
        BadRow: a pattern fits no file.
    """
    found = []
    for name, row in json.loads(table.read_text(encoding="utf-8")).items():
        fitting = {pattern: sorted(root.glob(pattern)) for pattern in row["files"]}
        for pattern, files in fitting.items():
            if not files:
                raise BadRow(f"{name}: expected a file that fits '{pattern}' in '{root}'")
        names = [file.relative_to(root).as_posix() for files in fitting.values() for file in files]
        found.append(Room(name, tuple(names), tuple(row["tests"])))
    return found


def drawn(found: Sequence[Room], count: int, seed: int, root: Path) -> list[Mutant]:
    """Return mutants drawn from rooms in turn, room by room.

    Within a room the operators take turns, in a random order. A drawn change that cannot be put behind a
    switch (`schemata.py`) is skipped.

    Args:
        found: the rooms.
        count: number of mutants in all; rooms with few lines may give fewer.
        seed: the seed of the draw.
        root: the checkout.

    Raises:
        BadRow: `count` is less than 1.
        BadValue: the seed is invalid.
    """
    if count < 1:
        raise BadRow(f"draw: expected at least one mutant, got {count}")
    made = islice(_in_turn([_mutants_of(room, seed, root) for room in found]), count)
    order = [room.name for room in found]
    return sorted(made, key=lambda mutant: order.index(mutant.area))


def _in_turn(sources: Sequence[Iterator[Drawn]]) -> Iterator[Drawn]:
    """Yield one entry of each of some iterators in turn, until all are empty."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        for one in islice(source, 1):
            yield one
            waiting.append(source)


def _mutants_of(room: Room, seed: int, root: Path) -> Iterator[Mutant]:
    """Yield the mutants of a room in the order of the draw, at most one for each line."""
    texts = {file: (root / file).read_text(encoding="utf-8") for file in room.files}
    places = [(file, *edit) for file, text in texts.items() for edit in edits(text)]
    random = generator(seed, f"mutants of {room.name}")
    shuffled = [places[k] for k in random.permutation(len(places))]
    operators = dict.fromkeys(operator for _, operator, _ in shuffled)
    by_operator = [[place for place in shuffled if place[1] == name] for name in operators]
    seen: set[tuple[str, int]] = set()
    for file, operator, edit in _in_turn([iter(own) for own in by_operator]):
        if (file, edit[0]) in seen:
            continue
        mutant = _mutant(room, file, texts[file], operator, edit)
        with suppress(BadRow):
            with_mutants(texts[file], [(0, mutant)])
            seen.add((file, edit[0]))
            yield mutant


def _mutant(room: Room, file: str, text: str, operator: str, edit: Edit) -> Mutant:
    number, first, last, new = edit
    line = text.splitlines()[number - 1].encode()
    whole = (line[:first] + new.encode() + line[last:]).decode()
    old = line.decode().strip()
    again = sum(other.strip() == old for other in text.splitlines()) > 1
    function = _function_at(ast.parse(text), number) if again else None
    name = f"{file}:{number}:{operator}"
    return Mutant(name, room.name, file, old, whole.strip(), room.tests, (), function)


def _function_at(tree: ast.Module, number: int) -> str | None:
    """Return the name of the innermost function around a line."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= number <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno).name if around else None


def edits(source: str) -> Iterator[tuple[str, Edit]]:
    """Yield every operator's changes of a source file, by the operator's name."""
    lines = [line.encode() for line in source.splitlines()]
    for node in _inside(ast.parse(source)):
        for name, operator in OPERATORS.items():
            for edit in operator(node, lines):
                yield name, edit


def _inside(node: ast.AST, within: bool = False) -> Iterator[ast.AST]:
    """Yield the nodes of functions' bodies, except in f-strings, annotations and defaults."""
    if within:
        yield node
    if isinstance(node, ast.JoinedStr):
        return  # before Python 3.12, nodes in an f-string have no position
    for field, value in ast.iter_fields(node):
        if field not in UNTOUCHED:
            enters = within or (isinstance(node, ast.FunctionDef) and field == "body")
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from _inside(part, enters)


def _between(
    left: ast.expr, right: ast.expr, lines: Sequence[bytes], signs: Mapping[str, str]
) -> Iterator[Edit]:
    """Yield the replacement of the operator between two expressions of one line."""
    number, start = left.end_lineno or 0, left.end_col_offset or 0
    end = right.col_offset if right.lineno == number else len(lines[number - 1])
    found = _SIGN.search(lines[number - 1][start:end].decode())
    sign = " ".join(found[0].split()) if found else ""
    if found and sign in signs:
        yield number, start + found.start(), start + found.end(), signs[sign]


def _comparison(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        for left, right in pairwise((node.left, *node.comparators)):
            yield from _between(left, right, lines, COMPARED)


def _sum(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp):
        yield from _between(node.left, node.right, lines, COUNTED)


def _and_or(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp):
        for left, right in pairwise(node.values):
            yield from _between(left, right, lines, JOINED)


def _number(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from _instead(node, repr(value + 1))


def _name(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    written = isinstance(node, ast.Name) or (
        isinstance(node, ast.Constant) and isinstance(node.value, bool)
    )
    if written and isinstance(node, ast.expr) and ast.unparse(node) in NAMED:
        yield from _instead(node, NAMED[ast.unparse(node)])


def _condition(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
    for test in [*tests, *(node.ifs if isinstance(node, ast.comprehension) else [])]:
        yield from _instead(test, f"not ({ast.unparse(test)})")


def _arguments(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    """Yield the exchange of the first two arguments of a call, unless their order never matters."""
    if isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.func) not in NAMED:
        first, second = node.args[:2]
        plain = not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred)
        if plain and first.lineno == second.end_lineno:
            new = f"{ast.unparse(second)}, {ast.unparse(first)}"
            yield first.lineno, first.col_offset, second.end_col_offset or 0, new


def _dropped(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    """Yield the removal of a statement, if the code stays valid without it."""
    if _can_be_left_out(node):
        yield from _instead(node, "pass")


def _return(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Edit]:
    """Yield a bare `return` in place of a statement or of a returned value."""
    if _can_be_left_out(node) or (isinstance(node, ast.Return) and node.value is not None):
        yield from _instead(node, "return")


def _can_be_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Continue | ast.Break)


def _instead(node: ast.AST, new: str) -> Iterator[Edit]:
    """Yield the replacement of a whole node, if the node fits in one line."""
    assert isinstance(node, ast.expr | ast.stmt)
    if node.lineno == node.end_lineno:
        yield node.lineno, node.col_offset, node.end_col_offset or 0, new


OPERATORS: Final[Mapping[str, Callable[[ast.AST, Sequence[bytes]], Iterator[Edit]]]] = (
    MappingProxyType(
        {
            "comparison": _comparison,
            "sum": _sum,
            "and-or": _and_or,
            "number": _number,
            "name": _name,
            "condition": _condition,
            "arguments": _arguments,
            "dropped": _dropped,
            "return": _return,
        }
    )
)
"""The operators by name.

The operators exchange signs of comparisons and sums, `and` and `or`, min and max (also any and all, True and
False) and two arguments. Other operators change a number by one, negate a condition, remove a statement or
put a bare `return` in its place.
"""
