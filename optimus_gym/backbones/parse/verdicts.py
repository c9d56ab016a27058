"""Reads a reflector's reply: three lines, or an object, that name environment, situation and predicament.

    reply = { field | anything else }    field = key (":" | "=") value    value = words of a line

Thoughts are cut out first (`thoughts`): a verdict within them is none.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.plans import MOST_TEXT
from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.core.deliberation import Judgement

JUDGEMENTS: Final[Mapping[str, Judgement]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("complete", "completed", "done", "success", "successful", "succeeded", "finished"),
            "COMPLETE",
        ),
        **dict.fromkeys(("continue", "continues", "continuing", "ongoing", "proceed"), "CONTINUE"),
        **dict.fromkeys(("replan", "replanning", "fail", "failed", "failure"), "REPLAN"),
    }
)
"""Words for a situation, and the judgement that each means."""
NONE: Final = frozenset(("", "none", "null", "nothing", "no", "n/a", "na", "no_predicament"))
"""Words for no predicament."""
FIELDS: Final = ("environment", "situation", "predicament")
"""Keys of a reply."""
MOST_WORDS: Final = 80
"""Characters of a value that are looked at."""
_FIELD: Final = re.compile(rf"(?<![a-z_])({'|'.join(FIELDS)})[\"'*_`\t ]{{0,8}}[:=]", re.IGNORECASE)
_AROUND: Final = " \t\r\"'`*_,.;:!{}[]()<>|-"
_EXPLAINED: Final = re.compile(r"[(.;:!?\u2013\u2014]| - | (?:because|since|as|so)\b")
"""Where a value ends and its explanation begins."""
_OR: Final = re.compile(r"[,/|]|\b(?:or|and)\b")
"""What stands between alternatives; a comma may begin an explanation as well."""
NOT: Final = frozenset(("not", "no", "never", "isn't", "hasn't", "cannot", "can't"))
"""Words that turn a situation into its opposite, which is no situation."""


@dataclass(frozen=True, slots=True)
class VerdictRead:
    """What a reply says.

    Attributes:
        judgement: its word on the sub-goal; None where it has none, or more than one.
        predicament: what is wrong, one of the known ones, or "".
        environment: where the agent is, in small letters; "" where it does not say.
        problems: in words, what could not be read.
    """

    judgement: Judgement | None
    predicament: str = ""
    environment: str = ""
    problems: tuple[str, ...] = ()


def verdict_in(text: str, known: Collection[str]) -> VerdictRead:
    """Return the verdict that a reply holds.

    Case, markdown, quotes and an explanation after a value do not matter. A field may be there more than once
    if it always says the same.

    Args:
        text: what a model wrote; any text can be read.
        known: the predicaments that there are, in small letters with underscores.
    """
    if len(text) > MOST_TEXT:
        said = f"expected at most {MOST_TEXT} characters, got {len(text)}"
        return VerdictRead(None, problems=(said,))
    answer = answer_of(text, FIELDS)
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
    """Yield the keys of a reply and their values in small letters.

    A value ends with its line or where the next key begins; it may stand on the line below its key.
    """
    found = list(_FIELD.finditer(text))
    for number, key in enumerate(found):
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        here, _, below = text[key.end() : after].partition("\n")
        value = here.strip(_AROUND) or below.partition("\n")[0].strip(_AROUND)
        yield key[1].lower(), value[:MOST_WORDS].lower()


def _clause(value: str) -> str:
    """Return a value without its explanation.

    >>> _clause("replan (it is stuck)"), _clause("done, as it holds 3")
    ('replan', 'done')
    """
    return " ".join(_EXPLAINED.split(value, maxsplit=1)[0].strip(_AROUND).split())


def _alternatives(value: str, words: Collection[str]) -> list[str]:
    """Return the first part of a value, and of the others those that are one of some words.

    >>> _alternatives("continue, it is not done yet", JUDGEMENTS), _alternatives("done/replan", JUDGEMENTS)
    (['continue'], ['done', 'replan'])
    """
    first, *others = (_plain(part) for part in _OR.split(_clause(value)))
    return [first, *(part for part in others if part in words)]


def _plain(part: str) -> str:
    return re.sub(r"[\s\-]+", "_", part.strip(_AROUND))


def _judgement(values: Sequence[str]) -> tuple[Judgement | None, tuple[str, ...]]:
    """Return the judgement that the values of "situation" agree on, or what is wrong with them."""
    if not values:
        return None, ("expected a line 'Situation: done', 'continue' or 'replan', got none",)
    parts = [part.split("_") for value in values for part in _alternatives(value, JUDGEMENTS)]
    words = [word for part in parts if not NOT & set(part) for word in part if word in JUDGEMENTS]
    meant = list(dict.fromkeys(JUDGEMENTS[word] for word in words))
    if len(meant) == 1:
        return meant[0], ()
    got = " and ".join(repr(word) for word in dict.fromkeys(words)) or repr(values[0])
    return None, (f"expected the situation done, continue or replan, got {got[:100]}",)


def _predicament(values: Sequence[str], known: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return the known predicament that the values agree on, or what is wrong with them."""
    said = [value for value in values if _plain(_clause(value)) not in NONE]
    names = list(dict.fromkeys(name for value in said for name in _alternatives(value, known)))
    if not names:
        return "", ()
    if len(names) == 1 and names[0] in known:
        return names[0], ()
    got = " and ".join(repr(name) for name in names)
    return "", (f"expected one predicament of {', '.join(sorted(known))[:90]}, got {got[:60]}",)
