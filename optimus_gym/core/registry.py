"""Names of the exchangeable parts: kind -> name -> "module:attribute"; importing this imports none."""

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from optimus_gym.core.errors import BadValue, UnknownName, shown

_TABLES: dict[str, dict[str, str]] = {
    "world": {
        "voxel": "optimus_gym.worlds.voxel.world:VoxelWorld",
        "symbolic": "optimus_gym.worlds.symbolic.world:SymbolicWorld",
    },
    "controller": {
        "oracle": "optimus_gym.controllers.oracle.oracle:OracleController",
        "random": "optimus_gym.controllers.random:RandomController",
        "sb3": "optimus_gym.controllers.sb3:Sb3Controller",
        "steve-1": "optimus_gym.controllers.steve1.controller:Steve1Controller",
        "unreliable": "optimus_gym.controllers.unreliable:UnreliableController",
        "vpt": "optimus_gym.controllers.vpt.controller:VPTController",
    },
    "helper": {"functional": "optimus_gym.controllers.helper.helper:HelperController"},
    "backbone": {
        "rules": "optimus_gym.backbones.rules:RulesBackbone",
        "fallible": "optimus_gym.backbones.fallible:FallibleBackbone",
        "openai": "optimus_gym.backbones.openai_api:OpenAIBackbone",
        "transformers": "optimus_gym.backbones.transformers_local:TransformersBackbone",
        "replay": "optimus_gym.backbones.replay:ReplayBackbone",
    },
    "aligner": {
        "mini": "optimus_gym.vision.mini_aligner:MiniAligner",
        "mineclip": "optimus_gym.vision.mineclip_aligner:MineClipAligner",
        "open_clip": "optimus_gym.vision.open_clip_aligner:OpenClipAligner",
    },
    "agent": {
        "optimus-1": "optimus_gym.agents.optimus1:Optimus1",
        "none": "optimus_gym.agents.unplanned:Unplanned",
    },
}


def names(kind: str) -> Mapping[str, str]:
    """Return the table of a kind of part.

    >>> sorted(names("helper"))
    ['functional']
    """
    if kind not in _TABLES:
        raise UnknownName("kind of part", kind, _TABLES)
    return MappingProxyType(_TABLES[kind])


def register(kind: str, name: str, target: str) -> None:
    """Add a part of your own under a short name.

    Raises:
        BadValue: the name is taken, or the target is not of the form "module:attribute".
    """
    table = _TABLES.setdefault(kind, {})
    if name in table:
        raise BadValue(f"{kind} {name!r} is registered already, as {table[name]!r}")
    _split(kind, target)
    table[name] = target


def load(kind: str, name: str) -> Any:
    """Import and return the part `name`, or the one at a full "module:attribute" path.

    Raises:
        UnknownName: the name stands in no table and is no path.
        BadValue: it is no path or one that leads nowhere; the original error is its cause.
    """
    table = names(kind)
    if not isinstance(name, str) or (name not in table and ":" not in name):
        raise UnknownName(kind, name, table)
    module, attribute = _split(kind, table.get(name, name))
    if name in table:
        return getattr(importlib.import_module(module), attribute)
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise BadValue(f"{kind}: expected a name or 'module:attribute', got {name!r}") from error


def _split(kind: str, target: str) -> tuple[str, str]:
    module, _, attribute = target.partition(":")
    if not all(name.isidentifier() for name in (*module.split("."), attribute)):
        raise BadValue(f"{kind}: expected 'module:attribute', got {shown(target)}")
    return module, attribute
