"""Read a streamed answer from server-sent events (WHATWG HTML, "Server-sent events").

Each event is a line `data: {...}` with a piece of the completion; `data: [DONE]` ends the stream. A stream
without `[DONE]` and without a finish reason was interrupted.
"""

import json
import re
from typing import Any, Final

MOST_STREAM_EVENTS: Final = 100_000
STREAM_DONE: Final = "[DONE]"
BROKEN_STREAM: Final = "a stream that was broken off"
_BEGINS: Final = re.compile(r"\s*(?:data|event|id|retry)?:")


def is_stream(text: str) -> bool:
    """Return whether the text of a response is a stream of server-sent events.

    >>> is_stream('data: {"choices": []}'), is_stream('{"choices": []}')
    (True, False)
    """
    return _BEGINS.match(text) is not None


def whole_of(text: str) -> dict[str, Any]:
    """Return the chat completion that the pieces of a stream form, or the error that the stream reports.

    Pieces that are no JSON and pieces of any choice (alternative answer) but the first are skipped.
    """
    texts: list[str] = []
    thoughts: list[str] = []
    whole: dict[str, Any] = {}
    ended: object = None
    done = calls = False
    for line in text.splitlines()[:MOST_STREAM_EVENTS]:
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        done = done or data == STREAM_DONE
        piece = _piece(data)
        if piece.get("error"):
            return {"error": piece["error"]}
        whole |= {key: piece[key] for key in ("model", "usage") if piece.get(key)}
        choice, delta = _choice(piece)
        texts += [delta["content"]] if isinstance(delta.get("content"), str) else []
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        thoughts += [thought] if isinstance(thought, str) else []
        calls = calls or bool(delta.get("tool_calls"))
        ended = choice.get("finish_reason") or ended
    if not done and ended is None:
        return {"error": {"message": BROKEN_STREAM}}
    message = {"content": "".join(texts), "reasoning": "".join(thoughts), "tool_calls": calls}
    return {**whole, "choices": [{"message": message, "finish_reason": ended}]}


def _piece(data: str) -> dict[str, Any]:
    """Return the JSON object in an event of a stream, {} if the event holds none."""
    try:
        piece = json.loads(data) if data.startswith("{") else None
    except (ValueError, RecursionError):
        piece = None
    return piece if isinstance(piece, dict) else {}


def _choice(piece: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a piece's first choice and the delta that it adds; a whole message serves as a delta."""
    choices = piece.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or first.get("index") not in (0, None):
        return {}, {}
    delta = first.get("delta") or first.get("message")
    return first, delta if isinstance(delta, dict) else {}
