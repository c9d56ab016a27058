"""The command `optimus-gym memory`: show and maintain the content of a memory folder."""

import argparse
import io
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.files import write_whole
from optimus_gym.core.parts import part_of
from optimus_gym.core.plain import read_json
from optimus_gym.game.items import items
from optimus_gym.knowledge.graph_folder import GRAPH_FILE as WAYS
from optimus_gym.knowledge.graph_folder import read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.compaction import compact, counts, sizes
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.exchange.jarvis1 import read_jarvis1
from optimus_gym.memory.exchange.optimus1 import read_optimus1
from optimus_gym.memory.exchange.portable import export, read_portable
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pictures import decoded
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.reasoning import reasoned_subgoals
from optimus_gym.memory.retrieval import WANTED, Filters
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.memory.sheet import sheet
from optimus_gym.terminal.bars import counted
from optimus_gym.terminal.printing import add_row, words
from optimus_gym.vision.aligner import Aligner

PUBLIC: Final = ("plan", "reflection", "replan")
"""Folders that mark a memory of Optimus-1's public code."""
PICTURES: Final = ("PNG", "JPEG", "WEBP")
"""Picture formats that `search --image` reads."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the memory's folder")
    parser.add_argument(
        "--aligner",
        default="mini",
        metavar="NAME|JSON",
        help='whose vectors the memory holds (default mini), or {"name": "open_clip", "model": ...}',
    )
    parser.set_defaults(work=_count)
    works = parser.add_subparsers(metavar="WHAT")

    _add_teaching(works)

    showing = works.add_parser("show", help="write an experience's contact sheet")
    showing.set_defaults(work=_show)
    showing.add_argument("id", type=int, metavar="ID", help="number of the experience")
    showing.add_argument(
        "--out", type=Path, metavar="FILE.png", help="where to (default: experience-ID.png)"
    )

    searching = works.add_parser("search", help="find the experiences that are most like a text")
    searching.set_defaults(work=_search)
    searching.add_argument("text", metavar="TEXT", help='such as "craft a stone sword"')
    searching.add_argument("--image", type=Path, metavar="FILE", help="rank them by this picture")
    searching.add_argument("--count", type=int, default=3, help="of each outcome (default 3)")
    searching.add_argument("--which", choices=tuple(WANTED), default="both", help="outcomes")
    searching.add_argument("--environment", metavar="NAME", help="where they began")
    searching.add_argument("--newest", type=int, metavar="N", help="look at the newest N only")
    searching.add_argument(
        "--reason", metavar="ITEM", help="ask also for what it takes to hold this item"
    )

    compacting = works.add_parser("compact", help="give back the room that nothing needs")
    compacting.set_defaults(work=_compact)
    compacting.add_argument(
        "--keep", type=int, metavar="N", help="of each task and outcome, the newest N"
    )

    merging = works.add_parser("merge", help="take over what another memory remembers")
    merging.set_defaults(work=_merge)
    merging.add_argument("other", type=Path, metavar="OTHER", help="another memory's folder")

    exporting = works.add_parser("export", help="write all experiences to one file")
    exporting.set_defaults(work=_export)
    exporting.add_argument("file", type=Path, metavar="FILE")

    importing = works.add_parser(
        "import",
        help="take over such a file, or the memory of the public Optimus-1 or JARVIS-1 code",
    )
    importing.set_defaults(work=_import)
    importing.add_argument("source", type=Path, metavar="SOURCE", help="a file or folder")
    importing.add_argument(
        "--skip-damaged",
        action="store_true",
        help="leave out damaged files, entries and pictures of a public memory, and list them",
    )


def _add_teaching(works: Any) -> None:
    teaching = works.add_parser("teach", help="let it know the knowledge graph, or a part of it")
    teaching.set_defaults(work=_teach)
    teaching.add_argument(
        "--task", metavar="ITEM", help="the way to this item alone (default: all ways to all items)"
    )


def run(parsed: argparse.Namespace) -> int:
    """Run the chosen sub-command and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the memory cannot be read or written.
        OSError: a file cannot be written.
    """
    check_path("memory", parsed.folder)
    parsed.work(parsed, Console())
    return 0


def _aligner(parsed: argparse.Namespace) -> Aligner:
    given = parsed.aligner
    part = part_of("aligner", read_json(given, "aligner") if given.startswith("{") else given)
    assert part is not None, "a name is a specification"
    made: Aligner = part.build()
    return made


def _count(parsed: argparse.Namespace, console: Console) -> None:
    """Print counts and sizes."""
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
    """Return whether a memory holds known ways, but no experiences."""
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
    """Add knowledge to the folder; its earlier knowledge stays."""
    graph = full_graph()
    if parsed.task is not None:
        graph = graph.leading_to(_item(parsed.task))
    known = write_knowledge(parsed.folder, graph)
    console.print(words(f"{len(known.sources):,} known ways"), soft_wrap=True)


def _search(parsed: argparse.Namespace, console: Console) -> None:
    """Search the memory and print the results."""
    filters = Filters(parsed.which, parsed.environment, parsed.newest)
    with (
        ExperiencePool(parsed.folder, _aligner(parsed), writes=False) as pool,
        pool.store.look(),
    ):
        picture = None if parsed.image is None else pool.picture(_picture(parsed.image))
        subgoals = (
            () if parsed.reason is None else reasoned_subgoals(_item(parsed.reason), full_graph())
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
    console.print(table if found else words("nothing like it was found"))


def _item(name: str) -> str:
    wanted = name.replace(" ", "_")
    if wanted not in items():
        raise UnknownName("item", wanted, items())
    return wanted


def _picture(path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    try:
        content = check_path("image", path).read_bytes()
    except OSError as error:
        raise BadValue(f"image: '{path}' cannot be read: {error}") from error
    return decoded(content, f"image '{path}'", PICTURES)


def _compact(parsed: argparse.Namespace, console: Console) -> None:
    with ExperienceStore(parsed.folder, None) as store:
        before = store.path.stat().st_size
        gone = compact(store.database, parsed.keep)
        after = store.path.stat().st_size
    console.print(words(f"{gone} experiences have gone; {before:,} bytes before, {after:,} now"))


def _merge(parsed: argparse.Namespace, console: Console) -> None:
    """Add the experiences and known ways of another memory."""
    if _has_ways_alone(parsed.other):
        known = write_knowledge(parsed.folder, read_knowledge(parsed.other))
        console.print(words(f"{len(known.sources):,} known ways"))
        return
    aligner = _aligner(parsed)
    with ExperienceStore(parsed.other, None, writes=False) as other, other.look():
        if other.aligner != (aligner.name, aligner.width):
            raise BadValue(
                f"merge: expected vectors of aligner {aligner.name!r}, got those of "
                f"{other.aligner[0]!r}; export them and import the file, which makes them anew"
            )
        numbers = other.numbers()
        taken = _take(parsed, aligner, (other.get(number) for number in numbers), len(numbers))
    write_knowledge(parsed.folder, read_knowledge(parsed.other))
    console.print(words(f"{taken} of {len(numbers)} experiences are new"))


def _export(parsed: argparse.Namespace, console: Console) -> None:
    with ExperienceStore(parsed.folder, None, writes=False) as store, store.look():
        numbers = counted(store.numbers(), "exporting")
        written = export((store.get(number) for number in numbers), store.aligner, parsed.file)
    console.print(words(f"{written} experiences: {parsed.file}"), soft_wrap=True)


def _import(parsed: argparse.Namespace, console: Console) -> None:
    source, aligner = check_path("source", parsed.source), _aligner(parsed)
    notes: list[str] = []
    damaged: list[str] = []
    try:
        if source.is_file() and source.suffix != ".json":
            if parsed.skip_damaged:
                raise BadValue(
                    f"--skip-damaged: expected a public memory, got the export '{source}'"
                )
            experiences: Iterable[Experience] = read_portable(source, aligner)
        else:
            experiences = _public(source, aligner, notes, damaged if parsed.skip_damaged else None)
        taken = _take(parsed, aligner, experiences, None)
    finally:
        for note in notes:
            console.print(words(note), soft_wrap=True)
        for fault in damaged:
            console.print(words(f"left out: {fault}"), soft_wrap=True)
    left = f"; {len(damaged)} damaged ones were left out" if damaged else ""
    console.print(words(f"{taken} experiences are new{left}"))


def _public(
    source: Path, aligner: Aligner, notes: list[str], damaged: list[str] | None
) -> list[Experience]:
    """Return all experiences of a public memory at once, so that a damaged one prevents a partial import.

    Args:
        source: the memory's file or folder.
        aligner: makes the pictures' vectors.
        notes: gets a note on each skipped entry that says too little.
        damaged: gets the faults of damaged files and entries, which are skipped; None skips no damage.

    Raises:
        BadValue: an entry is damaged and `damaged` is None, or no undamaged entry is left.
    """
    skip = None if damaged is None else damaged.append
    read = read_optimus1 if any((source / name).is_dir() for name in PUBLIC) else read_jarvis1
    try:
        found = list(read(source, aligner, notes.append, skip))
    except BadValue as error:
        if damaged is not None or not source.exists():
            raise
        raise BadValue(f"{error}; --skip-damaged leaves out what is damaged") from error
    if damaged and not found:
        raise BadValue(
            f"'{source}': expected something whole, got {len(damaged)} damaged files or entries"
        )
    return found


def _take(
    parsed: argparse.Namespace,
    aligner: Aligner,
    experiences: Iterable[Experience],
    total: int | None,
) -> int:
    """Add experiences to the memory and return how many are new; make the memory if there are any."""
    waiting = iter(experiences)
    first = list(islice(waiting, 1))
    if not first:
        return 0
    with ExperiencePool(parsed.folder, aligner) as pool:
        before = len(pool)
        for experience in counted(chain(first, waiting), "taking over", total=total):
            pool.add(experience)
        return len(pool) - before
