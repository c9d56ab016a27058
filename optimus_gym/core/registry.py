"""Names of the exchangeable parts: kind -> name -> "module:attribute"; importing the module loads no part."""

import importlib
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName, hint, reason_of, shown

_TABLES: dict[str, dict[str, str]] = {
    "world": {
        "voxel": "optimus_gym.worlds.voxel.world:VoxelWorld",
        "symbolic": "optimus_gym.worlds.symbolic.world:SymbolicWorld",
        "minerl": "optimus_gym.worlds.malmo.client.world:MineRLWorld",
        "minerl-1.0": "optimus_gym.worlds.malmo.client.world:MineRL1World",
        "minestudio": "optimus_gym.worlds.malmo.client.env_worlds:MineStudioWorld",
    },
    "controller": {
        "constant": "optimus_gym.controllers.constant:ConstantController",
        "oracle": "optimus_gym.controllers.oracle.oracle:OracleController",
        "pixel": "optimus_gym.controllers.pixel.pixel:PixelController",
        "random": "optimus_gym.controllers.random:RandomController",
        "sb3": "optimus_gym.controllers.sb3:Sb3Controller",
        "steve-1": "optimus_gym.controllers.steve1.steve1:Steve1Controller",
        "teacher": "optimus_gym.controllers.teacher.teacher:TeacherController",
        "unreliable": "optimus_gym.controllers.unreliable:UnreliableController",
        "vpt": "optimus_gym.controllers.vpt.vpt:VPTController",
        "wire-sighted": "optimus_gym.controllers.wire_sighted.wire_sighted:WireSightedController",
    },
    "helper": {
        "functional": "optimus_gym.controllers.helper.helper:HelperController",
        "gui": "optimus_gym.controllers.helper.by_mouse:MouseHelperController",
    },
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
        "optimus-1": "optimus_gym.agents.optimus1.agent:Optimus1",
        "jarvis-1": "optimus_gym.agents.jarvis1.agent:Jarvis1",
        "code-as-policies": "optimus_gym.agents.code_as_policies:CodeAsPolicies",
        "deps": "optimus_gym.agents.deps.agent:Deps",
        "explorer": "optimus_gym.agents.explorer:Explorer",
        "mp5": "optimus_gym.agents.mp5.agent:Mp5",
        "inner-monologue": "optimus_gym.agents.inner_monologue:InnerMonologue",
        "none": "optimus_gym.agents.unplanned:Unplanned",
        "one-subgoal": "optimus_gym.agents.one_subgoal:OneSubgoal",
        "react": "optimus_gym.agents.react:React",
        "sb3": "optimus_gym.agents.learned:LearnedAgent",
        "zero-shot": "optimus_gym.agents.zero_shot:ZeroShot",
    },
    "reward": {
        "subgoal": "optimus_gym.envs.rewards.subgoals:SubGoalReward",
        "subgoal+aligner": "optimus_gym.envs.rewards.aligned:AlignedReward",
        "milestones": "optimus_gym.envs.rewards.possessions:Milestones",
        "obtain-diamond": "optimus_gym.envs.rewards.possessions:ObtainDiamond",
        "obtain-diamond-dense": "optimus_gym.envs.rewards.possessions:ObtainDiamondDense",
        "sparse": "optimus_gym.envs.rewards.simple:Sparse",
    },
}


def names(kind: str) -> Mapping[str, str]:
    """Return the registered names of a kind of part, each with its "module:attribute".

    >>> sorted(names("helper"))
    ['functional', 'gui']
    """
    if kind not in _TABLES:
        raise UnknownName("kind of part", kind, _TABLES)
    return MappingProxyType(_TABLES[kind])


def register(kind: str, name: str, target: str) -> None:
    """Register a part of your own under a short name.

    Raises:
        BadValue: the name is taken, or the target is not of the form "module:attribute".
    """
    table = _TABLES.setdefault(kind, {})
    if name in table:
        raise BadValue(f"{kind} {name!r} is registered already, as {table[name]!r}")
    _split(kind, target)
    table[name] = target


def load(kind: str, name: str) -> Any:
    """Import and return the part with a registered name or at a full "module:attribute" path.

    Raises:
        UnknownName: the name is neither registered nor a path.
        BadValue: the path's module does not exist, cannot be imported, or lacks the attribute.
        MissingExtra: the import needs an optional dependency.
    """
    table = names(kind)
    if not isinstance(name, str) or (name not in table and ":" not in name):
        raise UnknownName(kind, name, table)
    return import_named(kind, table.get(name, name))


def import_named(kind: str, target: str) -> Any:
    """Import and return the object at a "module:attribute" path, such as a class that an option names.

    Raises:
        BadValue: the path has another form, or its module or attribute does not exist or cannot be imported.
        MissingExtra: the import needs an optional dependency.
    """
    path, attribute = _split(kind, target)
    module = _imported(kind, path)
    try:
        return getattr(module, attribute)
    except AttributeError:
        public = [known for known in dir(module) if not known.startswith("_")]
        raise BadValue(
            f"{kind}: the module {path!r} has no {attribute!r}; {hint(attribute, public)}"
        ) from None


def _imported(kind: str, path: str) -> ModuleType:
    """Import a module, or raise an error that says whether the module is missing or its import failed."""
    try:
        return importlib.import_module(path)
    except MissingExtra:
        raise
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{path}.".startswith(f"{error.name}."):
            why = f"there is no module {error.name!r} on Python's path"
            if error.name != path:
                why += f" for {path!r}"
            raise BadValue(f"{kind}: {why}") from error
        told = f"{type(error).__name__}: {reason_of(error)}"
        raise BadValue(f"{kind}: the import of {path!r} failed{_where(error)}: {told}") from error


def _where(error: BaseException) -> str:
    """Return the file and line at which a module's import failed; "" if the module's code never ran."""
    frames = traceback.extract_tb(error.__traceback__)[2:]  # without our and importlib's first
    own = [frame for frame in frames if not frame.filename.startswith("<frozen importlib")]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


def _split(kind: str, target: str) -> tuple[str, str]:
    module, _, attribute = target.partition(":")
    if not all(name.isidentifier() for name in (*module.split("."), attribute)):
        raise BadValue(f"{kind}: expected 'module:attribute', got {shown(target)}")
    return module, attribute
