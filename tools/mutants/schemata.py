"""Mutated sources: every mutant is written next to the line that it replaces, behind a switch.

All mutants are thereby compiled together, once. If a part of an expression differs, the part becomes
`new if is_active(17) else old`. If that is impossible, the whole statement becomes an `if` with an `else`.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.mutants.table import BadRow, Mutant

SWITCH = "mutant_switch"
"""The name of `switch.py` as a module in the copy."""
_ASKED = "is_active"
Step = tuple[str, int | None]
"""A step to a child node: the field's name, and the index if the field holds a list."""
_FIRM = {
    (ast.Call, "func"),
    (ast.Call, "keywords"),
    (ast.Subscript, "value"),
    (ast.Subscript, "slice"),
    (ast.Attribute, "value"),
    (ast.AnnAssign, "annotation"),
    (ast.JoinedStr, "values"),
    (ast.FormattedValue, "value"),
    (ast.FormattedValue, "format_spec"),
}
"""Types of nodes and their fields that kernels cannot switch at run time, such as a called function."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A mutant with its number, and whether its line is in a compiled function."""

    number: int
    mutant: Mutant
    in_kernel: bool
    """Whether the line is in a compiled function."""


def with_mutants(source: str, mutants: Sequence[tuple[int, Mutant]]) -> tuple[str, list[Placed]]:
    """Return a source file with its mutants behind switches, and each mutant's number and place.

    Args:
        source: the text of the file.
        mutants: the mutants of this file, with their numbers.

    Raises:
        BadRow: a line does not occur exactly once, does not differ or is no Python; the message names it.
    """
    tree = ast.parse(source)
    found: list[tuple[list[Step], ast.AST, Placed]] = []
    for number, mutant in mutants:
        other = _parsed(mutant, _replaced(source, mutant))
        path = _difference(tree, other)
        if path is None:
            raise BadRow(
                f"{mutant.id}: expected a mutant that differs from the code, got {mutant.new!r}"
            )
        path = _switchable(tree, path, mutant)
        placed = Placed(number, mutant, _in_kernel(tree, path))
        found.append((path, _at(other, path), placed))
    for path, new, placed in sorted(found, key=lambda row: -len(row[0])):
        _switch(tree, path, new, placed.number)
    _import_switch(tree)
    placed_rows = sorted((placed for _, _, placed in found), key=lambda placed: placed.number)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n", placed_rows


def line_number(source: str, mutant: Mutant) -> int:
    """Return the number of a mutant's line, from 1.

    Raises:
        BadRow: the line does not occur exactly once.
    """
    lines = source.splitlines()
    within = range(1, len(lines) + 1)
    if mutant.function is not None:
        spans = [
            range(node.lineno, (node.end_lineno or node.lineno) + 1)
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef) and node.name == mutant.function
        ]
        if len(spans) != 1:
            raise BadRow(
                f"{mutant.id}: expected one function {mutant.function!r} in {mutant.file}, got {len(spans)}"
            )
        within = spans[0]
    places = [k for k in within if lines[k - 1].strip() == mutant.old]
    if len(places) != 1:
        raise BadRow(
            f"{mutant.id}: expected the line {mutant.old!r} once in {mutant.file}, got it {len(places)} times"
        )
    return places[0]


def _replaced(source: str, mutant: Mutant) -> str:
    lines = source.splitlines()
    k = line_number(source, mutant) - 1
    indent = lines[k][: len(lines[k]) - len(lines[k].lstrip())]
    lines[k] = indent + mutant.new
    return "\n".join(lines) + "\n"


def _parsed(mutant: Mutant, source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise BadRow(
            f"{mutant.id}: expected Python, got {mutant.new!r} ({error.msg}, {mutant.file})"
        ) from error


def _children(node: ast.AST) -> Iterator[tuple[Step, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield (name, None), value
        elif isinstance(value, list):
            yield from (
                ((name, k), part) for k, part in enumerate(value) if isinstance(part, ast.AST)
            )


def _difference(one: ast.AST, other: ast.AST) -> list[Step] | None:
    """Return the path to the smallest node with all differences; None if there are none."""
    if ast.dump(one) == ast.dump(other):
        return None
    ours, theirs = dict(_children(one)), dict(_children(other))
    if type(one) is type(other) and list(ours) == list(theirs):
        differing = [
            step for step, node in ours.items() if ast.dump(node) != ast.dump(theirs[step])
        ]
        if len(differing) == 1 and _plain(one) == _plain(other):
            step = differing[0]
            return [step, *(_difference(ours[step], theirs[step]) or [])]
    return []


def _plain(node: ast.AST) -> list[object]:
    """Return the values of a node's fields that are no nodes, such as names."""
    return [
        value
        for _, value in ast.iter_fields(node)
        if not isinstance(value, ast.AST)
        and not (isinstance(value, list) and any(isinstance(part, ast.AST) for part in value))
    ]


def _at(node: ast.AST, path: Sequence[Step]) -> ast.AST:
    for name, k in path:
        part = getattr(node, name)
        node = part if k is None else part[k]
    return node


def _switchable(tree: ast.Module, path: list[Step], mutant: Mutant) -> list[Step]:
    """Return the path to the smallest node around a difference that can be switched at run time."""
    nodes = [_at(tree, path[:k]) for k in range(len(path) + 1)]
    if not any(isinstance(node, ast.FunctionDef) for node in nodes[:-1]):
        raise BadRow(f"{mutant.id}: expected a line in a function of {mutant.file}")
    for k in range(len(path), 0, -1):
        node, owner = nodes[k], nodes[k - 1]
        if isinstance(node, ast.expr) and not _is_firm(nodes[: k + 1], path[:k]):
            return path[:k]
        if isinstance(node, ast.stmt):
            if hasattr(node, "body"):
                raise BadRow(f"{mutant.id}: expected an expression or a simple statement to differ")
            assert isinstance(owner, ast.AST)
            return path[:k]
    raise BadRow(f"{mutant.id}: expected a line of a function's body in {mutant.file}")


def _is_firm(nodes: Sequence[ast.AST], path: Sequence[Step]) -> bool:
    """Return whether an expression cannot become `new if is_active() else old`."""
    node = nodes[-1]
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return True
    if isinstance(node, ast.Starred | ast.Slice | ast.keyword):
        return True
    for owner, (name, _) in zip(nodes[:-1], path, strict=True):
        if isinstance(owner, ast.stmt) and name in ("targets", "target", "annotation", "returns"):
            return True
        if isinstance(owner, ast.FunctionDef) and name != "body":
            return True
    return any(
        isinstance(nodes[-2], kind) and path[-1][0] == name for kind, name in _FIRM
    ) or _in_slice(nodes)


def _in_slice(nodes: Sequence[ast.AST]) -> bool:
    """Return whether a node is an index in the tuple of a subscript, `a[node, 0]`."""
    return (
        len(nodes) > 2 and isinstance(nodes[-2], ast.Tuple) and isinstance(nodes[-3], ast.Subscript)
    )


def _in_kernel(tree: ast.Module, path: Sequence[Step]) -> bool:
    owners = [_at(tree, path[:k]) for k in range(len(path))]
    return any(
        "kernel" in ast.unparse(decorator)
        for owner in owners
        if isinstance(owner, ast.FunctionDef)
        for decorator in owner.decorator_list
    )


def _switch(tree: ast.Module, path: Sequence[Step], new: ast.AST, number: int) -> None:
    """Replace a node by a switch between its old and its new form."""
    asked = ast.Call(ast.Name(_ASKED, ast.Load()), [ast.Constant(number)], [])
    old = _at(tree, path)
    both: ast.AST
    if isinstance(old, ast.expr):
        assert isinstance(new, ast.expr)
        both = ast.IfExp(asked, new, old)
    else:
        assert isinstance(old, ast.stmt)
        assert isinstance(new, ast.stmt)
        both = ast.If(asked, [new], [old])
    owner, (name, k) = _at(tree, path[:-1]), path[-1]
    if k is None:
        setattr(owner, name, both)
    else:
        getattr(owner, name)[k] = both


def _import_switch(tree: ast.Module) -> None:
    """Import the switch after the docstring and the imports from `__future__`."""
    place = 0
    for k, node in enumerate(tree.body):
        documents = k == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if documents or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            place = k + 1
    tree.body.insert(place, ast.ImportFrom(SWITCH, [ast.alias(_ASKED)], 0))
