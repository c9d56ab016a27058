"""The backbone for all servers with OpenAI's chat completions: OpenAI's own, vLLM, Ollama, ..."""

import asyncio
import importlib
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from ipaddress import AddressValueError, IPv6Address
from typing import Any, Final
from urllib.parse import urlsplit

from optimus_gym.backbones.openai_calls import LIMIT_FIELDS, Caller, check_request, run_coroutine
from optimus_gym.backbones.openai_client import bounded_client
from optimus_gym.backbones.openai_extras import (
    checked_body,
    checked_effort,
    checked_headers,
    checked_variables,
    header_values,
    is_variable,
)
from optimus_gym.backbones.openai_logs import kept_out_of_logs
from optimus_gym.core.checks import check_count, check_flag, check_name, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.requests import DEAREST, Reply, Request

LONGEST_TIMEOUT: Final = 86_400.0
"""Maximum duration of an attempt, in seconds: a day."""
HOTTEST: Final = 100.0
ADDRESS: Final = "OPENAI_BASE_URL"
"""The environment variable with the server's address, used if no argument gives an address."""
OPENAI: Final = "api.openai.com"
"""The host that is asked if no server is named."""
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that need no key."""
NO_KEY: Final = "none"
"""Text that is sent in place of the key to a host that needs no key."""


class OpenAIBackbone:
    """Asks a model on an OpenAI-compatible server; all requests of a call run concurrently.

    A server's failures never raise an error: each failed attempt becomes a line in `Reply.faults`, and if all
    attempts fail, the text is "". Only temporary failures are retried: HTTP 408, 409, 424, 425, 429 and 5xx,
    lost connections, timeouts and broken answers. The next attempt starts after the time in `Retry-After` (at
    most 60 s), or after 0.5 s, 1 s, 2 s, 4 s, 8 s, 8 s, ... A lasting HTTP error (such as 401), a refusal, or
    a body that is no chat completion ends the attempts. The client reads at most 4 MiB of an answer. Tokens
    and cost are sums over all attempts; the latency runs from the first attempt's start to the last attempt's
    end.

    Four kinds of answers change the next question. If a server may have refused the pictures (HTTP 400, 404,
    413, 415, 422, 500, 501), the question is repeated once without pictures. If the server answers the
    question without pictures, `takes_pictures` becomes False, and a warning reports the refusal.

    After an answer that the token limit cut off, the question is repeated once with four times the limit (at
    most 32,768). If the repeated answer is cut off, too, or the limit is the server's own, the reply is the
    cut text, and its `cut` is True. After an answer without text, the question is repeated once with another
    seed. If a server answers only in streams, the question is repeated as a stream; unrequested streams are
    read as well.

    Each call reads the key and the headers of `header_variables` from environment variables. The values of
    these variables are stored nowhere. During a call no log shows a secret, even if a server sends it back.
    Cookies are not stored.

    Args:
        model: the server's name of the model.
        base_url: the server ("http://localhost:8000/v1"); None: the environment variable OPENAI_BASE_URL,
            or OpenAI's own server.
        key_variable: the environment variable that holds the key; a server on this machine needs no key.
        temperature: sampling temperature, 0 to 100; None: the server's default.
        max_tokens: most tokens of an answer, thoughts included; None: the server's own limit.
        limit: the server's name for `max_tokens`: "max_tokens" or "max_completion_tokens"; None:
            "max_completion_tokens" at OpenAI, whose newer models refuse "max_tokens", and "max_tokens" at
            other servers.
        timeout: most seconds of an attempt, up to a day.
        retries: most attempts after the first failed one, 0 to 20.
        at_once: most concurrent requests, 1 to 1024.
        prices: prices of a million question tokens and of a million answer tokens; None: both are 0.
        sends_seed: whether to send a request's seed (modulo 2**31); False suits servers that refuse seeds.
        streams: whether to ask for streams, for servers that answer only in streams; if False, each answer of
            such a server costs one more call.
        reasoning_effort: how much the model should think, in the server's word ("low", "medium", "high");
            None: the server's default.
        extra_body: further fields of the question's body, such as {"top_p": 0.9}; no secrets.
        headers: further headers by name; no secrets.
        header_variables: environment variables that hold further headers, by header, such as {"X-Api-Key":
            "PROXY_KEY"}; with any such header, the key itself may be missing.

    Raises:
        BadValue: an argument has a wrong type or value.
        UnknownName: `limit` is no known name of the token limit.
        MissingExtra: the package openai is not installed.
    """

    name = "openai"
    takes_pictures = True

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        key_variable: str = "OPENAI_API_KEY",
        temperature: float | None = None,
        max_tokens: int | None = 2000,
        limit: str | None = None,
        timeout: float = 60.0,
        retries: int = 3,
        at_once: int = 64,
        prices: Sequence[float] | None = None,
        sends_seed: bool = True,
        streams: bool = False,
        reasoning_effort: str | None = None,
        extra_body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        header_variables: Mapping[str, str] | None = None,
    ) -> None:
        if not isinstance(model, str) or not model.strip() or not model.isprintable():
            raise BadValue(f"model: expected a model's name, got {shown(model)}")
        if not is_variable(key_variable):
            raise BadValue(
                "key_variable: expected the name of an environment variable (letters, digits, _), got "
                "something else, which is not shown, as it may be a key"
            )
        for name, value in (("sends_seed", sends_seed), ("streams", streams)):
            check_flag(name, value)
        if base_url is not None:
            _host("base_url", base_url)
        self.model = model
        self.base_url = base_url
        self.key_variable = key_variable
        self.temperature = _warmth(temperature)
        self.max_tokens = None if max_tokens is None else check_count("max_tokens", max_tokens, 1)
        self.limit = None if limit is None else check_name("limit", limit, LIMIT_FIELDS)
        self.timeout = _seconds(timeout)
        self.retries = check_count("retries", retries, 0, 20)
        self.at_once = check_count("at_once", at_once, 1, 1024)
        self.prices = _prices(prices)
        self.sends_seed = sends_seed
        self.streams = streams
        self.reasoning_effort = checked_effort(reasoning_effort)
        self.extra_body = checked_body(extra_body)
        self.headers = checked_headers(headers)
        self.header_variables = checked_variables(header_variables)
        _library()

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the replies in the order of the requests; at most `at_once` requests run concurrently.

        Raises:
            BadValue: a key or header in the environment is missing or malformed, or a request cannot be sent.
            MissingExtra: the package openai is not installed.
        """
        library = _library()
        for request in requests:
            check_request(request)
        if not requests:
            return []
        address = self.base_url or os.environ.get(ADDRESS, "").strip() or None
        key = self._key(address)
        hidden = header_values(self.header_variables)
        with ExitStack() as hiding:
            for secret in (key, *hidden.values()):
                hiding.enter_context(kept_out_of_logs(secret))
            return run_coroutine(lambda: self._replies(library, address, key, hidden, requests))

    def _options(self, address: str | None) -> dict[str, Any]:
        """Return the fields that are sent with each question to a server."""
        options: dict[str, Any] = {"model": self.model}
        if self.max_tokens is not None:
            own = address is None or _host(ADDRESS, address) == OPENAI
            options[self.limit or LIMIT_FIELDS[own]] = self.max_tokens
        if self.temperature is not None:
            options["temperature"] = self.temperature
        if self.streams:
            options["stream"] = True
        if self.reasoning_effort is not None:
            options["reasoning_effort"] = self.reasoning_effort
        if self.extra_body:
            options["extra_body"] = self.extra_body
        return options

    async def _replies(
        self,
        library: Any,
        address: str | None,
        key: str,
        hidden: Mapping[str, str],
        requests: Sequence[Request],
    ) -> list[Reply]:
        async with library.AsyncOpenAI(
            base_url=address,
            api_key=key or NO_KEY,
            timeout=self.timeout,
            max_retries=0,
            default_headers={**self.headers, **hidden},
            http_client=bounded_client(library, timeout=self.timeout),
        ) as client:
            caller = Caller(
                library=library,
                client=client,
                secrets=tuple(secret for secret in (key, *hidden.values()) if secret),
                options=self._options(address),
                sends_seed=self.sends_seed,
                timeout=self.timeout,
                retries=self.retries,
                prices=self.prices,
                slots=asyncio.Semaphore(self.at_once),
                on_refusal=self._note_refusal,
            )
            return list(await asyncio.gather(*map(caller.reply, requests)))

    def _note_refusal(self, fault: str) -> None:
        """Stop sending pictures to a server that has refused some, and warn once."""
        if self.takes_pictures:
            self.takes_pictures = False
            warnings.warn(
                f"backbone 'openai', model {self.model!r}: the server refused pictures ({fault}) and "
                "answered without them; none are sent from now on (sees=False sends none at all)",
                stacklevel=2,
            )

    def _key(self, address: str | None) -> str:
        """Return the key for the server; "" if no key is set and the server needs none.

        Raises:
            BadValue: the key is missing or unfit for a header; the message names only the variable.
        """
        host = None if address is None else _host("base_url" if self.base_url else ADDRESS, address)
        key = os.environ.get(self.key_variable, "").strip()
        if not key and host not in LOOPBACK and not self.header_variables:
            raise BadValue(
                f"expected a key in the environment variable {self.key_variable}, got none "
                f"(backbone 'openai', server {host or 'of OpenAI'})"
            )
        if re.search(r"[^!-~]", key):
            raise BadValue(
                f"expected a key of ASCII letters, digits and signs in the environment variable "
                f"{self.key_variable}, got one with other characters (backbone 'openai')"
            )
        return key


def _seconds(timeout: object) -> float:
    """Return the time limit of an attempt in seconds.

    Raises:
        BadValue: the value is no number above 0 and at most a day.
    """
    if is_number(timeout) and 0 < timeout <= LONGEST_TIMEOUT:
        return float(timeout)
    raise BadValue(
        f"timeout: expected a number of seconds above 0 and at most {LONGEST_TIMEOUT:g}, got {shown(timeout)}"
    )


def _warmth(temperature: object) -> float | None:
    """Return a temperature, or None.

    Raises:
        BadValue: the value is not a number from 0 to `HOTTEST`.
    """
    if temperature is None:
        return None
    if is_number(temperature) and 0 <= temperature <= HOTTEST:
        return float(temperature)
    raise BadValue(
        f"temperature: expected a number from 0 to {HOTTEST:g} or None, got {shown(temperature)}"
    )


def _library() -> Any:
    """Return the module openai.

    Raises:
        MissingExtra: the package openai is not installed.
    """
    try:
        return importlib.import_module("openai")
    except ImportError as error:
        raise MissingExtra("backbone 'openai'", "mllm") from error


def _host(name: str, value: object) -> str:
    """Return the host of a server's address, in lower case.

    Raises:
        BadValue: the value is no http(s) address, or has a password or query, which may hold a key.
    """
    text = value if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
        plain = parts.scheme in ("http", "https") and re.fullmatch(r"[!-~]{1,2000}", text)
        if ":" in host:
            IPv6Address(host)
        fits = plain and re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]+", host)
    except (ValueError, AddressValueError):
        fits = None
    if not fits or any(sign in text for sign in "@?#\\"):
        came = "an address not shown" if any(sign in text for sign in "@?") else shown(value)
        raise BadValue(
            f"{name}: expected an address like 'http://localhost:8000/v1' without password and query, "
            f"got {came}"
        )
    return host


def _prices(prices: object) -> tuple[float, float]:
    """Return the prices of a million question tokens and of a million answer tokens; (0, 0) for None.

    Raises:
        BadValue: the value is not two numbers from 0 to `DEAREST`.
    """
    if prices is None:
        return (0.0, 0.0)
    two = prices if isinstance(prices, list | tuple) and len(prices) == 2 else ()
    fine = [float(one) for one in two if is_number(one) and 0 <= one <= DEAREST]
    if len(fine) != 2:
        raise BadValue(
            f"prices: expected two numbers from 0 to {DEAREST:g}, the prices of a million tokens of "
            f"questions and of answers, got {shown(prices)}"
        )
    return fine[0], fine[1]
