"""Remove a model's thoughts from its reply, and find the part with the answer.

The file `backbones/data/thoughts.json` lists the words of marks and labels. A model marks a thought or an
answer in one of three forms:

| form | example |
| --- | --- |
| mark | `<think> ... </think>`, `[THINK] ... [/THINK]`, `<|begin_of_thought|> ... <|end_of_thought|>` |
| channel | `<|channel|>analysis<|message|> ... <|end|>`; only the channel "final" is an answer |
| label | a line `Thought: ...`, or a heading `## Thinking process` up to a heading of an answer |

A closing mark without an opening mark ends a thought that began with the reply: some servers put the opening
mark into the prompt. A thought without an end fills the rest of the reply; such a reply has no answer.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from optimus_gym.game.rows import checked

UNENDED: Final = (
    "expected an answer after the thoughts, got thoughts without an end; think less, then answer"
)
NO_ANSWER: Final = "expected an answer after the thoughts, got nothing behind them"
THOUGHT_WORDS_FILE: Final = "thoughts.json"
LABEL_KINDS: Final = ("last", "draft", "label", "answer")
"""Kinds of labels that begin a thought or an answer, as `backbones/data/thoughts.json` names them."""
MOST_BOXED: Final = 20_000
"""Maximum number of characters of a `\\boxed{...}` that are read."""
MOST_ANSWER_PARTS: Final = 3
"""Maximum number of answers in the same form that are read: the last answers in the reply."""
_CHANNEL: Final = re.compile(
    r"(?:<\|start\|>\w{0,20})?<\|channel\|?>\s{0,3}(\w{1,20})[^<\n]{0,80}"
    r"(?:<\|constrain\|>[^<\n]{0,40})?(?:<\|message\|>|\n)?",
    re.IGNORECASE,
)
_CHANNEL_END: Final = re.compile(r"<\|(?:end|return|call)\|>|<channel\|>", re.IGNORECASE)
_BARE_CHANNELS: Final = re.compile(r"\s*analysis(?=[A-Z\n])")
_BARE_FINAL: Final = "assistantfinal"
"""Text that remains of the marks of the channel "final" if a tokenizer drops special tokens."""
_CLOSED: Final = re.compile(r"\[/(\w{1,40})\]")
_BOXED: Final = re.compile(r"\\boxed\s{0,3}\{")
_AROUND: Final = r"[\s>#*_`\-]{0,12}"
_LEAD: Final = r"(?:(?:here\s+(?:is|are)|here's|this\s+is|my|the|our|so|now|okay|ok)[\s,]+){0,4}"
_TAIL: Final = r"[*_`\s]{0,6}"
_ENDS_LABEL: Final = re.compile(r"[ \t]{0,3}(?:[{\[#]|```|~~~)")
"""Pattern for lines without a label that end a section of thoughts: an object, a fence or a heading."""


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """A reply without its thoughts.

    Attributes:
        parts: texts that may hold the answer, the most likely first; empty if there is a fault.
        fault: the reason why the reply holds no answer, in words; "" if it may hold an answer.
    """

    parts: tuple[str, ...]
    fault: str = ""


def answer_of(text: str, fields: Iterable[str] = ()) -> AnswerParts:
    """Return a reply without its thoughts.

    Args:
        text: a model's text.
        fields: words that begin a line of an answer, such as "situation".

    >>> answer_of("<think>1. mine 9 dirt</think>1. mine 1 log").parts[0]
    '1. mine 1 log'
    >>> answer_of("<think>1. mine 9 dirt").fault[:41]
    'expected an answer after the thoughts, go'
    """
    said, ended = _without_marked(_in_channel(text))
    if not ended:
        return AnswerParts((), UNENDED)
    left, ended = _without_labelled(said, _labels(tuple(fields)))
    if not left.strip():
        fault = "" if not text.strip() else NO_ANSWER if ended else UNENDED
        return AnswerParts(("",) if not fault else (), fault)
    parts = (*_tagged(left), *_boxed(left), *_last(left), left)
    return AnswerParts(tuple(dict.fromkeys(part for part in parts if part.strip())))


def opens_thought(text: str) -> str:
    """Return the mark at a prompt's end that opens a thought, "" if there is none.

    >>> opens_thought("What now?<|assistant|><think>"), opens_thought("<think></think>")
    ('<think>', '')
    """
    end = text[-200:].rstrip()
    last = next((mark for mark in _marks().finditer(end) if mark.end() == len(end)), None)
    return last[0] if last is not None and not last["end"] and not last["ends"] else ""


def is_mark(text: str) -> bool:
    """Return whether a token is a mark of a thought, of an answer or of a channel."""
    token = text.strip()
    return any(
        form.fullmatch(token) is not None
        for form in (_marks(), _answer_marks(), re.compile(r"<\|(?:channel|message|constrain)\|>"))
    )


@cache
def marked_words(kind: str) -> tuple[str, ...]:
    """Return words for thoughts or answers, by their kind: "mark", "label", "draft", "answer" or "last"."""
    text = files("optimus_gym.backbones.data").joinpath(THOUGHT_WORDS_FILE).read_text("utf-8")
    return tuple(
        row["name"] for row in checked(json.loads(text), THOUGHT_WORDS_FILE) if row["kind"] == kind
    )


def _either(names: Iterable[str]) -> str:
    longest = sorted(names, key=len, reverse=True)
    return "|".join(re.sub(r"\\?[ _-]", r"[\\s_-]?", re.escape(name)) for name in longest)


def _mark_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for an opening or closing mark, in any brackets that models use."""
    return re.compile(
        r"(?P<bracket>[<\[\u25c1\uff1c])[|\uff5c]?\s{0,3}"
        r"(?P<end>/|\\/|end_of_|end_|close_)?(?:(?:begin|start)(?:_of)?_)?(?:[a-z0-9]{1,12}[:_])?"
        rf"(?P<name>{_either(names)})(?P<ends>_end)?(?:_start|_begin)?"
        r"(?:\s[^<>\[\]\n]{0,100})?\s{0,3}[|\uff5c]?[>\]\u25b7\uff1e]:?",
        re.IGNORECASE,
    )


@cache
def _marks() -> re.Pattern[str]:
    return _mark_of(marked_words("mark"))


@cache
def _answer_marks() -> re.Pattern[str]:
    last = (
        f"{word} {name}" for word in marked_words("last") for name in ("answer", "plan", "response")
    )
    return _mark_of((*marked_words("answer"), *last))


def _in_channel(text: str) -> str:
    """Return the text of the reply's answering channel "final"; without channels the whole text."""
    bare = _BARE_CHANNELS.match(text)
    if bare is not None:
        _, final, answer = text.rpartition(_BARE_FINAL)
        return answer if final else f"<think>{text}"
    found = list(_CHANNEL.finditer(text))
    if not found:
        return text
    spoken = [text[: found[0].start()]]
    for number, channel in enumerate(found):
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        said = text[channel.end() : after]
        end = _CHANNEL_END.search(said)
        thinks = channel[1].lower() != "final"
        if thinks and end is None and number + 1 == len(found):
            return f"<think>{said}"
        if thinks:
            spoken.append(said[end.end() :] if end is not None else "")
        else:
            spoken.append(said if end is None else said[: end.start()])
    answers = [channel[1].lower() == "final" for channel in found]
    return "\n".join(spoken if any(answers) or "".join(spoken).strip() else ["<think>"])


def _without_marked(text: str) -> tuple[str, bool]:
    """Return a text without its marked thoughts, and whether each thought has a closing mark."""
    kept: list[str] = []
    opened: list[str] = []
    at, paired = 0, {name.lower() for name in _CLOSED.findall(text)} | {"think"}
    for mark in _marks().finditer(text):
        name = re.sub(r"[\s_-]", "", mark["name"].lower())
        closes = bool(mark["end"] or mark["ends"])
        if mark["bracket"] == "[" and mark["name"].lower() not in paired:
            continue  # a heading or a value, not a mark
        if not closes:
            if not opened:
                kept.append(text[at : mark.start()])
            if name not in opened:
                opened.append(name)
            continue
        if not opened:
            kept = []  # a thought that began with the text
        elif name in opened:
            del opened[opened.index(name) :]
        else:
            opened.pop()
        at = mark.end()
    if not opened:
        kept.append(text[at:])
    return "\n".join(part for part in kept if part.strip()), not opened


@cache
def _labels(fields: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for the beginning of a line labelled as a thought or as an answer."""
    last = rf"(?:{_either(marked_words('last'))})(?:[\s_-]{{1,3}}\w{{1,12}})?"
    answers = rf"{_either((*marked_words('answer'), *fields))}"
    kinds = (
        ("last", last),
        ("draft", _either(marked_words("draft"))),
        ("label", _either(marked_words("label"))),
        ("answer", answers),
    )
    either = "|".join(rf"(?P<{kind}>{names})" for kind, names in kinds)
    return re.compile(
        rf"^{_AROUND}{_LEAD}(?:{either}){_TAIL}(?P<colon>[:\uff1a]|$){_TAIL}",
        re.IGNORECASE | re.MULTILINE,
    )


def _without_labelled(text: str, labels: re.Pattern[str]) -> tuple[str, bool]:
    """Return a text without the lines and sections labelled as thoughts, and whether all sections end."""
    kept: list[str] = []
    section = ""
    for line in text.splitlines():
        found = labels.match(line[:200])
        if found is not None:
            kind = next(name for name in LABEL_KINDS if found[name])
            if kind in ("last", "answer"):
                section = ""
            elif (answer := _INLINE[kind]().search(line, found.end())) is not None:
                section, line = "", line[answer.start() :]
            elif kind == "draft" or not line[found.end() :].strip(" *_`#-"):
                section = kind
                continue
            else:
                continue
        elif section == "label" and _ENDS_LABEL.match(line) is not None:
            section = ""
        if not section:
            kept.append(line)
    return "\n".join(kept), not section


@cache
def _final() -> re.Pattern[str]:
    """Return a pattern for words that introduce a final answer, anywhere in a text."""
    what = r"(?:answer|plan|version|response|output|reply|solution|result|sub-?goals?|steps?|list|verdict)"
    last = _either(marked_words("last"))
    return re.compile(
        rf"\b(?:{last})[\s_-]{{1,3}}{what}\b[*_`\"\s]{{0,6}}(?:[:\uff1a]|is:?|$)[*_`\s]{{0,6}}",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _answering() -> re.Pattern[str]:
    """Return a pattern for words that introduce an answer within a line."""
    return re.compile(
        rf"{_final().pattern}|\b(?:{_either(marked_words('answer'))}){_TAIL}[:\uff1a]",
        re.IGNORECASE,
    )


_INLINE: Final = {"label": _answering, "draft": _final}
"""Patterns that end a thought within its line, by the kind of its label."""


def _last(text: str) -> list[str]:
    """Return the texts after words for a final answer, the last one first."""
    ends = [found.end() for found in _final().finditer(text)]
    return [text[end:] for end in ends[: -MOST_ANSWER_PARTS - 1 : -1]]


def _tagged(text: str) -> list[str]:
    """Return the texts within or after the marks of an answer, the last one first."""
    found = list(_answer_marks().finditer(text))
    parts: list[str] = []
    closing = len(text)
    for mark in reversed(found):
        if mark["end"] or mark["ends"]:
            closing = mark.start()
        elif len(parts) < MOST_ANSWER_PARTS:
            parts.append(text[mark.end() : closing])
    return parts


def _boxed(text: str) -> list[str]:
    r"""Return a list with the content of the last `\boxed{...}` in a text; empty if there is none."""
    begins = [found.end() for found in _BOXED.finditer(text)]
    if not begins:
        return []
    start, depth = begins[-1], 1
    end = start
    for mark in re.finditer(r"[{}]", text[start : start + MOST_BOXED]):
        depth += 1 if mark[0] == "{" else -1
        end = start + mark.start()
        if depth == 0:
            break
    inner = re.sub(r"\\(?:text|mathrm|textbf)\s{0,3}\{([^{}]{0,2000})\}", r"\1", text[start:end])
    return [re.sub(r"\\\\|\\newline", "\n", inner)]
