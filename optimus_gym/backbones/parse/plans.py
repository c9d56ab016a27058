"""Read sub-goals from any model's text; unreadable text becomes a problem in words, never an exception.

The formats are tried in this order, and the first format that gives a sub-goal counts:

1. objects and lists (`entries`): MP5's workflows, DEPS's parsed goals, JARVIS-1's goals, Optimus-1's steps;
2. calls (`calls`), as DEPS and JARVIS-1 write them;
3. parsed goals as lines (`records`);
4. tables (`tables`);
5. lines with numbers, bullets or words of order (`lines`).

Thoughts are removed first (`thoughts`), and a part that is marked as the answer is read before the rest.
"""

from collections.abc import Collection
from typing import Final

from optimus_gym.backbones.parse import calls, entries, lines, records, tables
from optimus_gym.backbones.parse.complaints import in_english, together
from optimus_gym.backbones.parse.deeds import Found, subgoals_of
from optimus_gym.backbones.parse.thoughts import answer_of

MOST_TEXT: Final = 100_000
"""Most characters of a text that is read."""
NO_PLAN: Final = "expected a JSON object of steps or numbered lines, got neither"
READERS: Final = (entries.read, calls.read, records.read, tables.read, lines.read)


def parse(text: str, near: Collection[str] = ()) -> Found:
    """Return the sub-goals in a text, and its problems.

    Args:
        text: a model's text in any of the formats, also with fences, surrounding prose and slips.
        near: stations in reach before the plan begins; steps that name them get no "place".

    Returns:
        At most `deeds.MOST_STEPS` sub-goals, and at most 20 problems of at most 200 characters each. A text
        of more than 100,000 characters is not read and gives a problem; so does a thought without an answer.
    """
    if len(text) > MOST_TEXT:
        return Found((), (f"expected at most {MOST_TEXT} characters, got {len(text)}",))
    answer = answer_of(text)
    problems: tuple[str, ...] = (answer.fault,) if answer.fault else ()
    for part in answer.parts:
        for read in READERS:
            found = subgoals_of(read(part), near)
            if found.subgoals:
                return found._replace(
                    problems=together((*in_english(part, found.problems), *found.problems))
                )
            problems = problems or found.problems
    problems = problems or (NO_PLAN,)
    told = in_english(answer.parts[-1], problems) if answer.parts else ()
    return Found((), together((*told, *problems)))
