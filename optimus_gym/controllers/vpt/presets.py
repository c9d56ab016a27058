"""Settings of public systems that use STEVE-1: withheld keys, tool in hand, memory, latent and guidance."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from optimus_gym.core.checks import check_name
from optimus_gym.core.plain import read_json
from optimus_gym.game.rows import checked


@dataclass(frozen=True, slots=True)
class Preset:
    """The settings of one public system.

    Attributes:
        never: keys (of `core.actions.KEYS`) that never reach the world.
        holds_tool: whether the strongest held tool that fits the sub-goal is kept in hand.
        forgets: when the policy's memory is emptied: with each "episode" or each "sub-goal".
        latent: when the prior's latent is drawn: once a "sub-goal" or each "tick".
        text_guidance: strength of the guidance towards a text, from 0.
        visual_guidance: strength of the guidance towards a video, from 0.
    """

    never: tuple[str, ...]
    holds_tool: bool
    forgets: str
    latent: str
    text_guidance: float
    visual_guidance: float


def preset(name: str) -> Preset:
    """Return the settings of a public system: "steve-1", "optimus-1" or "jarvis-1".

    The settings are rows of `data/presets.json`, each with the source that it comes from.

    >>> preset("jarvis-1").never
    ('inventory', 'hotbar')

    Raises:
        UnknownName: no system has this name.
    """
    return _presets()[check_name("as_in", name, _presets())]


@cache
def _presets() -> Mapping[str, Preset]:
    text = files("optimus_gym.controllers.vpt.data").joinpath("presets.json").read_text("utf-8")
    return MappingProxyType(
        {
            row["name"]: Preset(
                tuple(row["never"]),
                row["holds_tool"],
                row["forgets"],
                row["latent"],
                row["text_guidance"],
                row["visual_guidance"],
            )
            for row in checked(read_json(text, "presets.json"), "presets.json")
        }
    )
