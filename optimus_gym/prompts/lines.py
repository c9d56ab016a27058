"""Writes facts into a prompt as labelled lines of text, and reads the same facts from such lines.

In the prompts of all agents, a line with a fact begins with the fact's label, which `FACTS` lists. The
fact's text follows the label in the same line, or, for a block, in the lines below, up to an empty line.

| fact | value | as text |
| --- | --- | --- |
| `verbs` | names | `mine, craft` |
| `goal`, `failed_step`, `act` | verb, item, count | `craft 1 stone_pickaxe` |
| `inventory` | pieces by item | `2 birch_log, 1 stick` |
| `equipped` | item or None | `stick` |
| `stations` | names | `crafting_table` |
| `came`, `used`, `gained` | pieces by item | `2 iron_ore` |
| `screen`, `before`, `now` | what a screen shows, by name | `health 20 of 20; food 17 of 20` |
| `steps` | rows: verb, item, count, tool, station, uses, holds, creature, place | `1. craft 5 planks` |
| `experiences` | rows: outcome, goal, environment, plan, end | `- success at "...", begun in forest: ...` |
| `replans` | rows: outcome, failed, why, plan, reached | `- success after "..." (stuck), 2 of 2 ...` |
| `cases` | rows: situation, differs, environment, predicament | `- done, differs by 1.2 %, in forest` |
| `predicaments`, `vain`, `aspects` | names | `in_water, hurt` |
| `seconds`, `still`, `left` | number | `10` |
| `biome`, `unknown`, `failed`, `failure`, `subgoal`, `usual`, `takes`, `pictures` | words | as they are |
| `answer`, `explanation`, `task`, `question` | words | as they are |
| `past_plan` | rows: verb, item, count | `1. mine 3 log` |
| `turns` | rows: number, what it is, words | `1. action: mine 3 log` |
| `reached` | numbers of steps | `1, 2` |
| `changed_before`, `changed_last` | words | `1.2 %` |
| `changed_second` | words | `1.2 %, of its middle 0 %` |
| `ways` | calls (`prompts.code_plans`) | `craft(obj={"stick": 4}, materials={"planks": 2}, tool=None)` |
| `action` | a call | `mine(obj={"coal": 1}, tool=None)` |
| `references` | rows: goal, environment, inventory, plan (calls) | `- "...", begun in forest with nothing:` |
| `fuel` | pieces that one piece of fuel smelts, by fuel | `8 coal, 1 planks` |
| `sees` | sentences | `a sheep in the plains; water` |
| `depth`, `height`, `batch` | number | `3` |
| `done`, `lost` | tasks by item | `2 wooden_pickaxe, 1 stick` |
| `pool` | rows: verb, item, needs | `- craft stick: planks` |
| `options` | rows: text, when | `1. dig down and mine stone (else)` |
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from optimus_gym.prompts.code_plans import (
    call_in,
    calls_in,
    references_in,
    told_calls,
    told_references,
)
from optimus_gym.prompts.memories import (
    NOTHING as NOTHING,
)
from optimus_gym.prompts.memories import (
    experiences_in,
    replans_in,
    told_experiences,
    told_replans,
)

UNKNOWN: Final = "not known"
"""Text in place of a biome or a time that is not known."""
ANSWERED: Final = "Your answer was:"
"""Line of a prompt that asks for a correction; the question's facts all come before this line."""
UNUSABLE: Final = "It cannot be used:"
"""Line of a prompt that asks for a correction; the faults of the answer follow, one a line."""
_STEP = re.compile(r"\d+\. (\w+) (\d+) (\S+)(?: \((.*)\))?")
_TURN = re.compile(r"(\d+)\. (\w+): (.*)")
_PAST_STEP = re.compile(r"\d+\. \w+ \d+ \S")
_NOTES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "uses": re.compile(r"uses (.+)"),
        "station": re.compile(r"at (.+)"),
        "tool": re.compile(r"with (.+) or better"),
        "holds": re.compile(r"holding (.+)"),
        "creature": re.compile(r"from (.+)"),
        "place": re.compile(r"in (.+)"),
    }
)
_OPTION = re.compile(r"\d+\. (.*) \(([^()]*)\)")
_TASK = re.compile(r"- (\w+) (\w+): (.+)")
_CASE = re.compile(r"- (\w+), differs by ([\d.]+) %, in ([^,]*)(?:, predicament (.*))?")


class Fact(NamedTuple):
    """The form of one fact in a prompt.

    Attributes:
        label: the text at the beginning of the fact's line.
        write: returns the text for the fact's value.
        read: returns the value from the fact's text; raises ValueError if the text cannot be read.
        block: whether the text fills the lines below the label, instead of the rest of the label's line.
    """

    label: str
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    block: bool = False


def lines_of(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each fact, by the fact's name, to fill the places of a prompt."""
    return {name: FACTS[name].write(value) for name, value in facts.items()}


def told_facts(facts: Mapping[str, Any]) -> str:
    """Return the labelled lines of some facts, as one text for a prompt; blocks stand between empty lines."""
    parts = []
    for name, value in facts.items():
        fact = FACTS[name]
        told = fact.write(value)
        parts.append(f"\n{fact.label}:\n{told}\n" if fact.block else f"{fact.label}{told}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")


def facts_in(text: str) -> dict[str, Any] | None:
    """Return the facts in a prompt's text, by name; None if a fact cannot be read.

    If two lines begin with the same label, the first line counts. A prompt that asks for a correction repeats
    the question, and the facts are those of the question.
    """
    lines = text.split("\n")
    told = lines[: lines.index(ANSWERED)] if ANSWERED in lines else lines
    found: dict[str, Any] = {}
    try:
        for number, line in enumerate(told):
            for name, fact in FACTS.items():
                if name not in found and line.startswith(fact.label):
                    found[name] = fact.read(_value(fact, told, number))
    except ValueError:
        return None
    return found


def named_faults(text: str) -> tuple[str, ...]:
    """Return the faults in a prompt that asks for a correction; empty for any other prompt."""
    lines = text.split("\n")
    if UNUSABLE not in lines:
        return ()
    below = lines[len(lines) - lines[::-1].index(UNUSABLE) :]
    return tuple(below[: below.index("")] if "" in below else below)


def _value(fact: Fact, lines: Sequence[str], number: int) -> str:
    """Return the text of a fact, given the index (`number`) of the line that begins with the fact's label."""
    if not fact.block:
        return lines[number].removeprefix(fact.label)
    below = lines[number + 1 :]
    return "\n".join(below[: below.index("")] if "" in below else below)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or NOTHING


def _names(text: str) -> tuple[str, ...]:
    return () if text == NOTHING else tuple(text.split(", "))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or NOTHING


def _counts(text: str) -> dict[str, int]:
    pairs = (part.split(" ", 1) for part in _names(text))
    return {name: int(count) for count, name in pairs}


def _told_goal(goal: tuple[str, str, int]) -> str:
    verb, item, count = goal
    return f"{verb} {count} {item}"


def _goal(text: str) -> tuple[str, str, int]:
    verb, count, item = text.split(" ", 2)
    return verb, item, int(count)


def _told_steps(rows: Sequence[Mapping[str, Any]]) -> str:
    numbered = enumerate(rows, start=1)
    return "\n".join(_told_step(n, row) for n, row in numbered) or NOTHING


def _told_step(number: int, row: Mapping[str, Any]) -> str:
    notes = []
    if row["uses"]:
        notes.append("uses " + _counted(row["uses"]))
    if row["station"] is not None:
        notes.append(f"at {row['station']}")
    if row["tool"] is not None:
        notes.append(f"with {row['tool']} or better")
    if row["holds"]:
        notes.append("holding " + _listed(row["holds"]))
    if row["creature"] is not None:
        notes.append(f"from {row['creature']}")
    if row["place"] is not None:
        notes.append(f"in {row['place']}")
    note = f" ({'; '.join(notes)})" if notes else ""
    return f"{number}. {row['verb']} {row['count']} {row['item']}{note}"


def _steps(text: str) -> tuple[dict[str, Any], ...]:
    return () if text == NOTHING else tuple(_step(line) for line in text.splitlines())


def _step(line: str) -> dict[str, Any]:
    """Return the step in a numbered line, as a dict with the keys "verb", "count", "item", "tool" and so on.

    >>> _step("2. mine 3 cobblestone (with wooden_pickaxe or better)")["tool"]
    'wooden_pickaxe'
    """
    found = _STEP.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of steps, got {line!r}")
    verb, count, item, notes = found.groups()
    told: dict[str, str] = {}
    for note in (notes or "").split("; ") if notes else ():
        for name, pattern in _NOTES.items():
            if (match := pattern.fullmatch(note)) is not None and name not in told:
                told[name] = match[1]
                break
    return {
        "verb": verb,
        "item": item,
        "count": int(count),
        "tool": told.get("tool"),
        "station": told.get("station"),
        "uses": _counts(told.get("uses", NOTHING)),
        "holds": _names(told.get("holds", NOTHING)),
        "creature": told.get("creature"),
        "place": told.get("place"),
    }


def _told_sentences(sentences: Sequence[str]) -> str:
    return "; ".join(sentences) or NOTHING


def _sentences(text: str) -> tuple[str, ...]:
    return () if text == NOTHING else tuple(text.split("; "))


def _told_options(rows: Sequence[Mapping[str, str]]) -> str:
    options = enumerate(rows, start=1)
    return "\n".join(f"{n}. {row['text']} ({row['when']})" for n, row in options) or NOTHING


def _options(text: str) -> tuple[dict[str, str], ...]:
    found = [_OPTION.fullmatch(line) for line in text.splitlines()] if text != NOTHING else []
    if any(one is None for one in found):
        raise ValueError(f"expected lines of options, got {text!r}")
    return tuple({"text": one[1], "when": one[2]} for one in found if one is not None)


def _told_pool(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = (f"- {row['verb']} {row['item']}: {_listed(row['needs'])}" for row in rows)
    return "\n".join(lines) or NOTHING


def _pool(text: str) -> tuple[dict[str, Any], ...]:
    found = [_TASK.fullmatch(line) for line in text.splitlines()] if text != NOTHING else []
    if any(one is None for one in found):
        raise ValueError(f"expected lines of tasks, got {text!r}")
    rows = (one.groups() for one in found if one is not None)
    return tuple({"verb": v, "item": item, "needs": _names(needs)} for v, item, needs in rows)


def _told_turns(rows: Sequence[tuple[int, str, str]]) -> str:
    return "\n".join(f"{n}. {what}: {words}" for n, what, words in rows) or NOTHING


def _turns(text: str) -> tuple[tuple[int, str, str], ...]:
    lines = () if text == NOTHING else text.splitlines()
    found = (_TURN.fullmatch(line) for line in lines)
    return tuple((int(one[1]), one[2], one[3]) for one in found if one is not None)


def _told_past(steps: Sequence[tuple[str, str, int]]) -> str:
    numbered = enumerate(steps, start=1)
    return "\n".join(f"{n}. {_told_goal(step)}" for n, step in numbered) or NOTHING


def _past(text: str) -> tuple[tuple[str, str, int], ...]:
    lines = () if text == NOTHING else text.splitlines()
    return tuple(_goal(line.split(". ", 1)[1]) for line in lines if _PAST_STEP.match(line))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in _names(text))


def _told_screen(words: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {what}" for name, what in words.items()) or NOTHING


def _screen(text: str) -> dict[str, str]:
    pairs = (part.partition(" ") for part in text.split("; ")) if text != NOTHING else ()
    return {name: what for name, _, what in pairs}


def _told_cases(rows: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(_told_case(row) for row in rows) or NOTHING


def _told_case(row: Mapping[str, str]) -> str:
    end = f", predicament {row['predicament']}" if row["predicament"] else ""
    return f"- {row['situation']}, differs by {row['differs']} %, in {row['environment']}{end}"


def _cases(text: str) -> tuple[dict[str, str], ...]:
    return () if text == NOTHING else tuple(_case(line) for line in text.splitlines())


def _case(line: str) -> dict[str, str]:
    found = _CASE.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of cases, got {line!r}")
    situation, differs, environment, predicament = found.groups()
    return {
        "situation": situation,
        "differs": differs,
        "environment": environment,
        "predicament": predicament or "",
    }


FACTS: Mapping[str, Fact] = MappingProxyType(
    {
        "goal": Fact("Goal: ", _told_goal, _goal),
        "inventory": Fact("The agent holds: ", _counted, _counts),
        "equipped": Fact(
            "In its hand: ",
            lambda item: item or NOTHING,
            lambda text: None if text == NOTHING else text,
        ),
        "stations": Fact("In reach: ", _listed, _names),
        "screen": Fact("On its screen: ", _told_screen, _screen),
        "biome": Fact("Biome here: "),
        "left": Fact("Seconds left: ", str, int),
        "vain": Fact("It cannot recover now from: ", _listed, _names),
        "verbs": Fact("Verbs: ", _listed, _names),
        "failed": Fact("The sub-goal that failed: "),
        "failed_step": Fact("The step that failed: ", _told_goal, _goal),
        "failure": Fact("Why: "),
        "steps": Fact("What the knowledge graph says is still needed", _told_steps, _steps, True),
        "takes": Fact("Seconds that these steps take by the knowledge graph: "),
        "unknown": Fact("What the knowledge graph does not know: "),
        "experiences": Fact(
            "What came of tasks that are like it", told_experiences, experiences_in, True
        ),
        "replans": Fact(
            "What was planned after setbacks that are like it", told_replans, replans_in, True
        ),
        "answer": Fact("Form of the answer: "),
        "past_plan": Fact("The last plan, step by step", _told_past, _past, True),
        "reached": Fact(
            "Steps of it that were reached: ",
            lambda steps: _listed([str(n) for n in steps]),
            _numbers,
        ),
        "explanation": Fact("Explanation: "),
        "turns": Fact("What has happened so far", _told_turns, _turns, True),
        "subgoal": Fact("Sub-goal: "),
        "seconds": Fact("Seconds since it began: ", str, int),
        "predicaments": Fact("Predicaments: ", _listed, _names),
        "cases": Fact("What such screens have meant in the past", _told_cases, _cases, True),
        "before": Fact("The screen before: ", _told_screen, _screen),
        "now": Fact("The screen now: ", _told_screen, _screen),
        "usual": Fact("Seconds that it usually takes: "),
        "came": Fact("Came to the hotbar since the last look: ", _counted, _counts),
        "used": Fact("Left the hotbar since before: ", _counted, _counts),
        "changed_before": Fact("Change of the picture since before: "),
        "changed_last": Fact("Change of the picture since the last look: "),
        "changed_second": Fact("Change of the picture within the last second: "),
        "still": Fact("Seconds without a change of the picture: ", str, int),
        "pictures": Fact("Pictures: "),
        "ways": Fact(
            "Ways to get things, each with the pieces of one batch", told_calls, calls_in, True
        ),
        "fuel": Fact("One piece of fuel smelts: ", _counted, _counts),
        "references": Fact("Plans that worked", told_references, references_in, True),
        "sees": Fact("It sees: ", _told_sentences, _sentences),
        "action": Fact("The action that failed: ", str, call_in),
        "depth": Fact("Steps back at most: ", str, int),
        "height": Fact("Height: ", str, int),
        "done": Fact("Reached so far: ", _counted, _counts),
        "lost": Fact("Tried in vain: ", _counted, _counts),
        "batch": Fact("Number of tasks to choose: ", str, int),
        "pool": Fact("Tasks to choose from", _told_pool, _pool, True),
        "options": Fact("Texts, each with", _told_options, _options, True),
        "task": Fact("Task: "),
        "act": Fact("The action: ", _told_goal, _goal),
        "gained": Fact("Gained since it began: ", _counted, _counts),
        "aspects": Fact("Aspects: ", _listed, _names),
        "question": Fact("The question: "),
    }
)
"""All facts by name. Their order in a prompt does not matter; no label is the beginning of another label."""
