"""The report's table as CSV and as LaTeX."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from optimus_gym.run.results.figures import Figures, by_group, by_task, overall
from optimus_gym.run.results.readers import readers_in
from optimus_gym.run.results.replies import COUNTS, replies_in
from optimus_gym.run.results.results_folder import Results
from optimus_gym.run.results.table import title_of

_HEAD: Final = (
    "folder", "privileged", "level", "name", "episodes", "successes", "rate", "low", "high",
    "ticks", "game_s", "wall_s", *COUNTS, "memory_lost",
)  # fmt: skip
DAGGER: Final = r"$^\dagger$"
ESCAPED: Final = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def levels(folder: Results) -> Iterator[tuple[str, Figures]]:
    """Yield pairs of a level ("group", "overall" or "task") and figures, for a whole folder."""
    for one in by_group(folder.rows):
        yield "group", one
    together = overall(folder.rows)
    if together is not None:
        yield "overall", together
    for one in by_task(folder.rows):
        yield "task", one


def is_privileged(folder: Results) -> bool:
    """Return whether the agent or controller of any episode in a folder reads the world itself."""
    return any(row.privileged for row in folder.rows)


def as_csv(folders: Iterable[Results]) -> str:
    """Return CSV with a line for each group, "overall" and task of each folder; rates are 0 to 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for folder in folders:
        for level, one in levels(folder):
            ticks = "" if one.ticks is None else one.ticks
            game = "" if one.game_s is None else one.game_s
            who = (folder.name, int(is_privileged(folder)), level, one.name)
            share = one.rate if one.is_measured else ""
            rate = (one.episodes, one.successes, share, *one.interval)
            replies = (getattr(one.replies, name) for name in COUNTS)
            lost = one.replies.lost
            writer.writerow((*who, *rate, ticks, game, round(one.wall_s, 3), *replies, lost))
    return out.getvalue()


def as_latex(folders: Sequence[Results]) -> str:
    """Return a LaTeX table of success and ticks by group, in the style of the package booktabs.

    A dagger marks the columns of a privileged controller or agent. Lines below the table explain the
    dagger, and report how many plans were made in a backbone's place and how many episodes lost their memory.
    """
    told = [
        {one.name: one for level, one in levels(folder) if level != "task"} for folder in folders
    ]
    heads = " & ".join(rf"\multicolumn{{2}}{{c}}{{{_head(folder)}}}" for folder in folders)
    columns = r" & success (95\%) & ticks" * len(folders)
    lines = [
        r"% needs \usepackage{booktabs}",
        *(f"% {folder.name}: {title_of(folder.rows)}" for folder in folders),
        rf"\begin{{tabular}}{{l{'rr' * len(folders)}}}",
        r"\toprule",
        rf" & {heads} \\",
        rf"group{columns} \\",
        r"\midrule",
    ]
    for name in dict.fromkeys(name for figures in told for name in figures):
        if name == "overall":
            lines.append(r"\midrule")
        cells = " & ".join(_cells(figures.get(name)) for figures in told)
        lines.append(rf"{escaped(name)} & {cells} \\")
    lines.append(r"\bottomrule")
    if any(map(is_privileged, folders)):
        readers = readers_in(row for folder in folders for row in folder.rows)
        note = rf"\footnotesize {DAGGER} privileged: {escaped(readers)}"
        lines.append(rf"\multicolumn{{{1 + 2 * len(folders)}}}{{l}}{{{note}}} \\")
    for folder in folders:
        replies = replies_in(folder.rows)
        for said in filter(None, (replies.replaced, replies.without_memory)):
            note = rf"\footnotesize {escaped(f'{folder.name}, {said}')}"
            lines.append(rf"\multicolumn{{{1 + 2 * len(folders)}}}{{l}}{{{note}}} \\")
    return "\n".join([*lines, r"\end{tabular}", ""])


def _head(folder: Results) -> str:
    return escaped(folder.name) + (DAGGER if is_privileged(folder) else "")


def _cells(one: Figures | None) -> str:
    if one is None or not one.is_measured:
        return "-- & --"
    low, high = (100 * end for end in one.interval)
    ticks = "--" if one.ticks is None else f"{one.ticks:,.0f}"
    return rf"{100 * one.rate:.1f} ({low:.1f}--{high:.1f}) & {ticks}"


def escaped(text: str) -> str:
    r"""Return a text with LaTeX's special characters escaped.

    >>> escaped("wood_variants 50%")
    'wood\\_variants 50\\%'
    """
    return "".join(ESCAPED.get(sign, sign) for sign in text)
