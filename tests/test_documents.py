"""Every link, path, name, command and option in a document exists."""

import argparse
import ast
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest

from optimus_gym.agents.jarvis1.switches import JARVIS_PRESETS
from optimus_gym.agents.optimus1.switches import PRESETS
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.registration import minerl_ids, task_names
from optimus_gym.core.registry import names as part_names
from optimus_gym.core.types import EVENT_KINDS, STATUSES, VERBS
from optimus_gym.envs.spaces import observation_space
from optimus_gym.envs.starts import RESET_OPTIONS
from optimus_gym.game.protocols import assists, protocols
from optimus_gym.run import cli

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`\n]+)`")
SHELL = re.compile(r"^ *```(?:bash|sh|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"[\w.-]*(?:/[\w.-]+)*/?")
ENDINGS = (".py", ".json", ".md", ".toml", ".cfg", ".sh", ".svg", ".png", ".js", ".yml", ".csv")
OPTION = re.compile(r"--[a-z][a-z-]*")
MODULE = re.compile(r"(?:optimus_gym|tools|benchmarks|examples|tests)(?:\.\w+)+")
PLACEHOLDER = re.compile(r"[A-Z]{2,}|[<>*{}…]")
"""Placeholders for a reader's own values, such as `DIR` or `<Task>`."""
FOREIGN = {
    "--index-url",
    "run_agent/paper_prompts.py",
    "jarvis/assets/skill.json",
    "data/goal_mapping.json",
    "mine.py",
}
"""Options and files of other projects that a page names."""
FOLDERS = ("optimus_gym", "envs", "wrappers", "baselines")


@cache
def tracked():
    """Return the files of the checkout by path, with all folders above them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).exists()]
    return {path.as_posix() for path in files} | {
        folder.as_posix() for path in files for folder in path.parents
    }


@cache
def package_text():
    """Return the sources of the package, which hold the names of the files that it writes."""
    return "\n".join(
        (ROOT / path).read_text("utf-8") for path in sorted(tracked()) if is_code(path)
    )


def is_code(path):
    return path.endswith(".py") and path.split("/")[0] in (*FOLDERS, "tools", "benchmarks")


DOCUMENTS = sorted(
    path for path in tracked() if path.endswith(".md") and "prompts" not in path.split("/")
)
each_document = pytest.mark.parametrize("name", DOCUMENTS)


def anchors(text):
    """Return the anchors of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads]
    return set(plain)


def wrong_links(name, text):
    for target in LINK.findall(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        place = (ROOT / name).parent / path if path else ROOT / name
        if not place.exists():
            yield f"link to {target}: there is no such file"
        elif anchor and anchor not in anchors(place.read_text("utf-8")):
            yield f"link to {target}: the page has no such heading"


def files_named(span, name):
    """Return the files of the checkout that a path in a page may mean."""
    wanted = span.rstrip("/")
    folder = Path(name).parent
    if (
        Path(name).name == "README.md"
        and folder not in (Path(), Path("docs"))
        and "/" not in wanted
    ):
        return [
            path
            for path in sorted(tracked())
            if Path(path).name == wanted and folder in Path(path).parents
        ]
    near = (folder / wanted).as_posix()
    return [
        path for path in sorted(tracked()) if path in (wanted, near) or path.endswith(f"/{wanted}")
    ]


def wrong_paths(name, text):
    for span in spans(text):
        path, _, inside = span.partition(": ")
        is_path = PATH.fullmatch(path) and (path.endswith(ENDINGS) or path.endswith("/"))
        if not is_path or PLACEHOLDER.search(path) or path in FOREIGN:
            continue
        found = files_named(path, name)
        if not found and Path(path).name not in package_text():
            yield f"`{span}`: the checkout has no such file, and the package writes none"
        for attribute in re.split(r", |\.", inside) if inside and found else ():
            named = re.fullmatch(r"\w+", attribute)
            if named and not any(defines(file, attribute) for file in found):
                yield f"`{span}`: {found[0]} has no {attribute}"


def defines(path, attribute):
    """Return whether a module defines a name, at any depth."""
    return path.endswith(".py") and attribute in names_in(path)


@cache
def names_in(path):
    nodes = ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
    found = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    return found


def module_file(dotted):
    """Return the file of a module or package by its dotted name, or None."""
    parts = dotted.split(".")
    if parts[0] == "optimus_gym" and len(parts) > 1 and parts[1] in FOLDERS[1:]:
        parts = parts[1:]
    for path in ("/".join(parts) + ".py", "/".join(parts) + "/__init__.py"):
        if path in tracked():
            return path
    return "/".join(parts) if "/".join(parts) in tracked() else None


def wrong_modules(text):
    for dotted in sorted(set(MODULE.findall(text))):
        if dotted.endswith(ENDINGS) or module_file(dotted):
            continue
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            file = module_file(".".join(parts[:cut]))
            if file:
                if not defines(file, parts[cut]) and parts[cut] not in package_attributes(file):
                    yield f"{dotted}: {file} has no {parts[cut]}"
                break
        else:
            yield f"{dotted}: there is no such module"


def package_attributes(file):
    """Return the strings of an `__init__`, which name what it re-exports."""
    if not file.endswith(".py"):
        return set()
    return set(re.findall(r"\w+", (ROOT / file).read_text("utf-8")))


def spans(text):
    return SPAN.findall(re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE))


def command_lines(text):
    """Return the commands of a page's shell blocks and spans, one a line."""
    for block in SHELL.findall(text):
        yield from re.sub(r"\\\n", " ", block).splitlines()
    yield from spans(text)


@cache
def parsers():
    """Return the parsers of `optimus-gym` by the words that lead to them."""
    found = {}

    def walk(words, parser):
        found[words] = parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    walk((*words, word), below)

    walk((), cli.make_parser())
    return found


def options(parser):
    return {option for action in parser._actions for option in action.option_strings}


def wrong_command(line):
    """Return the fault of one command of `optimus-gym`, or None."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        words = line.split()
    words = words[words.index("optimus-gym") + 1 :] if "optimus-gym" in words else []
    for stop in ("&&", "|", ";"):
        words = words[: words.index(stop)] if stop in words else words
    place = ()
    while words and (*place, words[0]) in parsers():
        place, words = (*place, words[0]), words[1:]
    if not place and words and not words[0].startswith("-") and not PLACEHOLDER.search(words[0]):
        return f"`{line}`: there is no command {words[0]}"
    known = options(parsers()[place])
    wrong = [word for word in words if OPTION.fullmatch(word.split("=")[0])]
    wrong = [word for word in wrong if word.split("=")[0] not in known]
    return f"`{line}`: {' '.join(place)} has no option {wrong[0]}" if wrong else None


def wrong_commands(text):
    every = {option for parser in parsers().values() for option in options(parser)}
    for line in command_lines(text):
        if "optimus-gym " in line and not line.strip().startswith("#"):
            yield from filter(None, [wrong_command(line)])
        elif found := re.search(
            r"python3? (?:-m )?((?:tools|benchmarks|tests|examples|optimus_gym)[\w./]*)", line
        ):
            yield from wrong_script(line, found[1])
        elif OPTION.match(line) and line.split()[0].split("=")[0] not in every | FOREIGN:
            option = line.split()[0].split("=")[0]
            if f'"{option}"' not in package_text() and not is_field(option, package_text()):
                yield f"`{line}`: no command has the option {option}"


def is_field(option, text):
    """Return whether a class of arguments has a field for an option."""
    return bool(re.search(rf"^ +{option[2:].replace('-', '_')}: ", text, re.MULTILINE))


def wrong_script(line, script):
    """Return the fault of a command that runs a script or module of the checkout."""
    file = script if script.endswith(".py") else module_file(script.rstrip("."))
    if file is None or file not in tracked():
        yield f"`{line}`: there is no {script}"
        return
    files = sorted((ROOT / file).parent.glob("*.py"))
    text = "\n".join(path.read_text("utf-8") for path in files)
    arguments = re.split(r"&&|;|\|", line.partition(script)[2])[0]
    for option in OPTION.findall(arguments):
        if f'"{option}"' not in text and not is_field(option, text):
            yield f"`{line}`: {script} has no option {option}"


def faults(name, text):
    return [
        *wrong_links(name, text),
        *wrong_paths(name, text),
        *wrong_modules(text),
        *wrong_commands(text),
    ]


@each_document
def test_every_name_in_a_document_exists(name):
    assert faults(name, (ROOT / name).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a page](docs/nowhere.md)", "link to docs/nowhere.md: there is no such file"),
        ("[a page](README.md#no-such-head)", "the page has no such heading"),
        ("in `envs/nowhere.py`", "`envs/nowhere.py`: the checkout has no such file"),
        ("in `loop.py: Loop.hop`", "envs/loop.py has no hop"),
        ("`optimus_gym.core.types.NOTHING`", "optimus_gym/core/types.py has no NOTHING"),
        ("`optimus_gym.nowhere`", "optimus_gym.nowhere"),
        ("`optimus-gym fly`", "there is no command fly"),
        ("```bash\noptimus-gym list --fast\n```", "list has no option --fast"),
        ("`python -m tools.mutants --fast`", "tools.mutants has no option --fast"),
        ("`python benchmarks/nowhere.py`", "there is no benchmarks/nowhere.py"),
        ("with `--no-such-option`", "no command has the option --no-such-option"),
    ],
)
def test_a_wrong_name_in_a_document_is_found(text, fault):
    assert any(fault in found for found in faults("README.md", text))


def test_the_page_of_evaluate_has_all_its_options():
    page = (ROOT / "docs" / "evaluate.md").read_text("utf-8")
    named = set(OPTION.findall(page))
    assert options(parsers()[("evaluate",)]) - {"-h", "--help"} <= named


@pytest.mark.parametrize(
    ("page", "words", "named"),
    [
        ("README.md", "**{} tasks of the papers", task_names()),
        ("README.md", "| Gymnasium | {} |", task_names()),
        ("docs/suites.md", "of the {} tasks", task_names()),
        ("docs/environments.md", "float32 ({} + V + 1,)", VERBS),
        ("envs/spaces.py", "float32 ({} + V + 1,)", VERBS),
        ("envs/infos.py", "`event_counts` | int32 ({},)", EVENT_KINDS),
    ],
)
def test_a_number_in_a_text_equals_the_packages_number(page, words, named):
    assert words.format(len(named)) in (ROOT / page).read_text("utf-8")


@pytest.mark.parametrize(
    ("page", "heading", "names"),
    [
        ("protocols.md", "## Protocols", protocols()),
        ("protocols.md", "## The agent's knowledge of its place", protocols()),
        ("protocols.md", "## Assists", assists()),
        ("environments.md", "## Observations", observation_space((8, 8), 1, True, True, True)),
        ("environments.md", "## The end of an episode", STATUSES),
        ("environments.md", "## Resets and snapshots", RESET_OPTIONS),
        ("language_models.md", "| name |", part_names("backbone")),
        ("language_models.md", "## Reflections", PREDICAMENTS),
        ("language_models.md", "## Switches", PRESETS),
        ("language_models.md", "**JARVIS-1.**", JARVIS_PRESETS),
        ("controllers.md", "| name |", part_names("controller")),
        ("minerl.md", "## MineRL's tasks", minerl_ids()),
    ],
)
def test_the_table_of_a_page_has_a_row_for_each_name(page, heading, names):
    text = (ROOT / "docs" / page).read_text("utf-8").split(f"\n{heading}")[1].split("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    assert {name for first in firsts for name in SPAN.findall(first)} >= set(names)
