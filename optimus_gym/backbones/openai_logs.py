"""Keeps a key out of the logs while a server is asked, whichever library writes them."""

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
"""Those that no record may show now, by how many calls are under way with each."""
_lock: Final = threading.RLock()
"""One that its holder may take again: what interrupts it (a signal, the end of an object) may log, too."""


@contextmanager
def kept_out_of_logs(key: str) -> Iterator[None]:
    """Strike a key out of every log record that is made meanwhile, in whatever thread, by whatever logger.

    The libraries that carry requests log what servers send, and a server can send the key back. What they
    call their loggers changes with their versions, so that it is the making of records that is watched
    (`logging.setLogRecordFactory`). A record that does not show the key stays as it is; of one that does,
    the message is the finished text, and the error's traceback is kept as text. It does not reach what a
    logger is given as `extra`.

    Args:
        key: what no record may show, nor 8 characters of it in a row; "" if there is nothing to hide.
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
    """Makes records as another factory does and strikes out the keys.

    Args:
        former: the other factory.
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
    """Return a record's message; where it does not fit its arguments, both."""
    with suppress(Exception):  # whatever a stranger's argument raises when it is to be a text
        return record.getMessage()
    return _held(record)


def _held(record: logging.LogRecord) -> str:
    """Return what a record's message is made of, "" where that cannot be shown."""
    with suppress(Exception):
        return f"{record.msg!r} {record.args!r}"
    return ""


def _forms(key: str) -> dict[str, None]:
    """Return how a key can stand in a text: as it is, in Python's and JSON's notation, in an address."""
    return dict.fromkeys((key, repr(key.encode())[2:-1], json.dumps(key)[1:-1], quote(key, "")))


def _without(text: str, forms: list[str]) -> str:
    for form in forms:
        text = struck(text, form)
    return text
