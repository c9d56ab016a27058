"""What a server's answer says, and in one line what is wrong with it; whatever came, nothing is raised."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from optimus_gym.core.checks import is_whole

LONGEST_TEXT: Final = 100_000
"""Characters of an answer; a longer one is a fault."""
LONGEST_FAULT: Final = 200
"""Characters of a fault."""
LONGEST_NAME: Final = 100
"""Characters of a model's name."""
LONGEST_WAIT: Final = 60.0
"""Seconds that are waited at most before the next attempt, whatever a server asks for."""
FIRST_PAUSE: Final = 0.5
LAST_PAUSE: Final = 8.0
_MOST_TOKENS: Final = 10**9
_MOST_LOOKED_AT: Final = 2_000
_PIECE: Final = 8
"""Characters of a key that give it away: as many in a row are struck out."""
_STRUCK: Final = "[key]"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one attempt brought.

    Attributes:
        text: what the model wrote; "" if the attempt failed.
        fault: in a line, why it failed; "" if it did not.
        model: its name, "" if the server did not say.
        prompt_tokens: of the question; 0 if the server did not say.
        completion_tokens: of the answer, likewise.
        final: whether there is no use in another attempt.
        asked_wait: seconds that the server wants to be left alone, or None.
    """

    text: str = ""
    fault: str = ""
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    final: bool = False
    asked_wait: float | None = None


def read_answer(body: bytes) -> Answer:
    """Return what the body of a chat completion says.

    A text of more than 100,000 characters, none at all, a refusal and what is no chat completion are
    faults; names and tokens that make no sense are left out.
    """
    try:
        whole = json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Answer(fault="no UTF-8 in the answer")
    except (ValueError, RecursionError):
        return Answer(fault="no JSON in the answer")
    if not isinstance(whole, dict):
        return Answer(fault="no chat completion in the answer")
    text, fault = _text_in(whole)
    usage = whole.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Answer(
        text,
        fault,
        _name(whole.get("model")),
        _tokens(usage.get("prompt_tokens")),
        _tokens(usage.get("completion_tokens")),
    )


def _text_in(whole: dict[str, Any]) -> tuple[str, str]:
    """Return the text of a completion, or "" and what is wrong."""
    choices = whole.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        said = words_in(whole)
        return "", f"error in place of an answer: {said}" if said else "no message in the answer"
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, str) and len(content) > LONGEST_TEXT:
        return "", f"answer of {len(content):,} characters"
    if isinstance(content, str) and content.strip():
        return clean(content), ""
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return "", f"refused: {refusal[:_MOST_LOOKED_AT]}"
    return "", "no text in the answer"


def refused(status: int, headers: Mapping[str, str], body: object, final: bool) -> Answer:
    """Return the answer that an HTTP status other than 200 is.

    Args:
        status: the number.
        headers: the answer's.
        body: what is in it: of JSON the value, else the text.
        final: whether there is no use in another attempt.
    """
    place = headers.get("location", "") if 300 <= status < 400 else ""
    said = f"moved to {place[:_MOST_LOOKED_AT]}" if place else words_in(body)
    return Answer(
        fault=f"http {status}" + (f": {said}" if said else ""),
        final=final,
        asked_wait=wait_asked(headers.get("retry-after")),
    )


def words_in(body: object) -> str:
    """Return what an error's body says in words, or ""; a page of HTML says nothing."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = next((body[key] for key in ("error", "message", "detail") if body.get(key)), None)
    if not isinstance(body, str) or body.lstrip()[:1] in ("<", ""):
        return ""
    return body[:_MOST_LOOKED_AT]


def _name(value: object) -> str:
    if isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable():
        return value.strip()
    return ""


def _tokens(value: object) -> int:
    return int(value) if is_whole(value) and 0 <= value <= _MOST_TOKENS else 0


def clean(text: str) -> str:
    r"""Return a text that UTF-8 can hold: lone surrogates, which JSON can bring, become "?".

    >>> clean("a\ud800b")
    'a?b'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, key: str) -> str:
    r"""Return a text as one printable line of at most 200 characters, with the key struck out.

    Args:
        text: whatever came.
        key: what no fault may show, nor 8 characters of it in a row; "" if there is none.

    >>> one_line("wrong key\n'sk-0123456789' or \x00 sk-012345", "sk-0123456789")
    "wrong key '[key]' or [key]"
    """
    printable = "".join(c if c.isprintable() else " " for c in text[:_MOST_LOOKED_AT])
    line = struck(" ".join(printable.split()), key)
    return line if len(line) <= LONGEST_FAULT else line[: LONGEST_FAULT - 3] + "..."


def struck(text: str, key: str) -> str:
    """Return a text without the key, and without any 8 characters of it in a row."""
    size = min(_PIECE, len(key))
    hidden = bytearray(len(text))
    for piece in {key[k : k + size] for k in range(len(key) - size + 1)} - {""}:
        at = text.find(piece)
        while at >= 0:
            hidden[at : at + size] = b"x" * size
            at = text.find(piece, at + 1)
    for run in reversed(list(re.finditer(b"x+", hidden))):
        text = text[: run.start()] + _STRUCK + text[run.end() :]
    return text


def wait_asked(header: object) -> float | None:
    """Return the seconds that a header `Retry-After` asks for, 0 to 60; None if it cannot be read.

    It holds seconds or an HTTP date (RFC 9110, section 10.2.3).

    >>> wait_asked("1.5"), wait_asked("3600"), wait_asked("Thu, 01 Jan 1970 00:00:00 GMT"), wait_asked("-1")
    (1.5, 60.0, 0.0, None)
    """
    if not isinstance(header, str) or len(header) > LONGEST_NAME:
        return None
    if re.fullmatch(r"[0-9]+(\.[0-9]*)?", header.strip()):
        return min(float(header), LONGEST_WAIT)
    try:
        until = parsedate_to_datetime(header)
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, LookupError, ArithmeticError):
        return None
    return min(max(seconds, 0.0), LONGEST_WAIT) if math.isfinite(seconds) else None


def pause(failed: int) -> float:
    """Return the seconds to wait after so many failed attempts where the server asks for none.

    >>> [pause(failed) for failed in (1, 2, 3, 4, 5, 6, 20)]
    [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    """
    return min(FIRST_PAUSE * 2.0 ** (failed - 1), LAST_PAUSE)
