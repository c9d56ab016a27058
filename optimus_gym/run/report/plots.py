"""The report's plots: bars with intervals, success against ticks, milestones; drawn by matplotlib."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, product
from typing import Any, Final

import numpy as np

from optimus_gym.core.errors import MissingExtra
from optimus_gym.run.report.curves import Curve, milestone_curves, success_curves
from optimus_gym.run.report.table_files import is_privileged
from optimus_gym.run.results.figures import Figures, by_group, overall
from optimus_gym.run.results.figures import figures as figures_of
from optimus_gym.run.results.growth import Growth
from optimus_gym.run.results.results_folder import Results
from optimus_gym.terminal.printing import printable

COLOURS: Final = (
    "#3b82d6", "#e0862b", "#3aa76d", "#d65a8b", "#8f6fd1", "#b99320", "#2aa5b8", "#d1574a",
    "#7f8c3a", "#8a7f72",
)  # fmt: skip
"""Colours of medium lightness, visible on light and dark pages."""
DASHES: Final = ("-", "--", ":")
INK: Final = "#010203"
"""Colour of a plot's axes and words; the page replaces this colour by the page's own text colour."""
STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}
DPI: Final = 150
"""Resolution of the PNG files in dots per inch."""
MOST_COLUMNS: Final = 3
EARLIEST: Final = 10
"""Game tick at which the logarithmic horizontal axes begin."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawn plot with its texts, as SVG and as PNG.

    Attributes:
        name: the name of the plot's files.
        title: the title above the plot.
        caption: the caption below the plot.
        svg: the picture as SVG text.
        png: the picture as PNG, on white.
    """

    name: str
    title: str
    caption: str
    svg: str
    png: bytes


def plots(folders: Sequence[Results], grown: Sequence[Growth] = ()) -> tuple[Plot, ...]:
    """Draw all plots of some evaluations.

    Args:
        folders: the evaluations.
        grown: runs of self-evolution, whose epochs' evaluations are among the folders.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra("report", "report") from error
    folders = [_legible(folder) for folder in folders]
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        made = [_learning(grown)] if grown else []
        made += [_bars(folders), _success(folders)]
        made += [
            _milestones(folder, k, len(folders) > 1)
            for k, folder in enumerate(folders)
            if any(row.is_counted for row in folder.rows)
        ]
    return tuple(made)


def _legible(folder: Results) -> Results:
    """Return a folder whose name and groups are printable, so that no control character breaks an SVG."""
    rows = (
        row if row.group.isprintable() else replace(row, group=printable(row.group))
        for row in folder.rows
    )
    return replace(folder, name=printable(folder.name), rows=tuple(rows))


def _bars(folders: Sequence[Results]) -> Plot:
    """Draw success rates by group with their intervals, one colour for each folder."""
    told = [_group_figures(folder) for folder in folders]
    groups = list(dict.fromkeys(name for figures in told for name in figures))
    wide = 0.8 / len(folders)
    figure, axes = _figure(1, 1, (max(6.0, 1 + len(groups) * max(0.8, 0.25 * len(folders))), 3.2))
    for k, (folder, figures) in enumerate(zip(folders, told, strict=True)):
        shown = [(x, figures[name]) for x, name in enumerate(groups) if name in figures]
        rates = [one.rate for _, one in shown]
        below = [max(one.rate - one.interval[0], 0) for _, one in shown]
        above = [max(one.interval[1] - one.rate, 0) for _, one in shown]
        axes[0].bar(
            [x + (k - (len(folders) - 1) / 2) * wide for x, _ in shown],
            rates,
            wide * 0.9,
            yerr=(below, above),
            color=COLOURS[k % len(COLOURS)],
            ecolor=INK,
            error_kw={"elinewidth": 1, "capsize": 2},
            label=_label(folder),
        )
    names = [name.replace("_", " ") for name in groups]
    lean = {"rotation": 25, "ha": "right"} if len(groups) > 8 else {}
    axes[0].set_xticks(range(len(groups)), names, **lean)
    axes[0].set_ylim(0, 1)
    _percent(axes[0].yaxis)
    axes[0].set_ylabel("success")
    axes[0].grid(axis="y")
    if len(folders) > 1:
        figure.legend(loc="outside upper left", ncols=3)
    return _done(figure, "groups", "Success by group", "Success rate with its 95 % interval.")


def _label(folder: Results) -> str:
    """Return a folder's name, marked "(privileged)" if a part reads the world itself."""
    return f"{folder.name} (privileged)" if is_privileged(folder) else folder.name


def _group_figures(folder: Results) -> dict[str, Figures]:
    together = overall(folder.rows)
    named = (*by_group(folder.rows), *((together,) if together else ()))
    return {one.name: one for one in named}


def _learning(grown: Sequence[Growth]) -> Plot:
    """Draw success with its interval, and what the memory holds, against the epochs, a line for each run."""
    figure, axes = _figure(1, 3, (10.0, 3.2), shares=False)
    for k, growth in enumerate(grown):
        numbers = [epoch.number for epoch in growth.epochs]
        told = [figures_of("all", epoch.results.rows) for epoch in growth.epochs]
        rates = np.array([one.rate for one in told])
        below, above = (np.array([one.interval[end] for one in told]) for end in (0, 1))
        look: dict[str, Any] = {
            "color": COLOURS[k % len(COLOURS)],
            "lw": 1.6,
            "marker": "o",
            "ms": 4,
        }
        axes[0].errorbar(
            numbers,
            rates,
            yerr=(np.maximum(rates - below, 0), np.maximum(above - rates, 0)),
            elinewidth=1,
            capsize=2,
            label=printable(growth.name),
            **look,
        )
        axes[1].plot(numbers, [epoch.size.share for epoch in growth.epochs], **look)
        axes[2].plot(numbers, [epoch.size.experiences for epoch in growth.epochs], **look)
    for axis, title in zip(
        axes, ("success", "share of all ways", "episodes remembered"), strict=True
    ):
        axis.set_title(title, fontsize=10)
        axis.set_ylim(bottom=0)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid()
    axes[0].set_ylim(0, 1.02)
    _percent(axes[0].yaxis)
    _percent(axes[1].yaxis)
    figure.supxlabel("epoch", fontsize=10)
    if len(grown) > 1:
        figure.legend(loc="outside upper left", ncols=3)
    return _done(
        figure,
        "learning",
        "Self-evolution",
        "Success with its 95 % interval, the share of the ways to get items of which the memory has an "
        "example, and the episodes in the memory, after each epoch; epoch 0 has the empty memory.",
    )


def _success(folders: Sequence[Results]) -> Plot:
    """Draw the share of successful episodes over ticks, one panel for each folder."""
    told = [success_curves(folder.rows) for folder in folders]
    names = list(dict.fromkeys(curve.name for curves in told for curve in curves))
    looks = _looks(names)
    panels = {
        _label(folder) if len(folders) > 1 else "": c
        for folder, c in zip(folders, told, strict=True)
    }
    figure = _panels(panels, looks, _last(folders))
    return _done(
        figure,
        "ticks",
        "Success against ticks",
        "Share of a group's episodes that have reached their task, by tick (20 are a second of the game).",
    )


def _milestones(folder: Results, number: int, several: bool) -> Plot:
    """Draw over ticks the share of episodes that have reached each milestone, one panel for each group."""
    told = milestone_curves(folder.rows)
    names = list(dict.fromkeys(curve.name for curves in told.values() for curve in curves))
    figure = _panels(told, _looks(names), _last([folder]))
    title = f"Milestones: {folder.name}" if several else "Milestones"
    return _done(
        figure,
        f"milestones_{number}" if several else "milestones",
        title,
        "Share of a group's episodes that have ever held an item, by tick; what an episode began with "
        "does not count.",
    )


def _panels(
    panels: Mapping[str, Sequence[Curve]], looks: Mapping[str, Mapping[str, Any]], last: float
) -> Any:
    """Draw curves in panels that share their axes, with one legend."""
    columns = min(len(panels), MOST_COLUMNS)
    rows = -(-len(panels) // columns)
    figure, axes = _figure(rows, columns, (max(6.0, 3.0 * columns), 0.6 + 2.3 * rows))
    labelled: dict[str, Any] = {}
    for axis, (title, curves) in zip(axes, panels.items(), strict=False):
        axis.set_title(title.replace("_", " "), fontsize=10)
        for curve in curves:
            ticks = np.concatenate([[EARLIEST], curve.ticks, [last]])
            shares = np.concatenate(
                [[0], curve.shares, curve.shares[-1:] if len(curve.shares) else [0]]
            )
            (line,) = axis.step(ticks, shares, where="post", lw=1.6, **looks[curve.name])
            labelled.setdefault(curve.name.replace("_", " "), line)
        axis.set_xscale("log")
        _powers(axis.xaxis)
        axis.set_xlim(EARLIEST, last)
        axis.set_ylim(0, 1.02)
        _percent(axis.yaxis)
        axis.grid()
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    figure.supxlabel("ticks", fontsize=10)
    handles = [
        labelled[name.replace("_", " ")] for name in looks if name.replace("_", " ") in labelled
    ]
    names = [name.replace("_", " ") for name in looks if name.replace("_", " ") in labelled]
    figure.legend(handles, names, loc="outside right upper")
    return figure


def _looks(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a colour and a dash pattern for each curve's line."""
    kinds = cycle((colour, dash) for dash, colour in product(DASHES, COLOURS))
    return {
        name: {"color": colour, "ls": dash}
        for name, (colour, dash) in zip(names, kinds, strict=False)
    }


def _last(folders: Sequence[Results]) -> float:
    """Return the end of the horizontal axis in ticks: a little beyond the longest episode."""
    longest = max((row.ticks for folder in folders for row in folder.rows), default=0)
    return 1.1 * max(longest, 2 * EARLIEST)


def _figure(
    rows: int, columns: int, size: tuple[float, float], shares: bool = True
) -> tuple[Any, list[Any]]:
    """Return a figure without a window, and its axes in one list; they share their scales if `shares`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, sharex=shares, sharey=shares, squeeze=False)
    return figure, list(axes.flat)


def _percent(axis: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1, 0))


def _powers(axis: Any) -> None:
    """Label a logarithmic axis at powers of ten with plain numbers, since `STYLE` turns math text off."""
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_formatter(NullFormatter())


def _done(figure: Any, name: str, title: str, caption: str) -> Plot:
    import matplotlib

    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the layout is done; once is enough for SVG and PNG
    with matplotlib.rc_context({"svg.hashsalt": name}):
        text, picture = io.StringIO(), io.BytesIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
        figure.savefig(
            picture, format="png", dpi=DPI, facecolor="white", metadata={"Software": None}
        )
    return Plot(name, title, caption, text.getvalue(), picture.getvalue())
