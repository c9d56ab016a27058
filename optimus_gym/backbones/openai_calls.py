"""How a server is asked: one request's attempts with their limits and pauses, and a loop to run them in."""

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
from PIL import Image

from optimus_gym.backbones.openai_answers import (
    Answer,
    clean,
    one_line,
    pause,
    read_answer,
    refused,
    struck,
)
from optimus_gym.backbones.openai_client import Unread
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.requests import Reply, Request

HOPELESS: Final = frozenset({400, 401, 403, 404, 422})
"""HTTP statuses after which the same question is not asked again."""
LEAST_SECRET: Final = 8
"""Characters of a key that is struck out of a model's text, too; a shorter one may be a word."""
QUICK: Final = 1
"""How hard a picture is compressed: a tenth larger than by default, in a third of the time."""
LOOK_UP: Final = 0.1
"""Seconds between two looks for an interrupt."""
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
"""What an answer that is no HTTP can make the library raise beside its own errors."""
T = TypeVar("T")


def check_request(request: Request) -> None:
    """See that a request can be sent.

    Raises:
        BadValue: its text is no text, or a picture is not uint8[H, W, 3].
    """
    if not isinstance(request.text, str):
        raise BadValue(f"request's text: expected a text, got {shown(request.text)}")
    for image in request.images:
        fits = isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.ndim == 3
        if not fits or image.shape[2] != 3 or image.size == 0:
            came = f"{getattr(image, 'dtype', type(image).__name__)}{getattr(image, 'shape', '')}"
            raise BadValue(f"request's images: expected uint8[H, W, 3], got {came}")


def content_of(request: Request) -> str | list[dict[str, Any]]:
    """Return the content of the message that asks: the text, or with pictures a list of parts.

    The text is first; pictures follow in their order as data URLs of PNGs, which lose nothing.
    """
    if not request.images:
        return clean(request.text)
    parts: list[dict[str, Any]] = [{"type": "text", "text": clean(request.text)}]
    for image in request.images:
        buffer = io.BytesIO()
        picture = Image.fromarray(np.ascontiguousarray(image))
        picture.save(buffer, format="PNG", compress_level=QUICK)
        url = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


@dataclass(frozen=True, slots=True)
class Caller:
    """Asks one server on behalf of one `complete`.

    Attributes:
        library: the module openai.
        client: its client, which does not retry by itself.
        key: what no reply may show; "" if there is none to hide.
        options: what goes along with each message: model, limit of the answer, temperature.
        sends_seed: whether the request's seed does, too.
        timeout: seconds of an attempt.
        retries: attempts after the first.
        prices: of a million tokens of questions and of answers.
        slots: lets so many requests be under way.
    """

    library: Any
    client: Any
    key: str = field(repr=False)
    options: Mapping[str, Any]
    sends_seed: bool
    timeout: float
    retries: int
    prices: tuple[float, float]
    slots: asyncio.Semaphore

    async def reply(self, request: Request) -> Reply:
        """Answer a request that can be sent, in as many attempts as it may take."""
        async with self.slots:
            start = perf_counter()
            if request.images:
                content: Any = await asyncio.to_thread(content_of, request)
            else:
                content = content_of(request)
            asked = {**self.options, "messages": [{"role": "user", "content": content}]}
            if self.sends_seed:
                asked["seed"] = int(request.seed) % 2**31
            faults: list[str] = []
            tokens = [0, 0]
            while True:
                got = await self._attempt(asked)
                tokens[0] += got.prompt_tokens
                tokens[1] += got.completion_tokens
                if got.fault:
                    faults.append(one_line(got.fault, self.key))
                if not got.fault or got.final or len(faults) > self.retries:
                    break
                asked_wait = got.asked_wait
                await asyncio.sleep(pause(len(faults)) if asked_wait is None else asked_wait)
            latency = perf_counter() - start
        cost = (tokens[0] * self.prices[0] + tokens[1] * self.prices[1]) / 1e6
        hide = len(self.key) >= LEAST_SECRET
        return Reply(
            text=got.text.replace(self.key, "[key]") if hide else got.text,
            latency_s=latency,
            model=struck(got.model, self.key) or self.options["model"],
            prompt_tokens=tokens[0],
            completion_tokens=tokens[1],
            cost=cost,
            faults=tuple(faults),
        )

    async def _attempt(self, asked: Mapping[str, Any]) -> Answer:
        """Return what one attempt brings, within its time."""
        library, late = self.library, Answer(fault=f"timeout after {self.timeout:g} s")
        create = self.client.chat.completions.with_raw_response.create
        try:
            raw = await asyncio.wait_for(create(**asked), self.timeout)
        except (TimeoutError, library.APITimeoutError):
            return late
        except library.APIStatusError as error:
            status = int(error.status_code)
            final = status in HOPELESS or 300 <= status < 400
            return refused(status, error.response.headers, error.body, final)
        except (Unread, library.APIConnectionError) as error:
            why = error.__cause__ or error
            lost = f"connection lost ({type(why).__name__})"
            return Answer(fault=str(why) if isinstance(why, Unread) else lost)
        except (library.OpenAIError, *_UNREADABLE) as error:
            return Answer(fault=f"no HTTP that can be read ({type(error).__name__})")
        return read_answer(raw.http_response.content)


def run(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, in a thread of its own if this one has a loop already (Jupyter).

    An interrupt ends it in both cases.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    outer = asyncio.current_task()
    cancelled = outer.cancelling() if outer else 0
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def told() -> T:
        work = asyncio.ensure_future(make())
        begun.set_result((asyncio.get_running_loop(), work))
        return await work

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(lambda: asyncio.run(told()))
        try:
            while not wait([ended], LOOK_UP).done:
                # What `asyncio.run` makes of a first interrupt is a task that is to be cancelled.
                if outer is not None and outer.cancelling() > cancelled:
                    raise KeyboardInterrupt
            return ended.result()
        finally:
            if not ended.done():
                loop, work = begun.result()
                with suppress(RuntimeError):  # it has ended by now
                    loop.call_soon_threadsafe(work.cancel)
