"""Read the count in a task's words, in every usual form.

| form | examples |
| --- | --- |
| before the item | `3 logs`, `x3 logs`, `3x logs`, `three logs`, `a stack of logs`, `3 pieces of coal` |
| after the item | `logs x3`, `logs *3`, `logs: 3`, `logs - 3`, `logs 3`, `logs (3)`, `logs [quantity: 3]` |
| in a later clause | `logs until you have 3`, `logs, you need 3` |

A number with another meaning ("at y 11") is skipped. If a number may or may not be a count, or two counts
differ, the doubtful words are returned in place of a count.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from optimus_gym.game.items import items
from optimus_gym.game.rows import checked
from optimus_gym.prompts.words import kinds_of

MOST_TASK_WORDS: Final = 200
"""Maximum number of characters that are read of a task's text."""
MOST_HEAD: Final = 80
"""Maximum number of characters of the part of a task that holds the item's words and the count."""
COUNT_WORDS_FILE: Final = "counts.json"
STACK_WORDS: Final = ("stack", "stacks")
_DIGITS: Final = r"-?[0-9][0-9,]{0,9}(?:\.[0-9]{1,3})?\+?"
_UNIT: Final = r"(?:pieces?|pcs?|blocks?|units?|items?|lumps?|chunks?|times|total|each|counts?)"
_ABOUT: Final = (
    r"(?:at\s+least|at\s+most|exactly|about|around|approximately|approx\.?|roughly|up\s+to|another|"
    r"additional|some|a\s+total\s+of|total\s+of|an?\s+minimum\s+of|minimum\s+of|min\.?|~|>=|=|the|an?|all)"
)
_SAYS: Final = (
    r"(?:counts?|quantity|qty\.?|amounts?|numbers?|no\.|total|needed|need|required|requires|"
    r"you\s+need|you\s+have|have|need\s+at\s+least|at\s+least|min(?:imum)?|about|get|x)"
)
_TIMES: Final = "[x\u00d7*]"
_TAIL: Final = re.compile(
    r"\s+(?:with|using|given|at|from|in|on|by|for|to|near|until|so|because|which|that|as|when|if|via|"
    r"into|onto|out\s+of|inside|next|below|above|while|before|after|then)\s.*$|\s*[;.!?](?:\s.*)?$"
)
_AT_FIRST: Final = re.compile(r"^up to (?=[0-9])", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:an?|the|some|of|any|more|your|all)\s+", re.IGNORECASE)
_GROUP: Final = re.compile(r"[(\[{]([^()\[\]{}]{0,80})[)\]}]?")
_PLACE: Final = re.compile(
    r"\b(?:y|x|z|level|layer|depth|height|altitude|coordinates?|elevation|step|steps|tier|slot|table|radius|"
    rf"within|blocks?\s+away|minutes?|seconds?|ticks?)\b[\s=:~<>-]{{0,4}}(?:{_DIGITS})(?:\s*(?:-|to|and)\s*{_DIGITS})?"
    rf"|{_DIGITS}\s*(?:minutes?|seconds?|ticks?|blocks?\s+(?:away|deep|below|down)|hearts?|%|[x\u00d7]\s*{_DIGITS})",
    re.IGNORECASE,
)
"""Pattern for numbers that are no counts, because they give a place, a time or the size of a grid."""


class Named(NamedTuple):
    """An item's word, and its count: a number, or words that may or may not mean a count."""

    word: str
    many: int | str = 1


@lru_cache(1024)
def named(rest: str) -> Named:
    """Return item and count from the words after a task's verb.

    >>> named("4 oak planks with a saw"), named("oak_log (3)")
    (Named(word='oak planks', many=4), Named(word='oak_log', many=3))
    >>> named("planks from 3 logs").many, named("diamond at y 11").many, named("a few logs").many
    ('planks from 3 logs', 1, 'a few logs')
    """
    rest = task_words(rest)
    if kinds_of(rest[:80]):
        return Named(_ARTICLE.sub("", rest))
    enclosed = re.fullmatch(r"[({\[]([^()\[\]{}]*)[)}\]]", rest)
    rest = rest if enclosed is None else enclosed[1]
    groups = [found[1] for found in _GROUP.finditer(rest)]
    bare = _AT_FIRST.sub("", " ".join(_GROUP.sub(" ", rest).split()))
    tail = _TAIL.search(bare)
    head = (bare if tail is None else bare[: tail.start()])[:MOST_HEAD]
    head = re.sub(r"^[\s,:=]+|[\s,:=-]+$", "", head)
    word, count = _headed(head)
    if not word and groups:
        word = _word(groups.pop(0))
    asked = {count, *(_grouped(group, word) for group in groups)} - {None}
    numbers = {count for count in asked if isinstance(count, int)}
    if count is None and not numbers and tail is not None:
        asked |= {_behind(tail[0])} - {None}
    if len(numbers) == 1 and (count is None or count in numbers):
        return Named(word or rest, *numbers)
    if not asked or (count is None and not numbers and re.match(r"an?\s", bare)):
        return Named(word or rest)
    (*_, said) = asked
    return Named(word, said if len(asked) == 1 and isinstance(said, int) else rest)


def task_words(text: str) -> str:
    """Return a task's words without emphasis, quotes and odd blanks, and with digits as 0 to 9."""
    text = unicodedata.normalize("NFKC", text[:MOST_TASK_WORDS])
    text = re.sub(r"\*\*|__|[`\"\u201c\u201d]", "", text)
    text = re.sub(r"(?<=\s)\*(?=\w[^*]{0,60}\*)|(?<=\w)\*(?!\s{0,2}[0-9])|^\*", "", text)
    return " ".join(text.replace("'", "").split())


def number_in(text: str) -> int | str | None:
    """Return the number that words mean, the words themselves if vague, None if they are no count.

    >>> number_in("3"), number_in("two dozen"), number_in("1,000"), number_in("few"), number_in("oak")
    (3, 24, 1000, 'few', None)
    """
    text = text.strip().lower()
    if re.fullmatch(_DIGITS, text):
        digits = text.rstrip("+").replace(",", "")
        return int(digits) if digits.lstrip("-").isdecimal() else text
    parts = [part for part in re.split(r"[\s]+", text) if part not in ("a", "an", "of", "")]
    half = parts[:1] == ["half"]
    parts = [part for part in parts[half:] if part not in ("a", "an")]
    if not 1 <= len(parts) <= 2:
        return None
    known = _words()
    counts = [
        int(part) if part.isdecimal() and part.isascii() else known.get(part) for part in parts
    ]
    if any(count is None for count in counts):
        return text if all(part in known or part.isdecimal() for part in parts) else None
    tens, ones = counts[0] or 0, counts[-1] or 0
    if len(counts) == 2 and 20 <= tens < 100 and ones < 10:
        return tens + ones
    found = tens * ones if len(counts) == 2 else tens
    return found // 2 if half else found


@cache
def _words() -> Mapping[str, int | None]:
    text = files("optimus_gym.backbones.data").joinpath(COUNT_WORDS_FILE).read_text("utf-8")
    rows = checked(json.loads(text), COUNT_WORDS_FILE)
    return MappingProxyType({word: row["count"] for row in rows for word in row["words"]})


@cache
def _number() -> str:
    """Return a pattern for a number in digits or words."""
    either = "|".join(sorted(map(re.escape, _words()), key=len, reverse=True))
    return (
        rf"(?:(?:half\s+)?(?:an?\s+)?(?:(?:[0-9]{{1,3}}|{either})[\s-]+)?(?:{either})\b|{_DIGITS})"
        rf"(?:\s*(?:-|\u2013|to|or)\s*{_DIGITS})?"
    )


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Return two patterns with the groups count and word: a count before an item, a count after an item."""
    number = rf"(?P<count>{_number()})"
    about = rf"(?:{_ABOUT}\s*){{0,3}}"
    before = (
        rf"{about}{_TIMES}?\s*{number}\s*(?:{_TIMES}(?=\s|$))?\s*(?:or\s+more|more|extra|additional)?\s*"
        rf"(?:{_UNIT}\s+of\s+|of\s+)?(?P<word>[^\W\d].*)"
    )
    after = (
        rf"(?P<word>.*?[^\W\d]\W{{0,3}}?)(?:\s*[,:=\u2013\u2014-]+\s*|\s+|(?={_TIMES}))(?:{_SAYS}\s*[:=]?\s*)?"
        rf"(?:{_ABOUT}\s*)?{_TIMES}?\s*{number}\s*{_TIMES}?\s*{_UNIT}?"
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in (before, after))


def _headed(head: str) -> tuple[str, int | str | None]:
    """Return the item's word and the count next to it, from the first words of a task."""
    alone = number_in(head)
    if alone is not None:
        return "", alone
    for form in _forms():
        found = form.fullmatch(head)
        if found is None:
            continue
        word, count = _word(found["word"]), _counted(found["count"], found["word"])
        left = re.search(r"(?<![\w])[0-9]+(?![\w])", word)
        if left is not None and not kinds_of(word[:80]):
            return word, head
        return word, count
    word = _word(head)
    return word, head if re.search(r"(?<![\w.])[0-9]+(?!\w)", word) else None


def _counted(text: str, word: str) -> int | str:
    """Return the number in a count's words; "a stack" means as many pieces as the item stacks to."""
    count = number_in(text)
    if isinstance(count, int) and any(unit in text.lower().split() for unit in STACK_WORDS):
        kinds = kinds_of(_word(word)[:80])
        count = count * items()[kinds[0]].stack_size // 64 if kinds else count
    return text if count is None else count


def _word(word: str) -> str:
    """Return an item's word without an article, a unit ("pieces of") and punctuation around it."""
    word = word.strip(" ,:;.!?-=*'")
    while (less := _ARTICLE.sub("", word)) != word:
        word = less
    block = re.fullmatch(r"blocks? of (.+)", word, re.IGNORECASE)
    if block is not None:
        whole = f"{block[1]}_block"
        word = whole if kinds_of(whole[:80]) else block[1]
    if not kinds_of(word[:80]):
        shorter = re.sub(rf"\s+{_UNIT}$", "", word, flags=re.IGNORECASE)
        word = shorter if kinds_of(shorter[:80]) else word
    return word


def _without_places(text: str) -> str:
    """Return a text without its numbers of places, times and grids; "x 5" is a place only next to y or z."""
    if re.search(r"\b[yz]\b", text, re.IGNORECASE) is None:
        text = re.sub(r"\bx\b", "\u00d7", text, flags=re.IGNORECASE)
    return _PLACE.sub(" ", text)


def _grouped(group: str, word: str) -> int | str | None:
    """Return the count in the brackets of a plan's step, or the bracketed words if they may mean a count."""
    text = _without_places(group).strip(" .,:=")
    said = re.fullmatch(
        rf"(?:{_SAYS}\W{{0,3}}|{_ABOUT}\s*|{_TIMES}\s*){{0,3}}(?P<count>{_number()})\s*{_TIMES}?"
        rf"(?:\s*(?:{_UNIT}|needed|required|more|in\s+total|of\s+them)){{0,2}}(?P<word>[^0-9]*)",
        text,
        re.IGNORECASE,
    )
    same = said is not None and set(kinds_of(_word(said["word"])[:80])) & set(kinds_of(word[:80]))
    if said is not None and (same or not said["word"].strip()):
        count = number_in(said["count"])
        return group if count is None else count
    return group if re.search(r"(?<![\w.])[0-9]+(?!\w)", text) else None


def _behind(tail: str) -> int | str | None:
    """Return the count in the words after a task's item, these words if they may mean a count, or None."""
    text = _without_places(tail)
    said = re.search(
        rf"\b(?:{_SAYS}|gathered|collected|obtained|got|hold)\b\W{{0,3}}(?:{_ABOUT}\s*)?(?P<count>{_DIGITS})",
        text,
        re.IGNORECASE,
    )
    if said is not None:
        return number_in(said["count"])
    numbers = set(re.findall(r"(?<![\w.])[0-9]+(?!\w)", text)) - {"1"}
    return tail.strip() if numbers else None
