"""Rules about a world's power "commands"."""

from functools import partial
from typing import Final

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.protocols import COMMANDED
from optimus_gym.testing.contract import Contract, expect, expect_refusal
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_play import different_answers, held_counts, seen

OBEYING: Final = Contract(WorldCase)
"""The rules about commands."""
_GIVE: Final = "/give @s minecraft:diamond 3"
_BAD: Final = ("", "/gve @s diamond", "/give @s diamnod", "/give @s diamond 0", "/give @s")
"""Commands that each world must refuse."""


@OBEYING.rule
def commands_act_at_once(case: WorldCase) -> None:
    """After `command`, the queries show the command's effect in its row alone, before any tick."""
    case.need("commands")
    with case.begun(2) as world:
        before, other = held_counts(world), seen(world, 1)
        line = world.command(0, _GIVE)
        expect(isinstance(line, str), "a text", line, world, "command")
        held = held_counts(world)
        wanted = {**before, "diamond": before.get("diamond", 0) + 3}
        expect(held == wanted, f"{wanted} held after {_GIVE!r}", held, world, "command")
        found = different_answers(other, seen(world, 1))
        expect(not found, "no change of row 1", f"other {found}", world, "command")


@OBEYING.rule
def commands_are_assists(case: WorldCase) -> None:
    """From the first command to the next reset, `assists` names "commands"."""
    case.need("commands")
    with case.begun(1) as world:
        before = world.assists(0)
        world.command(0, _GIVE)
        told = world.assists(0)
        wanted = {*before, COMMANDED}
        expect(set(told) == wanted and COMMANDED not in before, f"{wanted}", told, world, "assists")
        world.reset(0, case.setup)
        told = world.assists(0)
        expect(told == before, f"{before} after a reset", told, world, "assists")


@OBEYING.rule
def refuses_bad_commands(case: WorldCase) -> None:
    """A world refuses an unknown command, item or count, and does not change."""
    case.need("commands")
    with case.begun(1) as world:
        before = seen(world, 0)
        for text in _BAD:
            call = partial(world.command, 0, text)
            expect_refusal(call, (BadValue, UnknownName), f"the command {text!r}", world, "command")
            found = different_answers(before, seen(world, 0))
            expect(not found, f"no change by {text!r}", f"other {found}", world, "command")
