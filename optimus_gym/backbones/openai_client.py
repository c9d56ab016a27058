"""The client that a server is asked with: it reads no more of an answer than there can be use for."""

from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

LONGEST_BODY: Final = 4 * 2**20
"""Bytes of what comes back, beyond which nothing is read: thrice what 100,000 characters take in JSON."""


class Unread(Exception):
    """An answer that is not read to its end; says in words why."""


def bounded_client(library: Any, **options: Any) -> Any:
    """Return an HTTP client for the library's, which never holds more than 4 MiB of an answer.

    It asks for answers that are not compressed, as a small one of those may be endless, and follows no
    redirection, so that a question goes where it was sent and nowhere else. It keeps no cookies: those of one
    row's answer would go along with the next row's question. What is longer, or compressed all the same,
    raises `Unread`; older versions of the library make it the cause of an error of their own.

    Args:
        library: the module openai.
        options: arguments of its `DefaultAsyncHttpxClient`.
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
        Unread: they are too many, or compressed.
    """
    packed = answer.headers.get("content-encoding", "").strip().lower()
    if packed not in ("", "identity"):
        raise Unread("answer in a compressed form that was not asked for")
    body = bytearray()
    async for piece in answer.aiter_raw():
        body += piece
        if len(body) > LONGEST_BODY:
            raise Unread(f"answer of more than {LONGEST_BODY:,} bytes")
    return bytes(body)
