"""Runs a program of Code as Policies on the player's things, call by call, with bounds on its loops."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.programs import (
    Program,
    ProgramBlock,
    ProgramCall,
    ProgramChoice,
    Repeat,
    Stop,
)
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal

MOST_ROUNDS_OF_A_LOOP: Final = 200
"""Maximum number of rounds of a loop: our choice."""
MOST_STATEMENTS: Final = 20_000
"""Maximum number of statements that a program runs: our choice."""
BOUND_REACHED: Final = "the program ran too long in line {line}"
ENDED: Final = "the program ended"


@dataclass(frozen=True, slots=True)
class Inventory:
    """The things that a program can ask about."""

    held: Mapping[str, int]
    stations: tuple[str, ...]

    def count(self, kinds: tuple[str, ...]) -> int:
        """Return how many pieces of some items are held."""
        return sum(self.held.get(name, 0) for name in kinds)

    def near(self, station: str) -> int:
        """Return 1 if a station is in reach, else 0."""
        return int(station in self.stations)


@dataclass(slots=True)
class _Frame:
    """A block that runs: its next statement, and the loop that runs the block again."""

    block: ProgramBlock
    at: int = 0
    loop: Repeat | None = None
    rounds: int = 1
    times: int = 1


@dataclass(slots=True)
class ProgramRun:
    """A program between two calls.

    Attributes:
        program: the program, without problems.
        why: why the program has ended; "" while it runs.
        last: the latest call; None before the first call.
    """

    program: Program
    why: str = ""
    last: ProgramCall | None = None
    _frames: list[_Frame] = field(default_factory=list)
    _spent: int = 0

    def __post_init__(self) -> None:
        self._frames = [_Frame(self.program.block)]

    @property
    def below(self) -> tuple[SubGoal, ...]:
        """Return the sub-goals of all calls in lines below the latest call, for people."""
        line = 0 if self.last is None else self.last.line
        return tuple(
            subgoal
            for call in self.program.calls
            if call.line > line
            for subgoal in subgoals_of([call.deed(1)]).subgoals
        )

    def next_call(self, here: Situation) -> tuple[ProgramCall, int] | None:
        """Run to the next call; return the call and its pieces, or None if the program has ended.

        The program's conditions see the inventory and the stations of `here`. A call for no piece is skipped.
        """
        things = Inventory(here.inventory, here.stations)
        while self._frames:
            frame = self._frames[-1]
            if frame.at == len(frame.block):
                self._end_of(frame, things)
                continue
            statement = frame.block[frame.at]
            frame.at += 1
            self._spent += 1
            if self._spent > MOST_STATEMENTS:
                self._stop(BOUND_REACHED.format(line=statement.line))
            elif isinstance(statement, Stop):
                self._stop(ENDED)
            elif isinstance(statement, ProgramCall):
                pieces = statement.pieces.value(things)
                if pieces > 0:
                    self.last = statement
                    return statement, pieces
            else:
                self._enter(statement, things)
        self.why = self.why or ENDED
        return None

    def _enter(self, statement: ProgramChoice | Repeat, things: Inventory) -> None:
        """Enter the block that a statement chooses, if it chooses one."""
        if isinstance(statement, ProgramChoice):
            arms = (arm for test, arm in statement.arms if test is None or test.holds(things))
            chosen = next(arms, ())
            self._frames.append(_Frame(chosen))
            return
        times = 1 if statement.times is None else statement.times.value(things)
        if times > 0 and (statement.test is None or statement.test.holds(things)):
            self._frames.append(_Frame(statement.block, loop=statement, times=times))

    def _end_of(self, frame: _Frame, things: Inventory) -> None:
        """Run a loop's block again, or leave the block."""
        loop = frame.loop
        goes_on = loop is not None and (
            frame.rounds < frame.times if loop.test is None else loop.test.holds(things)
        )
        if not goes_on:
            self._frames.pop()
        elif frame.rounds >= MOST_ROUNDS_OF_A_LOOP:
            assert loop is not None, "only loops go on"
            self._stop(BOUND_REACHED.format(line=loop.line))
        else:
            frame.rounds += 1
            frame.at = 0

    def _stop(self, why: str) -> None:
        self.why = why
        self._frames.clear()
