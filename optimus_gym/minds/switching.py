"""Reads the argument that chooses an agent's switches: a preset's name, or some switches by name."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from optimus_gym.core.errors import BadValue, UnknownName, shown

_SwitchesT = TypeVar("_SwitchesT")


def chosen_switches(
    wanted: object, kind: type[_SwitchesT], presets: Mapping[str, _SwitchesT]
) -> _SwitchesT:
    """Return the switches that an argument names: a preset, a mapping of switches, or switches.

    Args:
        wanted: the argument.
        kind: the frozen dataclass of an agent's switches, whose fields all have defaults.
        presets: the agent's presets, by name.

    Raises:
        UnknownName: the argument names an unknown preset or an unknown switch.
        BadValue: the argument is of another type, or a switch has an impossible value.
    """
    if isinstance(wanted, kind):
        return wanted
    if isinstance(wanted, str):
        if wanted not in presets:
            raise UnknownName("preset of switches", wanted, presets)
        return presets[wanted]
    if not isinstance(wanted, Mapping):
        raise BadValue(f"switches: expected a preset's name or a mapping, got {shown(wanted)}")
    known: dict[str, Any] = asdict(kind())  # type: ignore[call-overload]
    for name in wanted:
        if name not in known:
            raise UnknownName("switch", name, known)
    chosen: dict[str, Any] = dict(wanted)
    return kind(**chosen)
