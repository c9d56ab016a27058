"""Print figures as a table in the terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from optimus_gym.core.task import PaperFigures as Published
from optimus_gym.run.results.figures import Figures, by_group, overall
from optimus_gym.run.results.papers import papers_beside, papers_label
from optimus_gym.run.results.replies import replies_in
from optimus_gym.run.results.row import IMPOSSIBLE, EpisodeRow
from optimus_gym.terminal.printing import add_row, words

_WIDEST = 1000
"""Width in characters for printing, larger than the width of any table."""
_HEAD = ("episodes", "success", "95 % interval", "ticks", "game s", "wall s", "else")


def print_whole(table: Table) -> None:
    """Print a table in its full width, without wrapping or cutting, even on a narrow output."""
    roomy = Console(width=_WIDEST)
    parts = (part for part in (table, table.title, table.caption) if part)
    needed = (Measurement.get(roomy, roomy.options, part).maximum for part in parts)
    Console(width=max(Console().width, *needed)).print(table)


def title_of(rows: Sequence[EpisodeRow]) -> str:
    """Return the parts and rules of an evaluation in words; `rows` has at least one entry.

    The title always says whether a part is privileged, which model was the backbone, which assists made the
    game easier, whether players crafted by mouse, whether rules or the bare goal replaced plans of the
    backbone, and whether an episode lost its memory.
    """
    first = rows[0]
    played = [row for row in rows if row.status != IMPOSSIBLE] or rows
    who = f"{first.agent} with {first.controller}" if played[0].helper else first.agent
    told = " (privileged)" if any(row.privileged for row in rows) else ""
    assists = sorted({assist for row in rows for assist in row.assists})
    easier = f", assists: {', '.join(assists)}" if assists else ""
    by_mouse = ", crafting by mouse (gui)" if any(row.crafting == "gui" for row in rows) else ""
    replies = replies_in(rows)
    asked = f", backbone {replies.who}" if replies.is_model else ""
    played_by = f"{first.suite}: {who}{told}{asked}, world {first.world}, {first.protocol}{easier}{by_mouse}"
    return "; ".join(filter(None, (played_by, replies.replaced, replies.without_memory)))


def group_table(rows: Sequence[EpisodeRow], start: Mapping[str, Any]) -> Table:
    """Return a table with a line for each group and a last line "overall".

    Groups that were played as in the paper show the papers' success rates (`papers.py`). The caption says
    which of the papers' figures are left out and why, and how many of a model's replies could be used.

    Args:
        rows: episodes, at least one.
        start: the reset options of all episodes.
    """
    papers = papers_beside(rows, start)
    agents = tuple(dict.fromkeys(name for told in papers.groups.values() for name in told))
    label = f"* {papers_label(rows[0].suite)}" if papers.groups else ""
    told = replies_in(rows).told
    below = words("\n".join(filter(None, (label, papers.left_out, told))))
    below.no_wrap, below.overflow = True, "ignore"
    made = Table(
        box=None,
        header_style="bold",
        title=words(title_of(rows), style="bold"),
        title_justify="left",
        title_style="bold",
        caption=below,
        caption_justify="left",
    )
    made.add_column("group")
    for name in (*_HEAD, *(f"{agent}*" for agent in agents)):
        made.add_column(words(name), justify="left" if name == "else" else "right")
    together = overall(rows)
    for one in (*by_group(rows), *((together,) if together else ())):
        own = [row for row in rows if one.name in (row.group, "overall")]
        beside = (_rate(papers.groups.get(one.name, {}).get(agent)) for agent in agents)
        add_row(made, one.name, *_cells(one), causes(one, own), *beside)
    return made


def _rate(published: Published | None) -> str:
    if published is None or published.success_rate is None:
        return "-"
    return f"{published.success_rate:.1%}"


def _cells(one: Figures) -> Iterable[str]:
    low, high = one.interval
    yield f"{one.episodes:,}"
    yield f"{one.rate:.1%}" if one.is_measured else "-"
    yield f"{low:.1%} to {high:.1%}" if one.is_measured else "-"
    yield "-" if one.ticks is None else f"{one.ticks:,.0f}"
    yield "-" if one.game_s is None else f"{one.game_s:,.1f}"
    yield f"{one.wall_s:,.1f}"


def causes(one: Figures, rows: Sequence[EpisodeRow]) -> str:
    """Return in words a group's failures, deaths, replaced plans and lost memories; "" for "overall"."""
    if one.name == "overall":
        return ""
    ended = [f"{status} {n}" for status, n in one.statuses.items() if status != "success"]
    killed = Counter(death.cause for row in rows for death in row.deaths)
    of = ", ".join(f"{cause} {n}" for cause, n in killed.most_common())
    killed_by = f"killed by {of}" if of else ""
    said = (*ended, killed_by, one.replies.replaced, one.replies.without_memory)
    return "; ".join(filter(None, said))
