"""The HTTP client for servers: it reads a bounded part of each answer."""

from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

LONGEST_BODY: Final = 4 * 2**20
"""Maximum number of bytes read of a response: more than three times the largest size of 100,000 characters in
JSON (12 bytes each)."""


class Unread(Exception):
    """An answer was not read to its end; the message says why."""


def bounded_client(library: Any, **options: Any) -> Any:
    """Return an HTTP client for the library openai that reads at most 4 MiB of an answer.

    The client asks for uncompressed answers, since a small compressed answer may unpack to any size. The
    client follows no redirection, so that a question reaches only its own server. The client stores no
    cookies: a cookie from the answer for one row (world) would be sent with the next row's question. An
    answer above 4 MiB, or a compressed answer, raises `Unread`; older versions of the library raise their own
    error with `Unread` as its cause.

    Args:
        library: the module openai.
        options: arguments of the library's `DefaultAsyncHttpxClient`.
    """

    class Bounded(library.DefaultAsyncHttpxClient):  # type: ignore[misc]
        async def send(self, request: Any, **how: Any) -> Any:
            how.update(stream=True, follow_redirects=False)
            answer = await super().send(request, **how)
            try:
                body = await _body(answer)
            finally:
                await answer.aclose()
            return type(answer)(
                answer.status_code, headers=answer.headers, content=body, request=request
            )

    cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return Bounded(headers={"Accept-Encoding": "identity"}, cookies=cookies, **options)


async def _body(answer: Any) -> bytes:
    """Return the bytes of an answer.

    Raises:
        Unread: the answer is too long or compressed.
    """
    packed = answer.headers.get("content-encoding", "").strip().lower()
    if packed not in ("", "identity"):
        raise Unread("the answer is compressed, although the request allows no compression")
    body = bytearray()
    async for piece in answer.aiter_raw():
        body += piece
        if len(body) > LONGEST_BODY:
            raise Unread(f"the answer exceeds {LONGEST_BODY:,} bytes")
    return bytes(body)
