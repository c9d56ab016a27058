"""The rate of every bar is this run's work divided by this run's time."""

import ast
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from optimus_gym.terminal import bars as bars_module
from optimus_gym.terminal.bars import bars, counted

ROOT = Path(__file__).resolve().parents[2]


class Clock:
    """A clock that a test sets, in seconds."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def console(clock):
    return Console(file=StringIO(), width=200, get_time=clock)


def shown(progress):
    """Return the only bar's texts behind its name: the count, the rate and the time left."""
    console = Console(file=StringIO(), width=200)
    console.print(progress.get_renderable())
    return re.search(r"(\S+) +(\S+ /\w+) +(\S+)\s*$", console.file.getvalue()).groups()


def test_the_rate_is_the_finished_count_over_the_time_since_the_bar_began(clock, console):
    progress = bars("h", console)
    bar = progress.add_task("episodes", total=4)
    assert shown(progress) == ("0/4", "- /h", "-:--:--")
    clock.now += 20
    assert shown(progress) == ("0/4", "- /h", "-:--:--")
    progress.update(bar, advance=1)
    assert shown(progress) == ("1/4", "180 /h", "0:01:00")
    progress.update(bar, advance=1)  # in the same moment, as from a second process
    assert shown(progress) == ("2/4", "360 /h", "0:00:20")
    clock.now += 20
    assert shown(progress) == ("2/4", "180 /h", "0:00:40")
    progress.update(bar, advance=2)
    clock.now += 500
    assert shown(progress) == ("4/4", "360 /h", "0:00:40")


def test_work_of_an_earlier_run_does_not_count_in_the_rate(clock, console):
    progress = bars("min", console)
    bar = progress.add_task("updates", total=100, completed=60, kept=60)
    clock.now += 30
    assert shown(progress) == ("60/100", "- /min", "-:--:--")
    progress.update(bar, completed=70)
    assert shown(progress) == ("70/100", "20 /min", "0:01:30")


def test_work_of_an_earlier_run_may_be_reported_later(clock, console):
    progress = bars("s", console)
    bar = progress.add_task("episodes", total=5000)
    progress.update(bar, kept=1000)
    progress.update(bar, advance=500)
    clock.now += 2
    assert shown(progress) == ("500/5000", "- /s", "-:--:--")
    progress.update(bar, completed=3500)
    assert shown(progress) == ("3500/5000", "1,250 /s", "0:00:01")


def test_a_bar_without_a_total_has_a_rate(clock, console):
    progress = bars("s", console)
    bar = progress.add_task("taking over", total=None)
    clock.now += 8
    progress.update(bar, advance=2)
    assert shown(progress) == ("2/?", "0.25 /s", "-:--:--")


def test_counted_yields_the_items_unchanged(monkeypatch, console):
    monkeypatch.setattr(bars_module, "Console", lambda **_: console)
    assert list(counted(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert "3/3" in console.file.getvalue()


def called_of_rich(tree):
    """Return the classes and functions of rich's bars that a module calls."""
    nodes = list(ast.walk(tree))
    imports = [n for n in nodes if isinstance(n, ast.ImportFrom) and n.module == "rich.progress"]
    names = {alias.name for node in imports for alias in node.names}
    calls = [n.func for n in nodes if isinstance(n, ast.Call)]
    return names & {func.id for func in calls if isinstance(func, ast.Name)}


def test_only_one_module_makes_bars():
    for top in ("optimus_gym", "envs", "wrappers", "baselines", "tools", "benchmarks"):
        for file in (ROOT / top).rglob("*.py"):
            if file != Path(bars_module.__file__):
                assert called_of_rich(ast.parse(file.read_text())) == set(), file
