"""Ask a server: the attempts of one request, with limits and pauses, and the event loop that runs them."""

import asyncio
import base64
import io
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from optimus_gym.backbones.openai_answers import (
    ServerAnswer,
    clean,
    one_line,
    pause,
    read_answer,
    refused,
    struck,
)
from optimus_gym.backbones.openai_client import Unread
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.requests import PICTURE_MARK, Reply, Request, request_parts

LIMIT_FIELDS: Final = ("max_tokens", "max_completion_tokens")
"""Servers' names for the token limit of an answer: the common name, and OpenAI's newer name."""
PICTURES_REFUSED: Final = "(The pictures could not be sent.)"
"""Text in place of refused pictures."""
NOT_SENT: Final = "[not sent]"
"""Text in place of the mark of a refused picture, such as "[picture 1]", in a prompt."""
RAISE: Final = 4
"""Factor on the token limit, applied once, after an answer was cut off: our choice."""
HIGHEST_LIMIT: Final = 32_768
"""Maximum token limit of the attempt after an answer that was cut off: our choice."""
MOST_SEEDS: Final = 2**31
LEAST_SECRET: Final = 8
"""Minimum length of a key that is also struck out of a model's text; a shorter key may be a word."""
PNG_LEVEL: Final = 1
"""PNG compression level: pictures a tenth larger than by default, in a third of the time."""
LOOK_UP: Final = 0.1
"""Seconds between two checks for an interrupt."""
_UNREADABLE: Final = (
    OSError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    AssertionError,
    EOFError,
    RuntimeError,
)
"""Errors of other packages that the library openai lets through if an answer is not valid HTTP."""
Returned = TypeVar("Returned")


def check_request(request: Request) -> None:
    """Raise an error if a request cannot be sent.

    Raises:
        BadValue: the request's text is no text, or a picture is not uint8[H, W, 3].
    """
    if not isinstance(request.text, str):
        raise BadValue(f"request's text: expected a text, got {shown(request.text)}")
    for image in request.images:
        fits = isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.ndim == 3
        if not fits or image.shape[2] != 3 or image.size == 0:
            came = f"{getattr(image, 'dtype', type(image).__name__)}{getattr(image, 'shape', '')}"
            raise BadValue(f"request's images: expected uint8[H, W, 3], got {came}")


def content_of(request: Request) -> str | list[dict[str, Any]]:
    """Return the content of a request's message: the text, or with pictures a list of parts.

    Each picture follows its mark ("[picture 1]") in the text; without marks all pictures follow the text.
    Pictures are data URLs of lossless PNGs.
    """
    if not request.images:
        return clean(request.text)
    parts = request_parts(request, text_first=True)
    return [
        {"type": "text", "text": clean(part)} if isinstance(part, str) else _picture(part)
        for part in parts
    ]


def _picture(image: NDArray[np.uint8]) -> dict[str, Any]:
    """Return a picture (uint8[H, W, 3]) as a part of a message."""
    buffer = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(image))
    picture.save(buffer, format="PNG", compress_level=PNG_LEVEL)
    url = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
    return {"type": "image_url", "image_url": {"url": url}}


def unpictured(request: Request) -> str:
    """Return a question for a server that refuses pictures: a note replaces each picture's mark in the text.

    The result is "" if the request has no pictures or no text.
    """
    if not request.images or not request.text:
        return ""
    return f"{PICTURE_MARK.sub(NOT_SENT, clean(request.text))}\n\n{PICTURES_REFUSED}"


@dataclass(frozen=True, slots=True)
class Caller:
    """Asks one server for the replies of one call of `OpenAIBackbone.complete`.

    Attributes:
        library: the module openai.
        client: the library's client, with its own retries turned off.
        secrets: texts that no reply may show: the key, and headers from environment variables.
        options: fields sent with each message: model, limit of the answer, temperature.
        sends_seed: whether to send the request's seed.
        timeout: most seconds of an attempt.
        retries: most attempts after the first.
        prices: prices of a million question tokens and of a million answer tokens.
        slots: semaphore that bounds the concurrent requests.
        on_refusal: a function that gets the server's error text if the server refused the pictures but
            answered the same question without them.
    """

    library: Any
    client: Any
    secrets: tuple[str, ...] = field(repr=False)
    options: Mapping[str, Any]
    sends_seed: bool
    timeout: float
    retries: int
    prices: tuple[float, float]
    slots: asyncio.Semaphore
    on_refusal: Callable[[str], None]

    async def reply(self, request: Request) -> Reply:
        """Return the reply to a valid request, after as many attempts as allowed."""
        async with self.slots:
            start = perf_counter()
            if request.images:
                content: Any = await asyncio.to_thread(content_of, request)
            else:
                content = content_of(request)
            asked = {**self.options, "messages": _message(content)}
            if self.sends_seed:
                asked["seed"] = int(request.seed) % MOST_SEEDS
            asking = _Asking(asked, self.retries, unpictured(request))
            while (wait := asking.hear(await self._attempt(asking.asked))) is not None:
                await asyncio.sleep(wait)
            latency = perf_counter() - start
        if asking.left_out and asking.best.text:
            self.on_refusal(one_line(asking.left_out, *self.secrets))
        got, tokens = asking.best, asking.tokens
        cost = (tokens[0] * self.prices[0] + tokens[1] * self.prices[1]) / 1e6
        text = got.text
        for secret in self.secrets:
            text = text.replace(secret, "[key]") if len(secret) >= LEAST_SECRET else text
        return Reply(
            text=text,
            latency_s=latency,
            model=struck(got.model, *self.secrets) or self.options["model"],
            prompt_tokens=tokens[0],
            completion_tokens=tokens[1],
            cost=cost,
            faults=tuple(one_line(fault, *self.secrets) for fault in asking.faults),
            cut=got.cut,
        )

    async def _attempt(self, asked: Mapping[str, Any]) -> ServerAnswer:
        """Return the answer of one attempt, within the time limit."""
        library, late = self.library, ServerAnswer(fault=f"timeout after {self.timeout:g} s")
        create = self.client.chat.completions.with_raw_response.create
        try:
            raw = await asyncio.wait_for(create(**asked), self.timeout)
        except (TimeoutError, library.APITimeoutError):
            return late
        except library.APIStatusError as error:
            return refused(int(error.status_code), error.response.headers, error.body)
        except (Unread, library.APIConnectionError) as error:
            why = error.__cause__ or error
            lost = f"connection lost ({type(why).__name__})"
            return ServerAnswer(fault=str(why) if isinstance(why, Unread) else lost)
        except (library.OpenAIError, *_UNREADABLE) as error:
            return ServerAnswer(fault=f"unreadable HTTP ({type(error).__name__})")
        return read_answer(raw.http_response.content)


def _message(content: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": content}]


@dataclass(slots=True)
class _Asking:
    """One request's attempts: the next question, and the results so far.

    Attributes:
        asked: the next question, changed if the same question would be useless.
        retries: number of attempts that may still follow failures.
        best: the best answer so far: the last one, or a cut one if all later attempts failed.
        faults: a line for each failed attempt.
        tokens: tokens of questions and answers so far.
        words: the question without pictures, for a server that refuses them; "" if there is none.
        left_out: the fault after which the pictures were left out, or "".
    """

    asked: dict[str, Any]
    retries: int
    words: str = ""
    left_out: str = ""
    best: ServerAnswer = field(default_factory=ServerAnswer)
    faults: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    failed: int = 0
    raised: bool = False
    was_empty: bool = False

    def hear(self, got: ServerAnswer) -> float | None:
        """Note the answer of an attempt; return the seconds to wait before the next attempt, None to stop."""
        self.tokens[0] += got.prompt_tokens
        self.tokens[1] += got.completion_tokens
        if got.cut:
            return self._cut(got)
        if not (got.fault and self.best.cut):
            self.best = got
        if not got.fault:
            return None
        self.faults.append(got.fault)
        if got.wants_stream and not self.asked.get("stream"):
            self.asked["stream"] = True
            return 0.0
        again, self.was_empty = self.was_empty and got.empty, got.empty
        self.failed += 1
        if got.final or again or self.failed > self.retries:
            return self._without_pictures(got)
        if got.empty and "seed" in self.asked:
            self.asked["seed"] = (self.asked["seed"] + 1) % MOST_SEEDS
        return pause(self.failed) if got.asked_wait is None else got.asked_wait

    def _without_pictures(self, got: ServerAnswer) -> float | None:
        """Leave the pictures out, once, if the server may have refused them; else stop the attempts."""
        if not (got.may_be_pictures and self.words) or self.left_out:
            return None
        self.left_out = got.fault
        self.asked["messages"] = _message(self.words)
        return 0.0

    def _cut(self, got: ServerAnswer) -> float | None:
        """Raise the token limit of the next attempt, once, after an answer that was cut off; else stop."""
        self.best = got
        name = next((name for name in LIMIT_FIELDS if name in self.asked), None)
        limit = self.asked[name] if name is not None else None
        said = "its own limit" if limit is None else f"the limit of {limit:,} tokens"
        raised = None if limit is None else min(limit * RAISE, HIGHEST_LIMIT)
        if name is None or limit is None or raised is None or raised <= limit or self.raised:
            self.faults.append(f"answer cut off at {said}")
            return None
        self.faults.append(f"answer cut off at {said}; asked again with {raised:,}")
        self.asked[name], self.raised = raised, True
        return 0.0


def run_coroutine(make: Callable[[], Coroutine[Any, Any, Returned]]) -> Returned:
    """Run a coroutine to its end, in a new thread if this thread already has a loop (Jupyter).

    An interrupt ends the coroutine in both cases.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    outer = asyncio.current_task()
    cancelled = outer.cancelling() if outer else 0
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def told() -> Returned:
        work = asyncio.ensure_future(make())
        begun.set_result((asyncio.get_running_loop(), work))
        return await work

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(lambda: asyncio.run(told()))
        try:
            while not wait([ended], LOOK_UP).done:
                # `asyncio.run` answers a first interrupt by asking this task to cancel.
                if outer is not None and outer.cancelling() > cancelled:
                    raise KeyboardInterrupt
            return ended.result()
        finally:
            if not ended.done():
                loop, work = begun.result()
                with suppress(RuntimeError):  # the loop has ended by now
                    loop.call_soon_threadsafe(work.cancel)
