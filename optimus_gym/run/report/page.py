"""The report's HTML page: one file that holds all its content and needs no network."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.errors import MissingExtra
from optimus_gym.run.report.episodes import kept_moments, key_frames, packed_episodes
from optimus_gym.run.report.failures import LISTED, Failing, failings
from optimus_gym.run.report.plots import INK, Plot
from optimus_gym.run.results.figures import Figures, by_group, by_task, overall
from optimus_gym.run.results.first_possessions import Possessions, possessions_by_group
from optimus_gym.run.results.paired import Difference, pairs_of
from optimus_gym.run.results.paired import group_differences as differences_by_group
from optimus_gym.run.results.paired import overall_difference as overall_difference
from optimus_gym.run.results.papers import Papers, papers_beside, papers_label
from optimus_gym.run.results.readers import readers_in
from optimus_gym.run.results.replies import replies_in
from optimus_gym.run.results.results_folder import Results, differences
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.run.results.shards import lacking_shards
from optimus_gym.run.results.table import title_of
from optimus_gym.terminal.printing import printable

_SPARE: Final = 20_000
"""Bytes below the page's size limit that key frames leave free."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One evaluation's results in the form that the page shows.

    Attributes:
        name: the folder's name.
        title: the evaluation in words.
        first: the first episode, for the fields that all episodes share.
        privileged: the parts that read the world itself, in words; "" for none.
        overall: the suite's figures, computed as in its paper; None if a group is missing.
        groups: figures by group.
        tasks: figures by task.
        possessions: the first possessions by group.
        papers: the papers' figures for comparison.
        label: the source of the papers' figures, in words.
        failings: the most frequent kinds of failure.
        others: the number of episodes with other kinds of failure.
        identity: the evaluation's identity, as JSON.
        runs: the lines of `runs.jsonl`.
        cut: whether the last row is incomplete and left out.
        replies: a sentence on how many of the backbone's replies could be used; "" if there is nothing to
            report.
    """

    name: str
    title: str
    first: EpisodeRow
    privileged: str
    overall: Figures | None
    groups: Mapping[str, Figures]
    tasks: Mapping[str, Figures]
    possessions: Sequence[Possessions]
    papers: Papers
    label: str
    failings: Sequence[Failing]
    others: int
    identity: str
    runs: Sequence[Mapping[str, Any]]
    cut: bool
    shards: str
    replies: str

    @property
    def episodes(self) -> int:
        """Return the number of episodes that enter the figures: all but the overtime episodes."""
        return sum(one.episodes for one in self.tasks.values())

    @property
    def overtime(self) -> int:
        """Return the number of episodes with the status "crashed (time)", which no figure counts."""
        return sum(one.overtime for one in self.tasks.values())

    @property
    def successes(self) -> int:
        """Return the number of episodes that reached their task."""
        return sum(one.successes for one in self.tasks.values())

    @property
    def rate(self) -> float | None:
        """Return the episodes played an hour, without the time between runs; None if no run is recorded."""
        seconds = sum(run.get("seconds", 0) for run in self.runs)
        return (
            3600 * sum(run.get("episodes", 0) for run in self.runs) / seconds if seconds else None
        )

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the names of the agents that the papers' figures are about."""
        told = (*self.papers.groups.values(), *self.papers.tasks.values())
        return tuple(dict.fromkeys(name for figures in told for name in figures))


@dataclass(frozen=True, slots=True)
class Against:
    """How an evaluation differs from the first one: in results of shared episodes, configuration and code."""

    name: str
    first: str
    episodes: int
    left_out: int
    lines: Sequence[Difference]
    settings: Sequence[str]


def page(folders: Sequence[Results], plots: Sequence[Plot], out: Path, size: int) -> str:
    """Return the HTML page on some evaluations, each with at least one episode.

    Args:
        folders: the evaluations.
        plots: the plots of the evaluations.
        out: the page's path.
        size: size limit of the page in bytes; the page holds as many key frames as fit.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    shown = [_shown(folder) for folder in folders]
    context = {
        "folders": shown,
        "plots": [(plot, inlined(plot)) for plot in plots],
        "against": [_against(folders[0], other) for other in folders[1:]],
        "style": _data("page.css"),
        "script": _data("page.js"),
        "episodes": packed_episodes(folders, out),
        "moments": scripted(kept_moments(folders)),
        "frames": scripted({}),
    }
    bare = _rendered(context)
    room = size - len(bare.encode()) - _SPARE
    frames = dict(key_frames(folders, room)) if room > 0 else {}
    return _rendered({**context, "frames": scripted(frames)})


def _shown(folder: Results) -> Shown:
    rows = folder.rows
    ways = failings(rows)
    return Shown(
        name=folder.name,
        title=title_of(rows),
        first=rows[0],
        privileged=readers_in(rows),
        overall=overall(rows),
        groups={one.name: one for one in by_group(rows)},
        tasks={one.name: one for one in by_task(rows)},
        possessions=possessions_by_group(rows),
        papers=papers_beside(rows, folder.start),
        label=papers_label(rows[0].suite),
        failings=ways[:LISTED],
        others=sum(way.count for way in ways[LISTED:]),
        identity=json.dumps(folder.identity, indent=2, ensure_ascii=False),
        runs=folder.runs,
        cut=folder.cut,
        shards=lacking_shards(folder.parts),
        replies=printable(replies_in(rows).told),
    )


def _against(first: Results, other: Results) -> Against:
    pairs = pairs_of(first.rows, other.rows)
    together = overall_difference(pairs) if pairs else None
    return Against(
        name=other.name,
        first=first.name,
        episodes=len(pairs),
        left_out=len(first.rows) + len(other.rows) - 2 * len(pairs),
        lines=(*differences_by_group(pairs), *((together,) if together else ())),
        settings=tuple(differences("", first.identity, other.identity, (first.name, other.name))),
    )


def inlined(plot: Plot) -> str:
    """Return a plot's SVG for embedding in a page: in the page's text colour, with unique ids."""
    text = plot.svg[plot.svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    used = set(re.findall(r'(?:href="|url\()#([^")]*)', text))
    text = re.sub(
        r' id="([^"]*)"',
        lambda found: f' id="{plot.name}-{found[1]}"' if found[1] in used else "",
        text,
    )
    text = re.sub(r'(href="|url\()#', rf"\1#{plot.name}-", text)
    return text.replace(INK, "currentColor").replace("<svg ", '<svg role="img" ', 1)


def scripted(value: Any) -> str:
    r"""Return a value as JSON that is safe inside a script element, whatever texts it holds.

    >>> scripted({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _data(name: str) -> str:
    return files("optimus_gym.run.report.data").joinpath(name).read_text("utf-8")


def _rendered(context: Mapping[str, Any]) -> str:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtra("report", "report") from error
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(percent=percent, interval=interval, number=_number, words=_in_words)
    return environment.from_string(_data("page.html")).render(context)


def percent(rate: float | None, signed: bool = False) -> str:
    """Return a rate as a text in percent; a dash for None or NaN.

    >>> percent(0.5), percent(0.125, signed=True), percent(None)
    ('50.0 %', '+12.5 %', '–')
    """
    return "–" if rate is None or math.isnan(rate) else f"{100 * rate:{'+' if signed else ''}.1f} %"


def interval(ends: tuple[float, float], signed: bool = False) -> str:
    """Return an interval of rates as a text in percent.

    >>> interval((0.5, 0.75))
    '50.0 to 75.0'
    """
    sign = "+" if signed else ""
    return f"{100 * ends[0]:{sign}.1f} to {100 * ends[1]:{sign}.1f}"


def _number(value: float | None, places: int = 0, signed: bool = False) -> str:
    """Return a number as a text; a dash for None.

    >>> _number(1234.5), _number(None), _number(12.34, 1), _number(5, signed=True)
    ('1,234', '–', '12.3', '+5')
    """
    return "–" if value is None else f"{value:{'+' if signed else ''},.{places}f}"


def _in_words(name: str) -> str:
    """Return a name with spaces in place of underscores."""
    return name.replace("_", " ")
