"""Programs of Code as Policies: a small language, read by its own grammar and never run as Python.

    block     = statement { statement }                     (one indentation)
    statement = "if" condition ":" block { "elif" condition ":" block } [ "else" ":" block ]
              | "while" condition ":" block | "for" name "in" "range" "(" sum ")" ":" block
              | verb "(" string [ "," sum ] [ "," string ] ")" | "pass" | "return"
    condition = joined { "or" joined }      joined = single { "and" single }
    single    = "not" single | "(" condition ")" | sum ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum
    sum       = term { ( "+" | "-" ) term }     term = atom { "*" atom }
    atom      = number | "count" "(" string ")" | "near" "(" string ")" | "(" sum ")"

A call has the item, the pieces to get (1 if left out) and the tool or station to use. `count` returns the
pieces that the agent holds, `near` returns 1 if a station is in reach. A line "def name():" at the beginning
opens the block of the program. Comments begin with "#".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from optimus_gym.backbones.parse.action_calls import ACTION_VERBS
from optimus_gym.backbones.parse.deeds import Deed, subgoals_of
from optimus_gym.backbones.parse.program_terms import Condition, ProgramFault, Sum, Terms
from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.core.types import SubGoal

MOST_PROGRAM: Final = 20_000
"""Maximum number of characters of a program that is read: our choice."""
MOST_NESTED: Final = 30
"""Maximum number of blocks inside each other: our choice."""
_FENCE: Final = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_HEAD: Final = re.compile(r"(if|elif|else|while|for|def)\b(.*):")
_CALL: Final = re.compile(r"(\w+)\s*\((.*)\)\s*;?")
_RANGE: Final = re.compile(r"\s*\w+\s+in\s+range\s*\((.*)\)\s*")


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """One call: verb, item, pieces, and the tool or station to use ("" for none), in the line `line`."""

    line: int
    said: str
    verb: str
    item: str
    pieces: Sum
    aid: str = ""

    def deed(self, count: int) -> Deed:
        """Return the call as a deed that gets `count` pieces."""
        aids = (self.aid,) if self.aid else ()
        name = f"line {self.line}"
        return Deed(name, self.said, ACTION_VERBS[self.verb], self.item, max(count, 1), aids)


@dataclass(frozen=True, slots=True)
class ProgramChoice:
    """Blocks with their conditions; the first block with a true condition, or with None, is run."""

    line: int
    arms: tuple[tuple[Condition | None, "ProgramBlock"], ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A block that is run again: while a test is true, or a number of times."""

    line: int
    block: "ProgramBlock"
    test: Condition | None = None
    times: Sum | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of the program."""

    line: int


ProgramBlock = tuple[ProgramCall | ProgramChoice | Repeat | Stop, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was read.

    Attributes:
        block: its statements.
        calls: all calls, in the order of their lines.
        problems: faults of the text, in words; a program with problems must not be run.
    """

    block: ProgramBlock
    calls: tuple[ProgramCall, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def subgoals(self) -> tuple[SubGoal, ...]:
        """Return the sub-goals of all calls, each once, for people."""
        return subgoals_of([call.deed(1) for call in self.calls]).subgoals


class ProgramLine(NamedTuple):
    """A line of a program: its number, its indentation and its text."""

    number: int
    indent: int
    said: str


def read_program(text: str, conditions: bool = True) -> Program:
    """Return the program in a model's text; the program has problems if it cannot be read.

    Args:
        text: the text, also with thoughts, and prose around a fence.
        conditions: whether the program may have tests and loops; if not, it may have calls alone.
    """
    if len(text) > MOST_PROGRAM:
        return Program((), (), (f"expected at most {MOST_PROGRAM} characters, got {len(text)}",))
    answer = answer_of(text)
    if answer.fault:
        return Program((), (), (answer.fault,))
    fenced = _FENCE.findall(answer.parts[0]) if answer.parts else []
    reader = _Reader(fenced[0] if fenced else "".join(answer.parts[:1]), conditions)
    try:
        block = reader.whole()
    except ProgramFault as fault:
        return Program((), (), (str(fault),))
    calls = tuple(reader.calls)
    problems = subgoals_of([call.deed(1) for call in calls]).problems
    return Program(block, calls, problems)


class _Reader:
    """Reads a program line by line."""

    def __init__(self, text: str, conditions: bool) -> None:
        self._lines = list(_lines(text))
        self._at = 0
        self._conditions = conditions
        self.calls: list[ProgramCall] = []

    def whole(self) -> ProgramBlock:
        """Return the program's block; the body of a leading "def" counts as the program."""
        if self._lines and self._lines[0][2].startswith("def "):
            self._at = 1
        if self._at >= len(self._lines):
            raise ProgramFault('expected a program of calls such as mine("log", 3), got none')
        block = self._block(self._lines[self._at][1], 0)
        if self._at < len(self._lines):
            raise self._fault("expected the same indentation as the lines before")
        if not self.calls:
            raise ProgramFault('expected a program of calls such as mine("log", 3), got no call')
        return block

    def _block(self, indent: int, depth: int) -> ProgramBlock:
        if depth > MOST_NESTED:
            raise self._fault(f"expected at most {MOST_NESTED} blocks inside each other")
        found: list[ProgramCall | ProgramChoice | Repeat | Stop] = []
        while self._at < len(self._lines) and self._lines[self._at][1] == indent:
            number, _, said = self._lines[self._at]
            head = _HEAD.fullmatch(said)
            if head is not None:
                found.append(self._compound(number, head[1], head[2], indent, depth))
                continue
            if said == "return" or said.startswith("return "):
                found.append(Stop(number))
            elif said != "pass":
                found.append(self._call(number, said))
            self._at += 1
        return tuple(found)

    def _compound(
        self, number: int, word: str, rest: str, indent: int, depth: int
    ) -> ProgramChoice | Repeat:
        if not self._conditions:
            raise self._fault("expected calls alone")
        if word == "while":
            test = self._terms(rest).whole_condition()
            return Repeat(number, self._inner(indent, depth), test=test)
        if word == "for":
            times = _RANGE.fullmatch(rest)
            if times is None:
                raise self._fault("expected a loop such as for n in range(3)")
            read = self._terms(times[1]).whole_sum()
            return Repeat(number, self._inner(indent, depth), times=read)
        if word != "if":
            raise self._fault('expected a call, "if", "while" or "for"')
        arms = [(self._terms(rest).whole_condition(), self._inner(indent, depth))]
        return ProgramChoice(number, (*arms, *self._other_arms(indent, depth)))

    def _other_arms(
        self, indent: int, depth: int
    ) -> Iterator[tuple[Condition | None, ProgramBlock]]:
        """Yield the arms "elif" and "else" that follow an "if" at the same indentation."""
        while self._at < len(self._lines) and self._lines[self._at][1] == indent:
            head = _HEAD.fullmatch(self._lines[self._at][2])
            if head is None or head[1] not in ("elif", "else"):
                return
            test = self._terms(head[2]).whole_condition() if head[1] == "elif" else None
            yield test, self._inner(indent, depth)
            if test is None:
                return

    def _inner(self, indent: int, depth: int) -> ProgramBlock:
        """Return the block after the present line."""
        self._at += 1
        if self._at >= len(self._lines) or self._lines[self._at][1] <= indent:
            self._at -= 1
            raise self._fault("expected an indented block after this line")
        return self._block(self._lines[self._at][1], depth + 1)

    def _call(self, number: int, said: str) -> ProgramCall:
        found = _CALL.fullmatch(said)
        if found is None or found[1].lower() not in ACTION_VERBS:
            raise self._fault('expected a call such as mine("log", 3)')
        item, pieces, aid = self._terms(found[2]).arguments()
        call = ProgramCall(number, said, found[1].lower(), item, pieces, aid)
        self.calls.append(call)
        return call

    def _terms(self, text: str) -> Terms:
        return Terms(text, f"line {self._lines[self._at][0]}")

    def _fault(self, expected: str) -> ProgramFault:
        number, _, said = self._lines[min(self._at, len(self._lines) - 1)]
        return ProgramFault(f"line {number}: {expected}, got {said[:60]!r}")


def _lines(text: str) -> Iterator[ProgramLine]:
    """Yield the lines of a text that are not empty, without comments; a tab counts as four blanks."""
    for number, line in enumerate(text.expandtabs(4).splitlines(), start=1):
        said = re.sub(r"#.*", "", line).rstrip()
        if said.strip():
            yield ProgramLine(number, len(said) - len(said.lstrip()), said.strip())
