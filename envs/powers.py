"""Reads the powers (capabilities) of a world; checks that they suffice for the view and the parts."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, get_args

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Judge
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.interfaces import Agent, Backbone, Controller
from optimus_gym.core.world_powers import POWERS
from optimus_gym.envs.config import EnvConfig

SOCKETS: Mapping[str, type] = MappingProxyType(
    {"agent": Agent, "backbone": Backbone, "controller": Controller}
)
"""The interface that an agent, a backbone and a controller must have, by kind of part."""
_JUDGES = get_args(Judge)


def powers_of(config: EnvConfig) -> frozenset[str]:
    """Return the powers of the world that a configuration names, without making the world.

    Raises:
        UnknownName, BadValue: the world does not exist, or declares an unknown power.
    """
    maker = _maker(config)
    can = getattr(maker, "can", None)
    if not isinstance(can, Collection) or not set(can) <= set(POWERS):
        raise BadValue(
            f"world {config.name_of('world')!r}: expected an attribute `can` with some of "
            f"{sorted(POWERS)}, got {can!r}"
        )
    return frozenset(can)


def _maker(config: EnvConfig) -> Any:
    """Return the world's class, or the given world."""
    part = config.parts["world"]
    return config.world if part is None else part.maker


def with_way(config: EnvConfig, can: Collection[str]) -> EnvConfig:
    """Return a configuration whose `crafting` is the way to craft in a world with the powers `can`.

    Raises:
        BadValue: the world lacks the power that the argument `crafting` needs; the message names both.

    >>> with_way(EnvConfig(task="Wood"), {"keys", "mouse"}).crafting
    'gui'
    """
    mouse_alone = "mouse" in can and "functions" not in can
    way = config.crafting or ("gui" if mouse_alone else "functional")
    lacking = "mouse" if way == "gui" else "functions"
    if lacking not in can and (way == "gui" or mouse_alone):
        raise BadValue(
            f"crafting: expected for {way!r} a world with {_in_words([lacking])}, got world "
            f"{config.name_of('world')!r}"
        )
    return config if config.crafting == way else replace(config, crafting=way)


def powers_for(crafting: str | None, can: Collection[str]) -> frozenset[str]:
    """Return the powers of a world that one way to craft leaves in use: either "functions" or "mouse".

    >>> sorted(powers_for("gui", {"keys", "functions", "mouse"}))
    ['keys', 'mouse']
    """
    return frozenset(can) - {"functions" if crafting == "gui" else "mouse"}


def check_powers(config: EnvConfig, can: frozenset[str], view: str, needs: Collection[str]) -> None:
    """Reject a world that lacks a power or biome that the view, the protocol or the configuration needs.

    Raises:
        BadValue: the world lacks a power (the message names the world and what needs the power), or the
            world lists no biomes.
        UnknownName: the world lacks the biome.
    """
    world = config.name_of("world")
    biomes = getattr(_maker(config), "biomes", None)
    if not isinstance(biomes, Collection) or isinstance(biomes, str):
        raise BadValue(
            f"world {world!r}: expected an attribute `biomes` with names of biomes, got {shown(biomes)}"
        )
    for biome in (config.biome, (config.start or {}).get("biome")):
        if biome is not None and biome not in biomes:
            raise UnknownName("biome", biome, biomes)
    missing = sorted(set(needs) - can)
    if missing:
        raise BadValue(
            f"world: expected the powers {', '.join(sorted(needs))} for the {view} view, got {world!r} "
            f"without {_in_words(missing)}"
        )
    lacking = sorted({"pictures", "messages"} - can)
    if config.messages and lacking:
        raise BadValue(
            f"messages: expected a world with {_in_words(lacking)}, got {world!r}; leave out messages=True"
        )
    if config.rules.death == "respawn" and "respawn" not in can and "keys" in can:
        raise BadValue(
            f"protocol {config.protocol!r}: expected a world that respawns players, got {world!r} without "
            f"{_in_words(['respawn'])}"
        )


def check_part(config: EnvConfig, kind: str, part: Any, can: frozenset[str]) -> None:
    """Reject a part that lacks members of its kind's interface, or needs a power that the world lacks.

    Raises:
        BadValue: the part is a class, lacks members of its interface, or needs a power that is unknown or
            that the world lacks.
    """
    name = f"{kind} {config.name_of(kind)!r}"
    if isinstance(part, type):
        raise BadValue(f"{name}: expected an object, got the class {part.__name__}")
    missing = [member for member in _members(SOCKETS[kind]) if not hasattr(part, member)]
    if missing:
        raise BadValue(
            f"{name}: expected an object with {', '.join(_members(SOCKETS[kind]))}, got a "
            f"{type(part).__name__} without {', '.join(missing)}"
        )
    needs = frozenset(getattr(part, "needs", ()))
    if not needs <= set(POWERS):
        raise BadValue(
            f"{name}: expected `needs` with some of {', '.join(POWERS)}, "
            f"got {sorted(needs - set(POWERS))}"
        )
    if needs - can:
        raise BadValue(
            f"{name}: expected a world with {_in_words(sorted(needs - can))}, got "
            f"{config.name_of('world')!r}"
        )


def check_watch(config: EnvConfig, agent: Agent, executes: bool) -> None:
    """Check an agent's `period` (ticks between calls of `watch`) and `judge` (what ends a sub-goal as done).

    Args:
        config: the environment's arguments.
        agent: the agent.
        executes: whether executors or a policy outside carry out sub-goals tick by tick.

    Raises:
        BadValue: `period` or `judge` is wrong; the message holds the expected and the actual value.
    """
    name = f"agent {config.name_of('agent')!r}"
    if agent.period is not None:
        check_count(f"{name}: period", agent.period, 1)
    if agent.judge not in _JUDGES:
        raise BadValue(
            f"{name}: judge: expected one of {', '.join(_JUDGES)}, got {shown(agent.judge)}"
        )
    if agent.judge == "reflector" and agent.period is None and executes:
        raise BadValue(
            f"{name}: expected a period of ticks with judge 'reflector', got None: with this judge only a "
            "verdict ends a sub-goal"
        )


def _members(socket: type) -> list[str]:
    """Return the names of the attributes and methods of an interface (a `typing.Protocol`)."""
    methods = [name for name, value in vars(socket).items() if callable(value)]
    return [*socket.__annotations__, *(name for name in methods if not name.startswith("_"))]


def _in_words(powers: Collection[str]) -> str:
    return ", ".join(f"{name!r} ({POWERS[name]})" for name in powers)
