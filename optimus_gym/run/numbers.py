"""Read whole numbers from typed text."""

from optimus_gym.core.errors import BadValue, shown


def read_count(name: str, text: str, most: int) -> int:
    """Read a whole number from 1 to `most`.

    Raises:
        BadValue: the text is no such number; the message begins with `name`.

    >>> read_count("have", " 12 ", 1000)
    12
    """
    digits = text.strip()
    if digits.isdecimal() and len(digits) <= len(str(most)) and 1 <= int(digits) <= most:
        return int(digits)
    raise BadValue(f"{name}: expected an integer from 1 to {most}, got {shown(text)}")
