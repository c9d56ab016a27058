"""Keep a key out of all libraries' logs during a call to a server."""

import json
import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import quote

from optimus_gym.backbones.openai_answers import struck

_keys: Final[Counter[str]] = Counter()
"""Keys that no log record may show now, with the number of running calls that use each key."""
_lock: Final = threading.RLock()
"""A reentrant lock, since a signal handler or a finalizer may log while its thread holds the lock."""


@contextmanager
def kept_out_of_logs(key: str) -> Iterator[None]:
    """Strike a key out of every new log record of all threads and loggers, while the context is open.

    Libraries that send requests log the servers' answers, and a server can send the key back. The names of
    libraries' loggers change between versions, so the context does not filter single loggers, but replaces
    the factory of log records (`logging.setLogRecordFactory`). A log record without the key stays unchanged.
    If a log record holds the key, its message and its traceback are turned into text when the record is made.
    The key is not removed from values that a logger gets as `extra`.

    Args:
        key: a secret; no record shows 8 consecutive characters of the secret; "" hides nothing.
    """
    if not key:
        yield
        return
    with _lock:
        _keys[key] += 1
        former = logging.getLogRecordFactory()
        if not isinstance(former, _Striking):
            logging.setLogRecordFactory(_Striking(former))
    try:
        yield
    finally:
        with _lock:
            _keys.subtract([key])
            if not _keys[key]:
                del _keys[key]
            ours = logging.getLogRecordFactory()
            if not _keys and isinstance(ours, _Striking):
                logging.setLogRecordFactory(ours.former)


class _Striking:
    """A factory of log records that strikes keys out of another factory's records.

    Args:
        former: the factory that makes the records.
    """

    def __init__(self, former: Any) -> None:
        self.former = former

    def __call__(self, *given: Any, **named: Any) -> logging.LogRecord:
        record: logging.LogRecord = self.former(*given, **named)
        with _lock:
            forms = [form for key in tuple(_keys) for form in _forms(key)]
        said, held = _said(record), _held(record)
        if _without(said, forms) != said or _without(held, forms) != held:
            record.msg, record.args = _without(said, forms), ()
        if record.exc_info and record.exc_info[1] is not None:
            told = logging.Formatter().formatException(record.exc_info)
            if (left := _without(told, forms)) != told:
                record.exc_info, record.exc_text = None, left
        return record


def _said(record: logging.LogRecord) -> str:
    """Return a log record's message; if its template does not fit its arguments, return the text of both."""
    with suppress(Exception):  # an argument's own conversion to text may raise any error
        return record.getMessage()
    return _held(record)


def _held(record: logging.LogRecord) -> str:
    """Return a log record's template and arguments as text, "" if they cannot be shown."""
    with suppress(Exception):
        return f"{record.msg!r} {record.args!r}"
    return ""


def _forms(key: str) -> dict[str, None]:
    """Return the forms of a key in a text: plain, in Python's and JSON's notation, and in an address."""
    return dict.fromkeys((key, repr(key.encode())[2:-1], json.dumps(key)[1:-1], quote(key, "")))


def _without(text: str, forms: list[str]) -> str:
    for form in forms:
        text = struck(text, form)
    return text
