"""The command `optimus-gym memory`: show, search, fill and shrink a memory folder."""

import argparse
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.core.parts import part_of
from optimus_gym.core.plain import read_json
from optimus_gym.knowledge.graph_folder import GRAPH_FILE as WAYS
from optimus_gym.knowledge.graph_folder import read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.compaction import compact, counts, sizes
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.exchange.jarvis1 import read_jarvis1
from optimus_gym.memory.exchange.optimus1 import read_optimus1
from optimus_gym.memory.memory_folders import memory_folder, own_memory
from optimus_gym.memory.merging import merge
from optimus_gym.memory.pictures import decoded
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.reasoning import reasoned_subgoals
from optimus_gym.memory.retrieval import Filters
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.memory.sheet import sheet
from optimus_gym.run.plan import item_named
from optimus_gym.terminal.bars import counted
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import add_row, words
from optimus_gym.vision.aligner import Aligner

PUBLIC: Final = ("plan", "reflection", "replan")
"""Subfolders that only a memory of Optimus-1's public code has."""
PICTURES: Final = ("PNG", "JPEG", "WEBP")
"""Picture formats that `search --image` reads."""
_OUTCOMES: Final = ("both", "success", "failure")
"""Values that the option `search --outcome` allows."""
EXAMPLES: Final = (
    "optimus-gym memory teach DIR",
    "optimus-gym memory info DIR",
    "optimus-gym memory show DIR 1",
    'optimus-gym memory search DIR "craft a stone pickaxe"',
)

_Work = Callable[[argparse.Namespace, Console], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verbs (sub-commands) of `optimus-gym memory` and their arguments."""
    verbs = parser.add_subparsers(required=True, metavar="VERB", title="verbs")

    _verb(verbs, "info", _info, "count experiences and known ways", "info DIR", True)

    showing = _verb(
        verbs, "show", _show, "draw an experience: frames, plan and outcome", "show DIR 1", True
    )
    showing.add_argument("id", type=whole, metavar="ID", help="number of the experience to draw")
    showing.add_argument(
        "--out", type=Path, metavar="FILE.png", help="picture to write (default: experience-ID.png)"
    )

    _add_search(verbs)

    teaching = _verb(
        verbs, "teach", _teach, "add the whole knowledge graph, or the ways to one item",
        "teach DIR --item iron_pickaxe",
    )  # fmt: skip
    teaching.add_argument(
        "--item", metavar="ITEM", help="add only the ways to get this item (default: all items)"
    )

    merging = _verb(
        verbs, "merge", _merge, "add the experiences and known ways of another memory",
        "merge DIR OTHER",
    )  # fmt: skip
    merging.add_argument(
        "other",
        metavar="OTHER",
        help="memory folder to copy from, or starter, the memory of the package",
    )
    _add_aligner(merging)
    merging.add_argument(
        "--skip-damaged", action="store_true", help="skip and list damaged entries (default: off)"
    )

    importing = _verb(
        verbs, "import", _import, "add a memory of the public Optimus-1 or JARVIS-1 code",
        "import DIR Optimus-1/src/optimus1/memories/v1",
    )  # fmt: skip
    importing.add_argument("source", type=Path, metavar="SOURCE", help="folder or file to import")
    _add_aligner(importing)
    importing.add_argument(
        "--skip-damaged",
        action="store_true",
        help="skip and list damaged entries (default: off)",
    )

    compacting = _verb(
        verbs, "compact", _compact, "free unused disk space, and delete old experiences if asked",
        "compact DIR --keep 20",
    )  # fmt: skip
    compacting.add_argument(
        "--keep",
        type=whole,
        metavar="N",
        help="keep only the newest N experiences of each task and outcome (default: all)",
    )


def _verb(
    verbs: Any, name: str, work: _Work, told: str, example: str, reads: bool = False
) -> argparse.ArgumentParser:
    """Add a verb (sub-command); return the verb's parser, whose first argument is the memory folder.

    A verb that only `reads` the folder also reads the package's memory.
    """
    verb: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=told,
        description=f"{told[0].upper()}{told[1:]}.",
        examples=(f"optimus-gym memory {example}",),
    )
    verb.set_defaults(work=work, reads=reads)
    also = ", or starter, the memory of the package" if reads else ""
    verb.add_argument("folder", metavar="DIR", help=f"the memory folder{also}")
    return verb


def _add_search(verbs: Any) -> None:
    """Add the verb (sub-command) `search` and its arguments."""
    searching = _verb(
        verbs, "search", _search, "list the experiences whose goals are most like a text",
        'search DIR "craft a stone sword" --outcome success --count 5', True,
    )  # fmt: skip
    searching.add_argument("text", metavar="TEXT", help='a goal, such as "craft a stone sword"')
    searching.add_argument(
        "--count",
        type=whole,
        default=3,
        metavar="N",
        help="list at most N experiences of each outcome (default: 3)",
    )
    searching.add_argument(
        "--outcome", choices=_OUTCOMES, default="both", help="outcomes to list (default: both)"
    )
    searching.add_argument(
        "--biome",
        metavar="NAME",
        help="list only experiences that began in this biome (default: all)",
    )
    searching.add_argument(
        "--newest",
        type=whole,
        metavar="N",
        help="search only the newest N experiences (default: all)",
    )
    searching.add_argument(
        "--image",
        type=Path,
        metavar="FILE",
        help="rank experiences with a similar goal by their likeness to this picture (default: none)",
    )
    searching.add_argument(
        "--item",
        metavar="ITEM",
        help="search for the sub-goals on the way to this item, too (default: none)",
    )
    _add_aligner(searching)


def _add_aligner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--aligner",
        default="mini",
        metavar="NAME|JSON",
        help="aligner that made the folder's vectors, such as mineclip:attn.pth (default: mini)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Run the chosen verb (sub-command) and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the memory cannot be read or written.
        OSError: a file cannot be written.
    """
    parsed.folder = (memory_folder if parsed.reads else own_memory)(parsed.folder)
    parsed.work(parsed, Console())
    return 0


def _aligner(parsed: argparse.Namespace) -> Aligner:
    given = parsed.aligner
    part = part_of("aligner", read_json(given, "aligner") if given.startswith("{") else given)
    assert part is not None, "a name is a specification"
    made: Aligner = part.build()
    return made


def _info(parsed: argparse.Namespace, console: Console) -> None:
    """Print how many experiences and ways to get items a memory holds, and the sizes of its files."""
    if _has_ways_alone(parsed.folder):
        known = len(read_knowledge(parsed.folder).sources)
        console.print(words(f"experiences: 0\nknown ways: {known:,}"))
        return
    with ExperienceStore(parsed.folder, None, writes=False) as store:
        table = Table("task", "successes", "failures", "other", box=None)
        for task, by_outcome in counts(store.database).items():
            numbers = [str(by_outcome.get(name, 0)) for name in ("success", "failure", "")]
            add_row(table, task, *numbers)
        console.print(table)
        known = len(read_knowledge(parsed.folder).sources)
        facts: dict[str, Any] = {
            "experiences": len(store.numbers()),
            **sizes(store.database),
            f"bytes of {MEMORY_FILE}": store.path.stat().st_size,
            "known ways": known,
            "aligner": store.aligner[0],
        }
    for name, value in facts.items():
        told = f"{value:,}" if isinstance(value, int) else str(value)
        console.print(words(f"{name}: {told}"), soft_wrap=True)


def _has_ways_alone(folder: Path) -> bool:
    """Return whether a memory folder holds known ways to get items, but no file of experiences."""
    return not (folder / MEMORY_FILE).is_file() and (folder / WAYS).is_file()


def _show(parsed: argparse.Namespace, console: Console) -> None:
    """Write the contact sheet of an experience."""
    with ExperienceStore(parsed.folder, None, writes=False) as store:
        experience = store.get(parsed.id)
    path = parsed.out or Path(f"experience-{parsed.id}.png")
    if check_path("out", path).suffix != ".png":
        raise BadValue(f"out: expected a file that ends in .png, got {str(path)!r}")
    content = io.BytesIO()
    sheet(experience).save(content, "PNG")
    write_whole(path, content.getvalue())
    console.print(words(f"{experience.goal}: {experience.status}; sheet: {path}"), soft_wrap=True)


def _teach(parsed: argparse.Namespace, console: Console) -> None:
    """Add the knowledge graph's ways to get items to the memory; with `--item`, only the ways to one item."""
    graph = (
        full_graph() if parsed.item is None else full_graph().leading_to(item_named(parsed.item))
    )
    known = write_knowledge(parsed.folder, graph)
    console.print(words(f"{len(known.sources):,} known ways"), soft_wrap=True)


def _search(parsed: argparse.Namespace, console: Console) -> None:
    """Search the memory and print the results."""
    filters = Filters(parsed.outcome, parsed.biome, parsed.newest)
    with (
        ExperiencePool(parsed.folder, _aligner(parsed), writes=False) as pool,
        pool.store.look(),
    ):
        picture = None if parsed.image is None else pool.picture(_picture(parsed.image))
        subgoals = (
            () if parsed.item is None else reasoned_subgoals(item_named(parsed.item), full_graph())
        )
        found = pool.find(
            parsed.text, subgoals, count=parsed.count, filters=filters, picture=picture
        )
        table = Table("id", "task", "outcome", "likeness", "sight", "began in", box=None)
        for one in found:
            experience = pool.get(one.number)
            sight = "" if one.sight is None else f"{one.sight:.2f}"
            add_row(
                table,
                str(one.number),
                experience.task,
                one.outcome,
                f"{one.likeness:.2f}",
                sight,
                experience.environment,
            )
    console.print(table if found else words("no similar experience"))


def _picture(path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    try:
        content = check_path("image", path).read_bytes()
    except OSError as error:
        raise BadValue(f"image: '{path}' cannot be read: {error}") from error
    return decoded(content, f"image '{path}'", PICTURES)


def _compact(parsed: argparse.Namespace, console: Console) -> None:
    """Free unused disk space, and delete old experiences if asked."""
    with ExperienceStore(parsed.folder, None) as store:
        before = store.path.stat().st_size
        gone = compact(store.database, parsed.keep)
        after = store.path.stat().st_size
    told = f"deleted {gone} experiences; {before:,} bytes before, {after:,} bytes now"
    console.print(words(told), soft_wrap=True)


def _merge(parsed: argparse.Namespace, console: Console) -> None:
    """Copy experiences and known ways to get items from the memory `other` into the memory `folder`."""
    parsed.other = other = memory_folder(parsed.other, "other")
    ways = read_knowledge(other)
    read_knowledge(parsed.folder)  # a damaged file stops the merge before it writes anything
    if not _has_ways_alone(other):
        _merge_experiences(parsed, console)
    known = write_knowledge(parsed.folder, ways)
    console.print(words(f"{len(known.sources):,} known ways"))


def _merge_experiences(parsed: argparse.Namespace, console: Console) -> None:
    damaged: list[str] = []
    skip = _skipper(parsed, damaged)
    with ExperienceStore(parsed.other, None, writes=False) as other, _listed(damaged, console):
        total = len(other.numbers())
        added = merge(parsed.folder, other, _aligner(parsed), skip=skip, progress=counted)
        if damaged:
            _check_some_whole(total - len(damaged), damaged, parsed.other)
    console.print(words(f"added {added} of {total} experiences{_skipped(damaged)}"))


def _import(parsed: argparse.Namespace, console: Console) -> None:
    """Import a memory of Optimus-1's or JARVIS-1's public code; read all experiences before storing any."""
    source, aligner = check_path("source", parsed.source), _aligner(parsed)
    if (source / MEMORY_FILE).is_file():
        raise BadValue(
            f"source: expected a memory of Optimus-1's or JARVIS-1's code, got one of optimus-gym in "
            f"'{source}'; "
            "`optimus-gym memory merge` adds it"
        )
    read = read_optimus1 if any((source / name).is_dir() for name in PUBLIC) else read_jarvis1
    notes: list[str] = []
    damaged: list[str] = []
    with _listed(notes, console), _listed(damaged, console):
        skip = _skipper(parsed, damaged)
        found = list(counted(read(source, aligner, notes.append, skip), "reading"))
        if damaged:
            _check_some_whole(len(found), damaged, source)
    added = 0
    if found:
        with ExperiencePool(parsed.folder, aligner) as pool:
            before = len(pool)
            pool.add_all(found)
            added = len(pool) - before
    console.print(words(f"added {added} of {len(found)} experiences{_skipped(damaged)}"))


def _skipper(parsed: argparse.Namespace, damaged: list[str]) -> Callable[[str], None]:
    """Return a function that notes a fault in `damaged`, or without `--skip-damaged` raises the fault."""

    def refuse(fault: str) -> None:
        raise BadValue(f"{fault}; --skip-damaged skips damaged entries")

    return damaged.append if parsed.skip_damaged else refuse


@contextmanager
def _listed(lines: list[str], console: Console) -> Iterator[None]:
    """Print the given lines when the `with` block ends, also after an error."""
    try:
        yield
    finally:
        for line in lines:
            console.print(words(line), soft_wrap=True)


def _check_some_whole(whole: int, damaged: list[str], source: Path) -> None:
    if not whole:
        raise BadValue(
            f"'{source}': expected at least one undamaged entry, got {len(damaged)} damaged ones"
        )


def _skipped(damaged: list[str]) -> str:
    return f"; skipped {len(damaged)} damaged ones" if damaged else ""
