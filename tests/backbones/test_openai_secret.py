"""The key is in no log, reply, error or file, whatever a server does with it."""

import logging
import threading
from urllib.parse import quote

import pytest

from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.openai_logs import kept_out_of_logs
from optimus_gym.backbones.replay import ReplayBackbone
from tests.backbones.openai_server import (
    ALL,
    FINAL,
    KEY,
    ask,
    begins,
    response,
    saying,
    serving,
    set_environment,
)

pytest.importorskip("openai")

ODD_KEY = "sk-'\"\\%+/=?&" * 3


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    set_environment(monkeypatch)


def shows(text, key=KEY):
    """Return whether a text shows 8 consecutive characters of a key."""
    return any(key[k : k + 8] in text for k in range(len(key) - 7))


def told(caplog):
    """Return the contents of all log records and their formatted lines."""
    parts = [caplog.text]
    for record in caplog.records:
        parts += [repr(vars(record)), repr(record.exc_info), caplog.handler.format(record)]
    return "\n".join(parts)


def echoes():
    """Return well-formed answers with the key wherever an answer can hold it."""
    told_back = {**saying({"content": f"your key is {KEY}"}), "id": KEY, "model": KEY}
    return {
        "in a good answer": told_back,
        "in its head": response(told_back, 200, f"X-Key: {KEY}\r\nX-Request-Id: {KEY}\r\n"),
        "in its reason": response(told_back).replace(b"200 Status", f"200 {KEY}".encode()),
        "in its type": response(told_back).replace(b"application/json", KEY.encode()),
    }


def test_the_key_is_in_no_log_reply_or_file(caplog, tmp_path, capfd):
    caplog.set_level(logging.DEBUG)
    more, questions = echoes(), [*ALL, *echoes()]
    with serving(lambda text, tries: more.get(text, text)) as server:
        backbone = OpenAIBackbone("m", server.address, retries=1, timeout=2, at_once=64)
        recorded = ReplayBackbone(tmp_path / "talk.jsonl", backbone)
        replies = recorded.complete(list(map(ask, questions)))
    for text, reply in zip(questions, replies, strict=True):
        count = 0 if text in more else 1 if text in FINAL else 2
        assert len(reply.faults) == count, (text, reply.faults)
        assert text in more or all(fault.startswith(begins(text)) for fault in reply.faults)
        assert not shows(repr(reply)), text
    assert sum(f"Bearer {KEY}" in head for head in server.heads) == len(server.heads) > len(ALL)
    names = {record.name.split(".")[0].rstrip("2") for record in caplog.records}
    assert names >= {"openai", "httpcore", "httpx", "asyncio"}
    assert "[key]" in caplog.text
    assert not shows(told(caplog))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(shows(path.read_text()) for path in files)
    assert not shows("".join(capfd.readouterr()))


@pytest.mark.parametrize("key", [KEY, ODD_KEY, "zqj"])
def test_a_key_is_removed_from_a_log_record_in_every_form(key, caplog):
    caplog.set_level(logging.DEBUG)
    logger = logging.getLogger("another.library")
    with kept_out_of_logs(key):
        logger.debug("plain %s", key)
        logger.debug("bytes %s", [(b"x-key", key.encode())])
        logger.debug("headers %(headers)s", {"headers": {"x-key": key}})
        logger.debug("address %s", f"http://a/{quote(key, '')}")
        logger.debug(f"in its own text {key!r}")
        logger.warning("too few %s %s", key)
        try:
            raise ValueError(f"illegal header {key.encode()!r}")
        except ValueError:
            logger.exception("failed")
    assert len(caplog.records) == 7
    assert [record.getMessage() for record in caplog.records][-1] == "failed"
    assert "ValueError: illegal header b" in caplog.text
    assert caplog.text.count("[key]") >= 7
    text = told(caplog)
    for form in (key, repr(key.encode())[2:-1], quote(key, "")):
        assert form not in text
        assert len(key) < 8 or not shows(text, form)


def test_log_records_without_the_key_stay_unchanged(caplog):
    caplog.set_level(logging.DEBUG)
    logger = logging.getLogger("another.library")
    with kept_out_of_logs(KEY):
        logger.info("%d of %s", 3, "logs", extra={"more": 5})
        logger.info("nothing to fill in: 100 %")
        try:
            raise ValueError("another matter")
        except ValueError:
            logger.exception("failed")
    first, second, third = caplog.records
    assert (first.msg, first.args, first.more) == ("%d of %s", (3, "logs"), 5)
    assert second.getMessage() == "nothing to fill in: 100 %"
    assert third.exc_info[0] is ValueError


def test_log_records_are_watched_only_during_a_call(caplog):
    caplog.set_level(logging.DEBUG)
    before = logging.getLogRecordFactory()
    inside, over = threading.Event(), threading.Event()

    def other():
        with kept_out_of_logs("another-secret"):
            inside.set()
            over.wait(10)

    thread = threading.Thread(target=other)
    with kept_out_of_logs(KEY):
        thread.start()
        assert inside.wait(10)
        with kept_out_of_logs(KEY):
            logging.getLogger("a").info("%s and another-secret", KEY)
        logging.getLogger("a").info("%s again", KEY)
    logging.getLogger("a").info("another-secret and no key")
    over.set()
    thread.join(10)
    assert logging.getLogRecordFactory() is before
    logging.getLogger("a").info("another-secret over")
    assert [record.getMessage() for record in caplog.records] == [
        "[key] and [key]",
        "[key] again",
        "[key] and no key",
        "another-secret over",
    ]


def test_a_log_record_factory_that_is_installed_meanwhile_stays(caplog):
    caplog.set_level(logging.DEBUG)
    before, made = logging.getLogRecordFactory(), []

    def install():
        former = logging.getLogRecordFactory()

        def noting(*given, **named):
            made.append(former(*given, **named))
            return made[-1]

        logging.setLogRecordFactory(noting)
        return noting

    try:
        with kept_out_of_logs(KEY):
            noting = install()
            logging.getLogger("a").info("first %s", KEY)
        assert logging.getLogRecordFactory() is noting
        with kept_out_of_logs(KEY):
            logging.getLogger("a").info("second %s", KEY)
        assert logging.getLogRecordFactory() is noting
    finally:
        logging.setLogRecordFactory(before)
    assert [record.getMessage() for record in made] == ["first [key]", "second [key]"]


def test_an_error_of_the_call_shows_no_key_and_ends_the_watch(monkeypatch):
    before = logging.getLogRecordFactory()
    with serving() as server:
        backbone = OpenAIBackbone("m", server.address)
        monkeypatch.setattr("optimus_gym.backbones.openai_api.run_coroutine", lambda make: 1 / 0)
        with pytest.raises(ZeroDivisionError) as raised:
            backbone.complete([ask()])
    assert KEY not in str(raised.value)
    assert logging.getLogRecordFactory() is before
