"""The command `optimus-gym report`: write a page, plots and tables of evaluations."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.run.report.page import page
from optimus_gym.run.report.plots import plots
from optimus_gym.run.report.table_files import as_csv, as_latex
from optimus_gym.run.results.growth import read_growth
from optimus_gym.run.results.results_folder import Results, read_results
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = (
    "optimus-gym report results",
    "optimus-gym report results/oracle results/random --out comparison.html",
)
OUT: Final = Path("report.html")
MEGABYTES: Final = 5
"""Default size limit of the page in megabytes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "folders", nargs="+", metavar="DIR", help="results of `evaluate`, or a folder of `learn`"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=OUT,
        metavar="FILE.html",
        help=f"page to write; its plots and tables go into a folder of the same name (default: {OUT})",
    )
    parser.add_argument(
        "--megabytes",
        type=whole,
        default=MEGABYTES,
        metavar="N",
        help=f"maximum megabytes of the page; key frames that do not fit are linked (default: {MEGABYTES})",
    )


def run(parsed: argparse.Namespace) -> int:
    """Write the page, its plots and its tables, and return 0.

    Raises:
        BadValue: a folder cannot be read or holds no episode.
        MissingExtra: matplotlib or jinja2 is not installed.
        OSError: a file cannot be written.
    """
    console = Console()
    for path in write_report(parsed.folders, parsed.out, parsed.megabytes):
        size = path.stat().st_size
        console.print(words(f"{path}: {size:,} bytes"), soft_wrap=True)
    return 0


def write_report(folders: list[str], out: Path, megabytes: int = MEGABYTES) -> list[Path]:
    """Write the page on some evaluations, the plots as SVG and PNG, and the tables as CSV and LaTeX.

    Args:
        folders: folders of evaluations.
        out: the page; the other files go to a folder next to the page, named like the page without ".html".
        megabytes: size limit of the page, which holds as many key frames as fit.

    Returns:
        The files, the page first.

    Raises:
        BadValue: a folder cannot be read or holds no episode, or `out` does not end in ".html", or its folder
            does not exist.
        MissingExtra: matplotlib or jinja2 is not installed.
        OSError: a file cannot be written.
    """
    size = check_count("megabytes", megabytes, 1) * 1_000_000
    out = _checked(out)
    grown = [growth for folder in folders if (growth := read_growth(folder)) is not None]
    read = _distinct([results for folder in folders for results in _read(folder)])
    drawn = plots(read, grown)
    made = {out: page(read, drawn, out, size).encode()}
    beside = out.with_suffix("")
    for plot in drawn:
        made[beside / f"{plot.name}.svg"] = plot.svg.encode()
        made[beside / f"{plot.name}.png"] = plot.png
    made[beside / "table.csv"] = as_csv(read).encode()
    made[beside / "table.tex"] = as_latex(read).encode()
    beside.mkdir(exist_ok=True)
    for path, content in made.items():
        write_whole(path, content)
    return list(made)


def _checked(out: Path) -> Path:
    out = check_path("out", out)
    if out.suffix.lower() != ".html":
        raise BadValue(f"out: expected a file name ending in .html, got '{out}'")
    if out.is_dir() or not out.parent.is_dir():
        raise BadValue(f"out: expected a file in a folder that exists, got '{out}'")
    return out


def _read(folder: str) -> list[Results]:
    """Return the evaluation in a folder, or the evaluation after each epoch of a run of `learn`."""
    growth = read_growth(folder)
    if growth is None:
        read = [read_results(folder)]
    else:
        read = [
            replace(epoch.results, name=f"{growth.name}, epoch {epoch.number}")
            for epoch in growth.epochs
        ]
    for results in read:
        if not results.rows:
            raise BadValue(
                f"report: expected a folder with episodes, got '{results.path}' with none"
            )
    return read


def _distinct(read: list[Results]) -> list[Results]:
    """Return the evaluations under distinct names: the folders' names, or paths if two names are equal.

    Raises:
        BadValue: a folder was given twice.
    """
    places = [folder.path.resolve() for folder in read]
    if len(set(places)) < len(places):
        raise BadValue("report: expected each folder once, got one twice")
    names = [folder.name for folder in read]
    if len(set(names)) == len(names):
        return read
    return [replace(folder, name=str(folder.path)) for folder in read]
