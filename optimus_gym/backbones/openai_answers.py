"""Read a server's answer, and describe its fault in one line; even a broken answer raises no error."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from optimus_gym.backbones.openai_streams import is_stream, whole_of
from optimus_gym.core.checks import is_whole

CUTS: Final = ("length", "max_tokens")
"""Finish reasons of answers that the limit of tokens ended."""
TEXT_TYPES: Final = (None, "text", "output_text")
"""Types of message parts that are text; "thinking" and other types are not."""
THOUGHT_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")
"""Keys under which servers put a model's thoughts."""
ERROR_KEYS: Final = (
    "error", "message", "msg", "detail", "details", "errors", "error_message", "error_msg",
    "error_description", "description", "title", "reason",
)  # fmt: skip
"""Keys under which servers put an error's words, in the order of the search."""
PASSING_STATUSES: Final = frozenset({408, 409, 424, 425})
"""HTTP statuses below 500 after which the same question may succeed."""
LASTING_STATUSES: Final = frozenset({501, 505})
"""HTTP statuses from 500 on after which the same question cannot succeed."""
SPENT: Final = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
"""Error codes with status 429 for an account without money (OpenAI's list of error codes)."""
MOST_ERRORS: Final = 3
"""Maximum number of errors that a fault quotes if a server sends a list of errors."""
_TITLE: Final = re.compile(r"<(title|h1|message)[^<>]{0,80}>([^<>]{1,300})</", re.IGNORECASE)
_STREAMS: Final = re.compile(
    r"(?i)\b(?:only|must|requires?|required|needs?|please|enable)\b.{0,80}\bstream|"
    r"\bstream\w*\b.{0,40}\b(?:required|must|only|needed|enabled?)\b"
)
"""Pattern for the error words of a server that answers only in streams."""
LONGEST_TEXT: Final = 100_000
"""Maximum number of characters of an answer; a longer answer is a fault."""
LONGEST_FAULT: Final = 200
"""Maximum number of characters of the line that describes a fault."""
LONGEST_NAME: Final = 100
"""Maximum number of characters of a model's name."""
LONGEST_WAIT: Final = 60.0
"""Maximum wait before the next attempt, in seconds, whatever a server asks for."""
FIRST_PAUSE: Final = 0.5
LAST_PAUSE: Final = 8.0
_MOST_TOKENS: Final = 10**9
_MOST_LOOKED_AT: Final = 2_000
_PIECE: Final = 8
"""A text must not show this many consecutive characters of a key: they are struck out."""
_STRUCK: Final = "[key]"


OF_THE_QUESTION: Final = frozenset({400, 404, 413, 415, 422, 500, 501})
"""HTTP statuses with which public servers refuse pictures."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """The outcome of one attempt to get a server's answer.

    Attributes:
        text: the model's text; "" if the attempt failed.
        fault: the reason for the failure in one line; "" if the attempt succeeded.
        model: the model's name, "" if the server did not say.
        prompt_tokens: tokens of the question; 0 if the server did not say.
        completion_tokens: tokens of the answer; 0 if the server did not say.
        final: whether another attempt is useless.
        asked_wait: seconds that the server asks to wait, or None.
        cut: whether the limit of tokens ended the text.
        empty: whether the model answered without text.
        wants_stream: whether the server answers only in streams.
        may_be_pictures: whether the server may have refused the question's pictures.
    """

    text: str = ""
    fault: str = ""
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    final: bool = False
    asked_wait: float | None = None
    cut: bool = False
    empty: bool = False
    wants_stream: bool = False
    may_be_pictures: bool = False


def read_answer(body: bytes) -> ServerAnswer:
    """Return the answer in the body of a chat completion, from JSON or a stream of events.

    Faults are: a text of more than 100,000 characters, a missing text, a refusal, and a body that is no chat
    completion. A model's name or a token count of a wrong type or size is ignored.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ServerAnswer(fault="no UTF-8 in the answer")
    if is_stream(text):
        return completed(whole_of(text))
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        begun = text.strip()[:1]
        said = error_words(text) if begun not in ("{", "[") else ""
        fault = "no JSON in the answer" + (f": {said}" if said else "")
        return ServerAnswer(fault=fault, final=begun not in ("", "{", "["))
    return completed(whole)


def completed(whole: object) -> ServerAnswer:
    """Return the answer in a chat completion."""
    if not isinstance(whole, dict):
        said = error_words(whole) if isinstance(whole, list) else ""
        fault = (
            f"error in place of an answer: {said}" if said else "no chat completion in the answer"
        )
        return ServerAnswer(fault=fault, final=not said)
    usage = whole.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return replace(
        _said(whole),
        model=_name(whole.get("model")),
        prompt_tokens=_tokens(usage.get("prompt_tokens")),
        completion_tokens=_tokens(usage.get("completion_tokens")),
    )


def _said(whole: dict[str, Any]) -> ServerAnswer:
    """Return the text of a completion, or the reason why the text is missing or too long."""
    choices = whole.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if isinstance(first, dict) and isinstance(first.get("text"), str):
        message = {"content": first["text"]}
    if not isinstance(first, dict) or not isinstance(message, dict):
        said = error_words(whole)
        if not said:
            return ServerAnswer(fault="no message in the answer", final=True)
        code = _code_in(whole)
        final = isinstance(code, int) and is_final(code, whole)
        return ServerAnswer(fault=f"error in place of an answer: {said}", final=final)
    content, ended = _content(message.get("content")), first.get("finish_reason")
    cut = ended in CUTS
    if len(content) > LONGEST_TEXT:
        return ServerAnswer(fault=f"answer of {len(content):,} characters")
    if content.strip():
        return ServerAnswer(clean(content), cut=cut)
    if cut:
        return ServerAnswer(cut=True)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return ServerAnswer(fault=f"refused: {refusal[:_MOST_LOOKED_AT]}", final=True)
    if ended == "content_filter":
        return ServerAnswer(fault="answer withheld by the server's filter", final=True)
    if message.get("tool_calls") or message.get("function_call"):
        return ServerAnswer(fault="no text in the answer, but calls of tools", final=True)
    thought = any(_content(message.get(key)).strip() for key in THOUGHT_FIELDS)
    return ServerAnswer(
        fault="no text in the answer" + (", but thoughts" if thought else ""), empty=True
    )


def _content(content: object) -> str:
    """Return the text of a message's content; from a list of parts, the text parts joined."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        texts = [part.get("text") for part in parts if part.get("type") in TEXT_TYPES]
        content = "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def refused(status: int, headers: Mapping[str, str], body: object) -> ServerAnswer:
    """Return the outcome of an attempt that got an HTTP status other than 200.

    Args:
        status: the status number.
        headers: the response's headers.
        body: the response's body: the JSON value, else the text.
    """
    place = headers.get("location", "") if 300 <= status < 400 else ""
    said = f"moved to {place[:_MOST_LOOKED_AT]}" if place else error_words(body)
    return ServerAnswer(
        fault=f"http {status}" + (f": {said}" if said else ""),
        final=is_final(status, body),
        asked_wait=wait_asked(headers.get("retry-after")),
        wants_stream=400 <= status < 500 and bool(_STREAMS.search(said)),
        may_be_pictures=status in OF_THE_QUESTION,
    )


def is_final(status: int, body: object) -> bool:
    """Return whether asking the same question again is useless after an HTTP status (RFC 9110, section 15).

    A status below 500 means that the question is wrong, except for the statuses in `PASSING_STATUSES`. Status
    429 (too many requests) is temporary unless the account has no money left.
    """
    if status == 429:
        return _code_in(body) in SPENT
    return status not in PASSING_STATUSES if status < 500 else status in LASTING_STATUSES


def _code_in(body: object) -> object:
    """Return the code in an error's body: a number, a word or None."""
    error = body.get("error", body) if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None
    found = [error.get(key) for key in ("code", "type", "status") if error.get(key) in SPENT]
    code = found[0] if found else error.get("code")
    return int(code) if isinstance(code, str) and re.fullmatch("[1-5][0-9]{2}", code) else code


def error_words(body: object, depth: int = 4) -> str:
    """Return the words in an error's body, "" if there are none; from an HTML page its title.

    >>> error_words({"detail": [{"loc": ["body", "seed"], "msg": "too large"}]})
    'body.seed: too large'
    >>> error_words([{"error": "no"}])
    'no'
    """
    if isinstance(body, str):
        text = body.strip()[:_MOST_LOOKED_AT]
        if not text.startswith("<"):
            return text
        title = _TITLE.search(text)
        return " ".join(title[2].split()) if title is not None else ""
    if depth == 0:
        return ""
    if isinstance(body, list):
        several = (error_words(part, depth - 1) for part in body[:MOST_ERRORS])
        return "; ".join(filter(None, several))[:_MOST_LOOKED_AT]
    if not isinstance(body, dict):
        return ""
    said = next(filter(None, (error_words(body.get(key), depth - 1) for key in ERROR_KEYS)), "")
    place = body.get("loc")
    if said and isinstance(place, list) and place:
        said = f"{'.'.join(str(part) for part in place[:5])}: {said}"
    return said[:_MOST_LOOKED_AT]


def _name(value: object) -> str:
    if isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable():
        return value.strip()
    return ""


def _tokens(value: object) -> int:
    return int(value) if is_whole(value) and 0 <= value <= _MOST_TOKENS else 0


def clean(text: str) -> str:
    r"""Return a text that UTF-8 can encode: lone surrogates, which JSON allows, become "?".

    >>> clean("a\ud800b")
    'a?b'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, *keys: str) -> str:
    r"""Return a text as one printable line of at most 200 characters, with keys struck out.

    Args:
        text: any text.
        keys: secrets; the line shows no 8 consecutive characters of a secret; "" hides nothing.

    >>> one_line("wrong key\n'sk-0123456789' or \x00 sk-012345", "sk-0123456789")
    "wrong key '[key]' or [key]"
    """
    printable = "".join(c if c.isprintable() else " " for c in text[:_MOST_LOOKED_AT])
    line = struck(" ".join(printable.split()), *keys)
    return line if len(line) <= LONGEST_FAULT else line[: LONGEST_FAULT - 3] + "..."


def struck(text: str, *keys: str) -> str:
    """Return a text without the secrets `keys`, and without any 8 consecutive characters of a secret."""
    hidden = bytearray(len(text))
    for piece in {piece for key in keys for piece in _pieces(key)} - {""}:
        size = len(piece)
        at = text.find(piece)
        while at >= 0:
            hidden[at : at + size] = b"x" * size
            at = text.find(piece, at + 1)
    for run in reversed(list(re.finditer(b"x+", hidden))):
        text = text[: run.start()] + _STRUCK + text[run.end() :]
    return text


def _pieces(key: str) -> set[str]:
    size = min(_PIECE, len(key))
    return {key[k : k + size] for k in range(len(key) - size + 1)}


def wait_asked(header: object) -> float | None:
    """Return the seconds that a header `Retry-After` asks for, 0 to 60; None if it cannot be read.

    The header holds seconds or an HTTP date (RFC 9110, section 10.2.3).

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
    """Return the seconds to wait after `failed` failed attempts if the server asks for no wait.

    >>> [pause(failed) for failed in (1, 2, 3, 4, 5, 6, 20)]
    [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    """
    return min(FIRST_PAUSE * 2.0 ** (failed - 1), LAST_PAUSE)
