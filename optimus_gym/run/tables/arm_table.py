"""The table of a comparison: success by group for each arm, and the difference to the last arm."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from optimus_gym.core.parts import part_of
from optimus_gym.run.results.figures import Figures, by_group, figures, overall
from optimus_gym.run.results.paired import difference, pairs_of
from optimus_gym.run.results.papers import papers_beside, papers_label, unlike_the_papers
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.run.tables.arms import Arm, Comparison
from optimus_gym.terminal.printing import add_row, words

_FROM_PAPER = " (paper)"


def arm_table(
    comparison: Comparison, played: Mapping[str, Sequence[EpisodeRow]], start: Mapping[str, Any]
) -> Table:
    """Return a table with a line for each arm: success in percent with its interval, by group and overall.

    "overall" is the mean of the groups. The last column has the difference to the last arm over all shared
    episodes, paired. Below an arm stands the paper's line, for groups that were played whole and as in the
    paper; the caption says why others are left out.

    Args:
        comparison: the arms.
        played: the rows of each arm, at least one, by its name.
        start: the reset options of all episodes.
    """
    lines = [line for arm in comparison.arms for line in _lines(arm, comparison, played, start)]
    told = dict.fromkeys(
        line
        for arm in comparison.arms
        for line in (_without_memory(arm, comparison), _left_out(arm, played[arm.name], start))
    )
    label = papers_label(comparison.arms[0].evaluation.suite)
    counted = "overall: mean of the groups; less: difference over all shared episodes"
    paper = [f"{_FROM_PAPER.strip()}: {label}"] if any(_is_paper(line) for line in lines) else []
    below = [counted, *paper]
    groups = list(dict.fromkeys(name for line in lines for name in line if name))
    made = Table(
        box=None,
        header_style="bold",
        title=words(comparison.title, style="bold"),
        title_justify="left",
        caption=words("\n".join([*below, *filter(None, told)])),
        caption_justify="left",
    )
    made.add_column("")
    for name in groups:
        made.add_column(words(name), justify="right")
    for line in lines:
        add_row(made, line[""], *(line.get(name, "-") for name in groups))
    return made


def _is_paper(line: Mapping[str, str]) -> bool:
    return line[""].endswith(_FROM_PAPER)


def _lines(
    arm: Arm,
    comparison: Comparison,
    played: Mapping[str, Sequence[EpisodeRow]],
    start: Mapping[str, Any],
) -> list[dict[str, str]]:
    """Return an arm's line, and the paper's line if there is one: cells by column, "" for the name."""
    rows, last = played[arm.name], comparison.arms[-1]
    together = overall(rows) or figures("all", rows)
    own = {"": arm.name} | {one.name: _cell(one) for one in (*by_group(rows), together)}
    pairs = pairs_of(played[last.name], rows)
    if arm is not last and pairs:
        found = difference("all", pairs)
        low, high = (100 * end for end in found.interval)
        own[f"less {last.name}"] = f"{100 * found.rate:+.1f} ({low:+.1f} to {high:+.1f})"
    paper = _paper(arm, rows, start)
    told = {name: f"{100 * rate:.1f}" for name, rate in paper.items()}
    return [own, {"": f"{arm.name}{_FROM_PAPER}", **told}] if told else [own]


def _cell(one: Figures) -> str:
    if not one.is_measured:
        return "-"
    low, high = (100 * end for end in one.interval)
    return f"{100 * one.rate:.1f} ({low:.1f} to {high:.1f})"


def _paper(arm: Arm, rows: Sequence[EpisodeRow], start: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the paper's success rates that compare with an arm's, by group."""
    if arm.paper:
        return {} if unlike_the_papers(rows, start) else arm.paper
    groups = papers_beside(rows, start).groups
    part = part_of("agent", arm.evaluation.agent)
    agent = "" if part is None else part.name
    return {
        name: told[agent].success_rate or 0.0
        for name, told in groups.items()
        if agent in told and told[agent].success_rate is not None
    }


def _without_memory(arm: Arm, comparison: Comparison) -> str:
    """Return a line on an arm that plays without the memory that others have, or ""."""
    given = any(one.evaluation.memory is not None for one in comparison.arms)
    return f"{arm.name} keeps no memory." if given and arm.evaluation.memory is None else ""


def _left_out(arm: Arm, rows: Sequence[EpisodeRow], start: Mapping[str, Any]) -> str:
    """Return a line on omitted figures of the paper, and the reason; "" if none are omitted."""
    if not arm.paper:
        return papers_beside(rows, start).left_out
    why = unlike_the_papers(rows, start)
    return f"The paper's figures are left out: {why}." if why else ""
