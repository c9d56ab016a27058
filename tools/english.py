"""Find sentences that make a reader stumble: docstrings, comments, messages, help texts, tests' names, pages.

`python -m tools.english` lists each such sentence with its place and the reason; `--counts` counts by room.
The patterns are few and sure. A better sentence begins with its noun and names its actor.
`tests/test_english.py` keeps the list empty.
"""

import argparse
import ast
import io
import itertools
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "optimus_gym",
    "envs",
    "wrappers",
    "baselines",
    "examples",
    "benchmarks",
    "tools",
    "tests",
)
PATTERNS = {
    "a clause as subject: begin with the noun": r"^(What|Who|Whom|Whose|Whoever|Whatever) (?![^.]*\?$)",
    "'Of …' as a beginning: begin with the noun": r"^Of (?!course)",
    "a ghost as actor: name the actor": r"\b(nobody|no one|whoever|whom|none of|nothing of)\b",
    "a chain of relatives: make two sentences": r"\b(of|to|on|by) (which|whose)\b|\bfrom which on\b",
    "'told' for reported: name the reporter": r"\b(is|are|was|were|be|been) told\b|\btold (of|by|apart)\b",
    "'Tell whether': write 'Return whether'": r"^Tell (whether|how|what|which)\b",
    "an old word": r"\b(anew|beside|oftener|whereby|thereof|wherein|therein)\b",
    "a verb first that is no imperative": r"^(Printed|Kept|Told|Taken|Left|Said|Seen|Given) (is|are|was)\b",
    "a pronoun first: repeat the noun": r"^(It|They|Its|Their) ",
    "a bound in one word: 'Maximum number of'": r"^(Fewest|Most \w+ (of|that|in|from|to|until|at|for|on)) ",
    "a pronoun without its noun": r"\b(those|that) (of|that) (those|whose|none)\b|\bthe (former|latter)\b",
}
"""Regular expressions of stumbling sentences by reason; each is tried on one sentence."""
COMPILED = {
    why: re.compile(pattern, 0 if pattern.startswith("^") else re.IGNORECASE)
    for why, pattern in PATTERNS.items()
}
NAMES = re.compile(r"\b(who|whose|whom|whoever|nobody|beside|anew|told|of which|none)\b")
"""Regular expression for the words that a test's name must not have."""
FEWEST_WORDS = 4
"""Least number of words of a sentence; shorter texts are names, headings and labels."""
FIXED = {"prompts", "golden"}
"""Names of folders that are not read: prompts, which quote the papers, and golden files."""
QUOTED = re.compile(r"```.*?```|`[^`]*`|\"[^\"\n]*\"", re.DOTALL)
"""Regular expression for code and quotations in a text, which hold words of other authors."""


class Stumble(NamedTuple):
    """A sentence that makes a reader stumble."""

    path: str
    line: int
    text: str
    why: str


def sentences(text: str) -> Iterator[str]:
    """Return the sentences of a text of paragraphs, lists and headings, without tables and code."""
    text = QUOTED.sub(lambda found: "`x`" if "\n" not in found[0] else " ", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+\.)\s)|\n(?=\|)", text):
        if block.lstrip().startswith(("|", ">>>", "<!--")):
            continue
        flat = " ".join(block.split()).lstrip("-*#> ")
        for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`])", flat):
            if len(sentence.split()) >= FEWEST_WORDS:
                yield sentence


def words_of(value: ast.expr) -> str:
    """Return the words of a message, with `x` in the place of each value that is filled in."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.JoinedStr):
        return "".join(map(words_of, value.values))
    if isinstance(value, ast.BinOp):
        return words_of(value.left) + words_of(value.right)
    return "`x`"


def code_texts(source: str) -> Iterator[tuple[int, str]]:
    """Return (line, text) of a module's docstrings, messages, help texts, epilogs and comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield node.lineno, node.value.value
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from ((value.lineno, words_of(value)) for value in node.exc.args)
        elif isinstance(node, ast.keyword) and node.arg in ("help", "description", "epilog"):
            yield node.value.lineno, words_of(node.value)
    yield from comments(source)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Return (line, text) of each block of comments."""
    first, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            first = first or token.start[0]
            lines.append(token.string.lstrip("# "))
        elif token.type != tokenize.NL and lines:
            yield first, " ".join(lines)
            first, lines = 0, []


def joint_constants(source: str) -> Iterator[tuple[int, str]]:
    """Return (line, names) of constants with values of their own that share one docstring."""
    body = ast.parse(source).body
    for node, following in itertools.pairwise(body):
        shared = isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)
        targets = node.targets if isinstance(node, ast.Assign) and shared else []
        if targets and isinstance(targets[0], ast.Tuple) and isinstance(following, ast.Expr):
            yield node.lineno, ast.unparse(targets[0])


def test_names(source: str) -> Iterator[tuple[int, str]]:
    """Return (line, words) of the names of a module's tests."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name.removeprefix("test_").replace("_", " ")


def stumbles(path: Path) -> Iterator[Stumble]:
    """Return the sentences of a file that match a pattern."""
    source, place = path.read_text("utf-8"), path.relative_to(ROOT).as_posix()
    texts = [(1, source)] if path.suffix == ".md" else code_texts(source)
    for line, text in texts:
        for sentence in sentences(text):
            for why, pattern in COMPILED.items():
                if pattern.search(sentence):
                    yield Stumble(place, line, sentence, why)
    if path.suffix == ".py" and not place.startswith("tests/"):
        for line, names in joint_constants(source):
            yield Stumble(place, line, names, "constants that share a docstring: one line each")
    if path.suffix == ".py" and place.startswith("tests/"):
        for line, name in test_names(source):
            if NAMES.search(name):
                yield Stumble(place, line, name, "a test's name in riddles: say what holds")


def files() -> list[Path]:
    """Return the modules and pages of the checkout, without the prompts."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for folder in FOLDERS:
        found += [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]
    return sorted(path for path in found if not FIXED & set(path.parts))


def room(path: str) -> str:
    """Return the room of a file: two folders at most."""
    return "/".join(Path(path).parent.parts[:2]) or "pages"


def main() -> None:
    """Print the stumbling sentences of the checkout, or their number by room."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", action="store_true", help="count by room")
    found = [stumble for path in files() for stumble in stumbles(path)]
    if parser.parse_args().counts:
        for name, count in sorted(Counter(room(stumble.path) for stumble in found).items()):
            print(f"{name}: {count}")
    else:
        for stumble in found:
            print(f"{stumble.path}:{stumble.line}: {stumble.text[:160]}  [{stumble.why}]")
    print(f"{len(found)} in all")


if __name__ == "__main__":
    main()
