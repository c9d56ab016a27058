"""Play one episode of the sub-goal view; print the plan, a line for each sub-goal, and the outcome."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.live import Live

from optimus_gym.core.types import TICKS_A_SECOND
from optimus_gym.envs.courses import Progress
from optimus_gym.run.panel import draw_panel, with_panel
from optimus_gym.run.results.replies import Replies, replies_of
from optimus_gym.terminal.printing import words
from optimus_gym.wrappers.exposure import BRIGHTENED, Exposure
from optimus_gym.wrappers.video import VideoWriter

FOLLOW_PLAN: Final = 0
"""Action of the sub-goal view: pursue the current sub-goal of the agent's plan."""
TICKS_A_FRAME: Final = 4
"""Default ticks between two frames of a video: the video runs four times as fast as the game."""
REFRESHES_A_SECOND: Final = 8
"""Number of times a second (wall time) that the terminal's line on the running sub-goal is rewritten."""
_OUTCOMES: Final = {
    "success": "success",
    "died": "the player died",
    "budget": "the tick budget is spent",
    "gave_up": "the agent gave up",
    "mistaken": "the agent declared what is not there",
    "missed": "the agent went on past what it sought",
    "world_failed": "the world broke down",
    "abandoned": "cut off by a reset",
    "running": "stopped",
    "interrupted": "interrupted",
}


class Watched(Protocol):
    """The methods that `Player` needs of an environment in addition to Gymnasium's."""

    def watch(self, callback: Callable[[int], None]) -> None:
        """Call `callback(row)` after every tick; `row` is the world's index in the batch."""

    def progress(self, row: int = 0) -> Progress:
        """Return the episode's state: task, plan, current sub-goal, tick and inventory."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of an episode, for the last printed line."""

    status: str
    """The episode's end, as a key of `_OUTCOMES`."""
    ticks: int
    subgoals: int
    """Number of sub-goals that the controller began."""
    replans: int
    wall_s: float
    """Wall seconds from the end of the reset to the end of the episode, video drawing included."""
    replies: Replies = field(default_factory=Replies)
    """Counts of the backbone's replies: usable, unusable and missing ones."""
    reason: str = ""
    """Why the agent gave up or the world failed, in words."""

    @property
    def success(self) -> bool:
        """Return whether the task was reached."""
        return self.status == "success"

    @property
    def summary(self) -> str:
        """Return the result in one line.

        >>> Result("success", 2400, 9, 1, 4.0).summary
        'success: 2,400 ticks, 120 s of game time, 4.0 s, 600 ticks/s, 9 sub-goals, 1 replan'
        """
        rate = self.ticks / self.wall_s if self.wall_s > 0 else 0.0
        return (
            f"{_OUTCOMES.get(self.status, self.status)}: {self.ticks:,} ticks, "
            f"{self.ticks // TICKS_A_SECOND:,} s of game time, {self.wall_s:.1f} s, "
            f"{rate:,.0f} ticks/s, {self.subgoals} sub-goals, "
            f"{self.replans} replan{'' if self.replans == 1 else 's'}"
            f"{self.replies.replaced and f'; {self.replies.replaced}'}"
            f"{self.replies.without_memory and f'; {self.replies.without_memory}'}"
        )


class NewestFirst:
    """Remembers the order in which one player gained the items that the player holds.

    >>> newest = NewestFirst()
    >>> newest.ordered({"dirt": 1, "stick": 2})
    {'dirt': 1, 'stick': 2}
    >>> newest.ordered({"dirt": 1, "stick": 3, "diamond": 1})
    {'diamond': 1, 'stick': 3, 'dirt': 1}
    """

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def ordered(self, inventory: Mapping[str, int]) -> dict[str, int]:
        """Return the inventory (pieces by item name) in the order of the latest gains.

        Items gained since the last call come first: new items, then items that the player already had. Items
        without a gain since the last call follow in their former order.
        """
        former = self._held
        new = [name for name in inventory if name not in former]
        more = [name for name in inventory if inventory[name] > former.get(name, inventory[name])]
        rest = [name for name in former if name in inventory and name not in more]
        self._held = {name: inventory[name] for name in (*new, *more, *rest)}
        return self._held


class Recorder:
    """Adds every n-th tick of an episode to a video."""

    def __init__(self, exposure: Exposure, writer: VideoWriter, every: int) -> None:
        """Prepare to film an episode.

        Args:
            exposure: draws the picture of each moment.
            writer: writes the video; its frames hold the picture and the panel side by side.
            every: ticks between two frames; with 1 the video runs at the speed of the game, with 4 four times
                as fast.
        """
        self._exposure = exposure
        self._writer = writer
        self._every = every
        self._newest = NewestFirst()
        self._ticks = 0
        self._note = ""

    def tick(self, progress: Progress) -> None:
        """Take a picture if this tick is due for a picture; called after every tick."""
        if self._ticks % self._every == 0:
            self.take(progress)
        self._ticks += 1

    def due(self) -> bool:
        """Return whether the next `tick` takes a picture."""
        return self._ticks % self._every == 0

    def skip(self) -> None:
        """Count a tick, but take no picture."""
        self._ticks += 1

    def ended(self, outcome: str) -> None:
        """Note how the latest sub-goal ended, for the line under the plan."""
        self._note = "" if outcome == "reached" else f"before: {outcome}"

    def take(self, progress: Progress) -> None:
        """Add a picture."""
        self._writer.add(self._drawn(progress, self._note))

    def finish(self, progress: Progress, status: str) -> None:
        """Add the last picture, shown for one second; the panel at its side says how the episode ended."""
        reached = status == "success"
        note = _OUTCOMES.get(status, status)
        self._writer.add(self._drawn(progress, note, failed=not reached, succeeded=reached))
        self._writer.hold()

    def _drawn(self, progress: Progress, note: str, **ending: bool) -> NDArray[np.uint8]:
        """Return the current picture and panel, side by side; `ending` holds arguments of `draw_panel`."""
        picture = self._exposure.draw()
        shown = replace(progress, inventory=self._newest.ordered(progress.inventory))
        said = BRIGHTENED if self._exposure.is_brightened else ""
        return with_panel(picture, draw_panel(shown, picture.shape[0], note, said, **ending))


class _LiveLine:
    """The line about the running sub-goal, rewritten as ticks pass; only a terminal shows the line."""

    def __init__(self, console: Console) -> None:
        self._live: Live | None = None
        if console.is_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> "_LiveLine":
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def due(self) -> bool:
        return self._live is not None and time.perf_counter() >= self._next

    def show(self, progress: Progress, since: int) -> None:
        if self._live:
            self._next = time.perf_counter() + 1 / REFRESHES_A_SECOND
            where = f"{progress.position + 1}/{len(progress.plan)}"
            text = f"  ... {where:>6}  {progress.subgoal:<34} {progress.ticks - since:>6,} ticks"
            self._live.update(words(text, style="yellow"), refresh=True)

    def clear(self) -> None:
        if self._live:
            self._live.update(words(""), refresh=True)


def _whose(info: Mapping[str, Any]) -> str:
    """Return in words which part made the new plan; "" if the backbone made it."""
    whose = {"rules": "the rules", "goal": "the bare goal"}.get(info["planned_by"])
    return f", by {whose} in the backbone's place" if whose else ""


class Player:
    """Plays one episode with the environment's own agent and prints the course of the episode."""

    def __init__(
        self, env: gym.Env[Any, Any], console: Console, recorder: Recorder | None = None
    ) -> None:
        """Prepare to play in `env` (a sub-goal view made by `gym.make`), which calls `_tick` every tick."""
        self._env = env
        self._console = console
        self._recorder = recorder
        self._watched: Watched = env.unwrapped  # type: ignore[assignment]
        self._watched.watch(self._tick)
        self._since = 0
        self._line = _LiveLine(console)

    def _tick(self, row: int) -> None:
        recorder, line = self._recorder, self._line
        picture, words = recorder is not None and recorder.due(), line.due()
        progress = self._watched.progress(row) if picture or words else None
        if recorder and progress and picture:
            recorder.tick(progress)
        elif recorder:
            recorder.skip()
        if progress and words:
            line.show(progress, self._since)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(words(text, style=style), soft_wrap=True)

    def _print_plan(self, plan: tuple[str, ...]) -> None:
        for number, subgoal in enumerate(plan, 1):
            self._print(f"  {number:>3}. {subgoal}")

    def play(self, seed: int) -> Result:
        """Play the episode of `seed` until it ends or the user presses Ctrl-C."""
        _, info = self._env.reset(seed=seed)
        progress = self._watched.progress()
        self._print(f"{progress.task}: {progress.instruction}", "bold")
        if progress.plan:
            self._print(f"plan, {len(progress.plan)} sub-goals{_whose(info)}:")
        self._print_plan(progress.plan)
        begun = time.perf_counter()
        subgoals, status = 0, "running"
        if self._recorder:
            self._recorder.take(progress)
        try:
            with self._line:
                over = False
                while not over:
                    replans = info["replans"]
                    info, over = self._pursue()
                    subgoals += len(info["ended"])
                    if info["replans"] > replans and not over:
                        self._print_replan(info)
            status = str(info["status"])
        except KeyboardInterrupt:
            status = "interrupted"
        progress = self._watched.progress()
        result = Result(
            status=status,
            ticks=progress.ticks,
            subgoals=subgoals,
            replans=progress.replans,
            wall_s=time.perf_counter() - begun,
            replies=replies_of(info, subgoals),
            reason=str(info["reason"]),
        )
        if self._recorder:
            self._recorder.finish(progress, result.status)
        self._print(result.summary, "bold green" if result.success else "bold red")
        if result.reason:
            self._print(f"reason: {result.reason}")
        if result.replies.told:
            self._print(result.replies.told)
        return result

    def _pursue(self) -> tuple[dict[str, Any], bool]:
        self._since = before = self._watched.progress().ticks
        _, _, terminated, truncated, info = self._env.step(FOLLOW_PLAN)
        self._line.clear()
        if not info["ended"]:  # the agent gave up before any sub-goal, or the world failed
            return info, terminated or truncated
        outcome = str(info["outcome"])
        if self._recorder:
            self._recorder.ended(outcome)
        reached = outcome == "reached"
        sign = "ok" if reached else "--"
        took = info["ticks"] - before
        self._print(
            f"  {sign} {info['subgoal']:<34} {took:>6,} ticks   {outcome}",
            "green" if reached else "red",
        )
        return info, terminated or truncated

    def _print_replan(self, info: dict[str, Any]) -> None:
        self._print(
            f"  new plan ({info['replans']}), {len(info['plan'])} sub-goals{_whose(info)}:",
            "yellow",
        )
        self._print_plan(tuple(info["plan"]))
