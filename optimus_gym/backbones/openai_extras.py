"""Additional parts of a question: body fields, headers, and secrets from environment variables."""

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import plain_value

MOST_EXTRAS: Final = 50
"""Maximum number of entries in each option that adds body fields or headers."""
OWN_FIELDS: Final[Mapping[str, str]] = {
    "model": "model", "messages": "the request's text", "seed": "sends_seed", "stream": "streams",
    "temperature": "temperature", "max_tokens": "max_tokens", "max_completion_tokens": "max_tokens",
    "reasoning_effort": "reasoning_effort",
}  # fmt: skip
"""Body fields that the backbone sets itself, each with the option that sets the field."""
MANAGED: Final = frozenset(
    {
        *("host", "content-length", "content-type", "content-encoding", "transfer-encoding"),
        *("connection", "accept", "accept-encoding", "expect", "upgrade", "te", "trailer"),
    }
)
"""Headers that only the library may write."""
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE: Final = re.compile(r"[!-~](?:[ -~]{0,998}[!-~])?")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET_HEADER: Final = re.compile(
    r"(?i)auth|key$|(?:^|[-_])keys?(?:[-_]|$)|token|secret|passw|credential|cookie|signature|session"
)
_SECRET_FIELD: Final = re.compile(
    r"(?i)authorization|api[-_]?key|secret|passw|credential|cookie|(?:access|auth|bearer)[-_]?token"
)
_SECRET_VALUE: Final = re.compile(
    r"(?i:^\s*(?:bearer|basic|token)\s+\S)|\b(?:sk|pk|rk|gsk|hf|ghp|gho|glpat|nvapi|xox[abp]|AKIA|AIza)[-_]?"
    r"[A-Za-z0-9_-]{16,}"
)
"""Patterns of keys: an HTTP scheme before the key, or the prefixes of known services."""


def is_variable(name: object) -> bool:
    """Return whether a value can be the name of an environment variable."""
    return isinstance(name, str) and _VARIABLE.fullmatch(name) is not None


def checked_body(value: object) -> dict[str, Any]:
    """Return additional fields of a question's body, empty if there are none.

    Raises:
        BadValue: the value is no JSON mapping, or a field has its own option or looks like a secret.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping) or len(value) > MOST_EXTRAS:
        raise BadValue(
            f"extra_body: expected a mapping of at most {MOST_EXTRAS} fields, got {shown(value)}"
        )
    body: dict[str, Any] = plain_value("extra_body", dict(value))
    try:
        json.dumps(body, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"extra_body: expected a JSON value, got {shown(value)}") from error
    for name in body:
        if name in OWN_FIELDS:
            raise BadValue(
                f"extra_body: expected other fields than {name!r}, which {OWN_FIELDS[name]} sets"
            )
    _refuse_secrets(body)
    return body


def _refuse_secrets(value: object) -> None:
    if isinstance(value, list):
        for part in value:
            _refuse_secrets(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if _SECRET_FIELD.search(name):
                raise BadValue(
                    f"extra_body: expected no secret, got the field {shown(name)}; "
                    "options are written into specifications and results"
                )
            _refuse_secrets(part)
    elif isinstance(value, str) and _SECRET_VALUE.search(value):
        raise BadValue("extra_body: expected no secret, got a value like a key, which is not shown")


def checked_headers(value: object) -> dict[str, str]:
    """Return additional headers, empty if there are none.

    Raises:
        BadValue: a header cannot be sent, is the library's own, or looks like a secret.
    """
    headers = _headers("headers", value)
    for name, said in headers.items():
        if _SECRET_HEADER.search(name) or _SECRET_VALUE.search(said):
            raise BadValue(
                f"headers: expected no secret, got one in {name!r}, which is not shown; name the "
                f"environment variable that holds it: header_variables={{{name!r}: 'VARIABLE'}}"
            )
        if _VALUE.fullmatch(said) is None:
            raise BadValue(
                f"headers: expected ASCII letters and signs in {name!r}, got {shown(said)}"
            )
    return headers


def checked_variables(value: object) -> dict[str, str]:
    """Return the names of environment variables that hold headers, by header; empty if there are none.

    Raises:
        BadValue: a header cannot be sent, or a variable's name is malformed.
    """
    variables = _headers("header_variables", value)
    for name, variable in variables.items():
        if not is_variable(variable):
            raise BadValue(
                f"header_variables: expected the name of an environment variable for {name!r} (letters, "
                "digits, _), got something else, which is not shown, as it may be a key"
            )
    return variables


def _headers(option: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    named = isinstance(value, Mapping) and len(value) <= MOST_EXTRAS
    if not named or not isinstance(value, Mapping):
        raise BadValue(
            f"{option}: expected a mapping of at most {MOST_EXTRAS} headers, got something else"
        )
    for name, said in value.items():
        if (
            not isinstance(name, str)
            or _HEADER.fullmatch(name) is None
            or not isinstance(said, str)
        ):
            raise BadValue(
                f"{option}: expected a valid header name with a text as value in each entry, "
                f"got {shown(name)}, which has an invalid name or value"
            )
        if name.lower() in MANAGED:
            raise BadValue(
                f"{option}: expected other headers than {name!r}, which the library writes"
            )
    return dict(value)


def header_values(variables: Mapping[str, str]) -> dict[str, str]:
    """Return headers with their current values from environment variables.

    Raises:
        BadValue: a value is missing or unfit for a header; the message names only the variable.
    """
    found = {}
    for name, variable in variables.items():
        value = os.environ.get(variable, "").strip()
        if _VALUE.fullmatch(value) is None:
            got = "a value that no header can hold" if value else "none"
            raise BadValue(
                f"expected a value for the header {name!r} in the environment variable {variable}, got "
                f"{got} (backbone 'openai')"
            )
        found[name] = value
    return found


def checked_effort(value: object) -> str | None:
    """Return how much a model should think, in the server's word; None: the server's default.

    Raises:
        BadValue: the value is no word.
    """
    if value is None or (isinstance(value, str) and re.fullmatch(r"[a-z][a-z_-]{0,19}", value)):
        return value
    raise BadValue(
        "reasoning_effort: expected a word such as 'low', 'medium' or 'high', or None, "
        f"got {shown(value)}"
    )
