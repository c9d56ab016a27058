"""Read a reflector's reply: three lines, or an object, with environment, situation and predicament.

    reply = { field | anything else }    field = key (":" | "=") value    value = words of a line

Thoughts are removed first (`thoughts`): a verdict within thoughts does not count.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.plans import MOST_TEXT
from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.core.deliberation import Judgement

JUDGEMENT_WORDS: Final[Mapping[str, Judgement]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("complete", "completed", "done", "success", "successful", "succeeded", "finished"),
            "COMPLETE",
        ),
        **dict.fromkeys(("continue", "continues", "continuing", "ongoing", "proceed"), "CONTINUE"),
        **dict.fromkeys(("replan", "replanning", "fail", "failed", "failure"), "REPLAN"),
    }
)
"""Words that models write for a situation, each with the judgement that it means."""
NO_PREDICAMENT: Final = frozenset(
    ("", "none", "null", "nothing", "no", "n/a", "na", "no_predicament")
)
"""Words that a model may write in place of a predicament if there is none."""
VERDICT_FIELDS: Final = ("environment", "situation", "predicament")
"""Keys of the three fields in a reflector's reply."""
MOST_VERDICT_VALUE: Final = 80
"""Maximum number of characters that are read of a field's value."""
_FIELD: Final = re.compile(
    rf"(?<![a-z_])({'|'.join(VERDICT_FIELDS)})[\"'*_`\t ]{{0,8}}[:=]", re.IGNORECASE
)
_AROUND: Final = " \t\r\"'`*_,.;:!{}[]()<>|-"
_EXPLAINED: Final = re.compile(r"[(.;:!?\u2013\u2014]| - | (?:because|since|as|so)\b")
"""Pattern for the boundary between a field's value and the explanation after it."""
_OR: Final = re.compile(r"[,/|]|\b(?:or|and)\b")
"""Pattern for separators of alternatives in a field's value; a comma may also begin an explanation."""
NOT: Final = frozenset(("not", "no", "never", "isn't", "hasn't", "cannot", "can't"))
"""Words that negate a situation ("not done"); a negated situation gives no judgement."""


@dataclass(frozen=True, slots=True)
class VerdictRead:
    """The content of a reflector's reply.

    Attributes:
        judgement: the reply's judgement of the sub-goal; None if it has none, or several.
        predicament: the known predicament in the reply, or "".
        environment: the reply's word for the player's biome, a cave, water or the night, in lower case; "" if
            the reply has none.
        problems: faults of the reply, in words.
    """

    judgement: Judgement | None
    predicament: str = ""
    environment: str = ""
    problems: tuple[str, ...] = ()


def verdict_in(text: str, known: Collection[str]) -> VerdictRead:
    """Return the verdict in a reflector's reply.

    Upper and lower case, Markdown, quotes and an explanation after a value do not matter. A field may come
    more than once if all its values agree.

    Args:
        text: a model's text; any text can be read.
        known: all predicaments, in lower case with underscores.
    """
    if len(text) > MOST_TEXT:
        said = f"expected at most {MOST_TEXT} characters, got {len(text)}"
        return VerdictRead(None, problems=(said,))
    answer = answer_of(text, VERDICT_FIELDS)
    if answer.fault:
        return VerdictRead(None, problems=(answer.fault,))
    read = [list(_fields(part)) for part in answer.parts]
    judged = (fields for fields in read if any(name == "situation" for name, _ in fields))
    fields = next(judged, read[-1])
    judgement, unjudged = _judgement([value for name, value in fields if name == "situation"])
    predicament, unknown = _predicament(
        [value for name, value in fields if name == "predicament"], known
    )
    places = [_clause(value) for name, value in fields if name == "environment"]
    return VerdictRead(
        judgement,
        predicament,
        next((place for place in places if place), ""),
        (*unjudged, *unknown),
    )


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of a reply and their values in lower case.

    A field's value ends with its line or before the next key; the value may stand on the line below its key.
    """
    found = list(_FIELD.finditer(text))
    for number, key in enumerate(found):
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        here, _, below = text[key.end() : after].partition("\n")
        value = here.strip(_AROUND) or below.partition("\n")[0].strip(_AROUND)
        yield key[1].lower(), value[:MOST_VERDICT_VALUE].lower()


def _clause(value: str) -> str:
    """Return a field's value without the explanation after it.

    >>> _clause("replan (it is stuck)"), _clause("done, as it holds 3")
    ('replan', 'done')
    """
    return " ".join(_EXPLAINED.split(value, maxsplit=1)[0].strip(_AROUND).split())


def _alternatives(value: str, words: Collection[str]) -> list[str]:
    """Return the first alternative in a field's value, and the other alternatives that are in `words`.

    >>> _alternatives("continue, it is not done yet", JUDGEMENT_WORDS)
    ['continue']
    >>> _alternatives("done/replan", JUDGEMENT_WORDS)
    ['done', 'replan']
    """
    first, *others = (_plain(part) for part in _OR.split(_clause(value)))
    return [first, *(part for part in others if part in words)]


def _plain(part: str) -> str:
    return re.sub(r"[\s\-]+", "_", part.strip(_AROUND))


def _judgement(values: Sequence[str]) -> tuple[Judgement | None, tuple[str, ...]]:
    """Return the judgement that all values of "situation" share, or None and the problems."""
    if not values:
        return None, ("expected a line 'Situation: done', 'continue' or 'replan', got none",)
    parts = [part.split("_") for value in values for part in _alternatives(value, JUDGEMENT_WORDS)]
    words = [w for part in parts if not NOT & set(part) for w in part if w in JUDGEMENT_WORDS]
    meant = list(dict.fromkeys(JUDGEMENT_WORDS[word] for word in words))
    if len(meant) == 1:
        return meant[0], ()
    got = " and ".join(repr(word) for word in dict.fromkeys(words)) or repr(values[0])
    return None, (f"expected the situation done, continue or replan, got {got[:100]}",)


def _predicament(values: Sequence[str], known: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return the known predicament that all values of "predicament" share ("" for none), and the problems."""
    said = [value for value in values if _plain(_clause(value)) not in NO_PREDICAMENT]
    names = list(dict.fromkeys(name for value in said for name in _alternatives(value, known)))
    if not names:
        return "", ()
    if len(names) == 1 and names[0] in known:
        return names[0], ()
    got = " and ".join(repr(name) for name in names)
    return "", (f"expected one predicament of {', '.join(sorted(known))[:90]}, got {got[:60]}",)
