"""Update the tables of README and docs from the rows of `docs/results`: `python -m tools.tables`.

A table is between two comments; the first comment names its content:

    <!-- results: groups optimus-67_vanilla -->
    <!-- end of results -->

| word | table |
| --- | --- |
| `groups FOLDER ...` | by group and overall, a block of columns for each folder |
| `whole FOLDER ...` | all episodes together, a line for each folder |
| `overall FOLDER ...` | the mean over groups, a line for each folder |
| `speed FOLDER ...` | duration of the runs |
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from optimus_gym.run.results.figures import Figures, by_group, figures, overall
from optimus_gym.run.results.results_folder import Results, read_results
from optimus_gym.run.results.row import EpisodeRow

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "docs" / "results"
FILES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(<!-- results: (\w+) ([^>]*?) -->\n).*?(<!-- end of results -->)", re.DOTALL)


def percent(one: Figures) -> str:
    """Return a success rate and its interval."""
    low, high = one.interval
    return f"{100 * one.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def ticks(one: Figures) -> str:
    """Return the mean ticks of the successes."""
    return "–" if one.ticks is None else f"{one.ticks:,.0f}"


def causes(rows: Sequence[EpisodeRow]) -> str:
    """Return the statuses of failed episodes, and the causes of deaths, in words."""
    ended = Counter(row.status for row in rows if not row.success)
    killed = Counter(row.deaths[-1].cause for row in rows if row.status == "died" and row.deaths)
    told = [f"{status.replace('_', ' ')} {n}" for status, n in ended.most_common()]
    of = ", ".join(f"{cause.replace('_', ' ')} {n}" for cause, n in killed.most_common())
    return ", ".join(told) + (f" ({of})" if of else "")


def line(*cells: str) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def groups(folders: Sequence[Results]) -> Iterator[str]:
    """Yield a table by group and overall."""
    named = [folder.name.partition("_")[2] for folder in folders]
    heads = [cell for name in named for cell in (f"`{name}`: success (95 %)", "ticks", "else")]
    yield line("group", "episodes", *heads)
    yield line("---", "---", *("---" for _ in heads))
    told = [_by_group(folder) for folder in folders]
    for name, (first, _) in told[0].items():
        cells = [
            cell
            for figures_of in told
            for cell in (
                percent(figures_of[name][0]),
                ticks(figures_of[name][0]),
                causes(figures_of[name][1]),
            )
        ]
        yield line(name.replace("_", " "), str(first.episodes), *cells)


def _by_group(folder: Results) -> dict[str, tuple[Figures, list[EpisodeRow]]]:
    told = {
        one.name: (one, [row for row in folder.rows if row.group == one.name])
        for one in by_group(folder.rows)
    }
    together = overall(folder.rows)
    if together is not None:
        told["overall"] = together, []
    return told


def whole(folders: Sequence[Results]) -> Iterator[str]:
    """Yield a table with a line for each folder."""
    yield line("evaluation", "episodes", "success (95 %)", "ticks", "else")
    yield line("---", "---", "---", "---", "---")
    for folder in folders:
        one = figures("all", folder.rows)
        yield line(
            f"`{folder.name.partition('_')[2]}`",
            str(one.episodes),
            percent(one),
            ticks(one),
            causes(folder.rows),
        )


def means(folders: Sequence[Results]) -> Iterator[str]:
    """Yield a table of the mean success over groups, with a line for each folder."""
    yield line("suite", "protocol", "privileged", "tasks", "episodes", "overall success (95 %)")
    yield line("---", "---", "---", "---", "---", "---")
    for folder in folders:
        first, together = folder.rows[0], overall(folder.rows)
        assert together is not None, "the whole suite was played"
        yield line(
            f"`{first.suite}`",
            f"`{first.protocol}`",
            "yes" if any(row.privileged for row in folder.rows) else "no",
            str(len({row.task for row in folder.rows})),
            f"{len(folder.rows):,}",
            percent(together),
        )


def speed(folders: Sequence[Results]) -> Iterator[str]:
    """Yield a table of the runs' durations."""
    yield line("evaluation", "episodes", "workers", "seconds", "episodes an hour")
    yield line("---", "---", "---", "---", "---")
    for folder in folders:
        seconds = sum(run["seconds"] for run in folder.runs)
        episodes = sum(run["episodes"] for run in folder.runs)
        workers = ", ".join(sorted({str(run["workers"]) for run in folder.runs}))
        rate = 3600 * episodes / seconds
        yield line(f"`{folder.name}`", str(episodes), workers, f"{seconds:,.0f}", f"{rate:,.0f}")


KINDS: dict[str, Callable[[Sequence[Results]], Iterator[str]]] = {
    "groups": groups,
    "whole": whole,
    "overall": means,
    "speed": speed,
}


def rewritten(text: str) -> str:
    """Return the text of a page in which all tables of results are updated."""

    def made(found: re.Match[str]) -> str:
        begin, kind, names, end = found.groups()
        folders = [read_results(HOME / name) for name in names.split()]
        return begin + "\n".join(KINDS[kind](folders)) + "\n" + end

    return BLOCK.sub(made, text)


if __name__ == "__main__":
    for file in FILES:
        file.write_text(rewritten(file.read_text()))
