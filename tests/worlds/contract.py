"""What every world keeps (`optimus_gym.core.interfaces.World`), to be tried on any world.

`WorldContract(make)` is given a function that makes a world of so many rows; each `check_...` makes its
own worlds, asks only for what they declare and raises AssertionError where the contract is broken.
`CHECKS` names all of them. `check_breakdown` is for a world that is known to break down.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    FORWARD,
    PITCH,
    YAW,
    Function,
    noop,
)
from optimus_gym.core.errors import BadValue, OptimusError, UnknownName, WorldFailed
from optimus_gym.core.interfaces import POWERS, Done, World
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure, Setup, Sight, SubGoal
from optimus_gym.game.items import item
from optimus_gym.vision.hud_reader import HudReader, Stack
from tests.worlds.held import held
from tests.worlds.playing import (
    ANSWERS,
    LIMIT,
    SIZE,
    Answers,
    act,
    answers,
    are_equal,
    call,
    differences,
    global_draws,
    keys,
    pictures,
    rest,
    seen,
)

METHODS: Mapping[str, tuple[str, ...]] = {
    "subgoals": ("carry_out",),
    "snapshots": ("snapshot", "restore"),
    "sights": ("sights",),
    "arrays": ("worlds",),
    "respawn": ("respawn",),
    "biome_share": ("biome_share",),
    "night_vision": ("bright_frames",),
    "overlay": ("overlay",),
    "predicaments": ("predicaments",),
}
"""What a world has beside `World`'s methods if it declares a power."""
ACTING = frozenset({"keys", "mouse", "subgoals"})
"""Powers without which nothing can be done in a world."""
PATIENCE = 400
"""Ticks after which what should have happened is no longer waited for."""
KIT = {"oak_log": 9, "iron_boots": 1, "dirt": 70}
BAD = (
    Setup(seed=9, biome="plain"),
    Setup(seed=9, inventory={"oak_logs": 1}),
    Setup(seed=9, inventory={"stone": 36 * 64 + 1}),
    Setup(seed=9, weather="snow"),
)


@contextmanager
def refused(why: str, kinds: tuple[type[OptimusError], ...] = (BadValue,)) -> Iterator[None]:
    """Expect that a world refuses something."""
    try:
        yield
    except kinds:
        return
    raise AssertionError(f"expected to be refused: {why}")


@dataclass(frozen=True)
class WorldContract:
    """The contract, to be tried on worlds.

    Attributes:
        make: makes a world of so many rows.
        setup: how its episodes begin; its biome must be one that the world has.
        bad_setups: what it must refuse.
        deadly: a setup of which a player who does nothing dies; for worlds with "keys".
        steps: how long it is played.
    """

    make: Callable[[int], Any]
    setup: Setup = field(default_factory=lambda: Setup(seed=3, biome="plains", inventory=KIT))
    bad_setups: Sequence[Setup] = BAD
    deadly: Setup = field(
        default_factory=lambda: Setup(5, position=(0.5, 250.0, 0.5), difficulty="normal")
    )
    steps: int = 24

    @contextmanager
    def begun(self, count: int, **changes: Any) -> Iterator[Any]:
        """Make a world all of whose rows begin alike."""
        world = self.make(count)
        for row in range(count):
            world.reset(row, replace(self.setup, **changes))
        yield world
        world.close()

    def check_declarations(self) -> None:
        world = self.make(2)
        assert isinstance(world, World), "it lacks a method or an attribute of World"
        assert world.count == 2
        assert isinstance(world.can, frozenset)
        assert world.can <= set(POWERS), f"no powers: {sorted(world.can - set(POWERS))}"
        assert world.can & ACTING, "nothing can be done in it"
        assert isinstance(world.options, tuple)
        assert world.biomes
        assert all(isinstance(name, str) for name in (*world.options, *world.biomes))
        for power in sorted(world.can):
            for method in METHODS.get(power, ()):
                assert hasattr(world, method), f"{power} is declared, {method} is missing"
        world.close()

    def check_close(self) -> None:
        self.make(1).close()
        with self.begun(2) as world:
            act(world, [0], 0)
            world.close()

    def check_arrays(self) -> None:
        with self.begun(3) as world:
            act(world, [0, 1], 0)
            act(world, [1], 1)
            for rows in ([2, 0], (1,), np.arange(3), []):
                single = [answers(world, [int(row)]) for row in rows]
                told, again = answers(world, rows), answers(world, rows)
                for k, (name, shape, dtype) in enumerate(ANSWERS):
                    assert told[k].shape == (len(rows), *shape), (name, told[k].shape)
                    assert told[k].dtype == dtype, (name, told[k].dtype)
                    assert not np.shares_memory(told[k], again[k]), name
                    for answer, alone in zip(told[k], single, strict=True):
                        assert np.array_equal(answer, alone[k][0]), name
            self._check_nothing_is_shared(world)
            self._check_values(answers(world, range(3)))

    @staticmethod
    def _check_nothing_is_shared(world: Any) -> None:
        rows = [0, 1, 2]
        kept = answers(world, rows)
        copies = tuple(answer.copy() for answer in kept)
        for answer in answers(world, rows):
            answer[...] = answer == 0
        assert are_equal(answers(world, rows), copies), "what it returned is its own"
        act(world, rows, 2)
        assert are_equal(kept, copies), "what it returned changes later"

    @staticmethod
    def _check_values(told: Answers) -> None:
        counts, equipment, _, poses, _ = told
        assert (counts >= 0).all()
        assert not counts[:, 0].any(), "air is no item"
        worn = np.take_along_axis(counts, equipment.astype(np.int64), 1)
        assert ((worn > 0) | (equipment == 0)).all(), "what is worn is held"
        assert ((poses[:, 3] >= 0) & (poses[:, 3] < 360)).all(), "yaw is 0 to 360"
        assert (np.abs(poses[:, 4]) <= 90).all(), "pitch is -90 to 90"

    def check_pictures(self) -> None:
        with self.begun(2) as world:
            act(world, [1], 0)
            both = pictures(world, [1, 0], fill=7)
            assert np.array_equal(both, pictures(world, [1, 0], fill=200)), "not all is drawn"
            assert np.array_equal(both[::-1], [pictures(world, [k])[0] for k in range(2)])
            if "pictures" in world.can:
                assert len(np.unique(both)) > 20, "there is nothing to see"
            if "sights" in world.can:
                sights = world.sights(0, SIZE[::-1])
                assert all(isinstance(sight, Sight) and sight.pixels > 0 for sight in sights)
                assert list(sights) == sorted(sights, key=lambda one: (-one.pixels, one.name))

    def check_overlay(self) -> None:
        """A screen is read with the overlay that the world hands over."""
        with self.begun(1, inventory={"cobblestone": 17}) as world:
            if not {"overlay", "pictures"} <= world.can:
                return
            screen = np.zeros((1, 360, 640, 3), np.uint8)
            world.frames([0], screen)
            shown = HudReader(world.overlay()).read(screen[0])
            assert (shown.health, shown.food, shown.air) == (20, 20, 10)
            assert Stack("cobblestone", 17) in shown.hotbar

    def check_repeats(self) -> None:
        """The same seed and actions give the same in another world, another row and after other draws."""
        before, history = global_draws(), []
        with self.begun(1) as world:
            for step in range(self.steps):
                act(world, [0], step)
                history.append(seen(world, 0))
        assert global_draws() == before, "it draws from a generator that belongs to everybody"
        with self.begun(3) as world:
            world.reset(0, replace(self.setup, seed=self.setup.seed + 1))
            for step, expected in enumerate(history):
                act(world, [2, 0], step)
                found = differences(expected, seen(world, 2))
                assert not found, f"step {step}: other {found}"

    def check_rows_that_stand_still(self) -> None:
        with self.begun(3) as world:
            before = seen(world, 1)
            for step in range(self.steps):
                act(world, [0, 2], step)
            assert not differences(before, seen(world, 1)), "a row changed that did not tick"
            for step in range(self.steps):
                act(world, [1], step)
            assert not differences(seen(world, 0), seen(world, 1)), "rows depend on each other"

    def check_asking(self) -> None:
        """Row 0 is asked all the time, row 1 never."""
        with self.begun(2) as world:
            for step in range(self.steps):
                act(world, [0, 1], step)
                assert not differences(seen(world, 0), seen(world, 0)), "asking changes answers"
            assert not differences(seen(world, 0), seen(world, 1)), "asking changes what follows"

    def check_reset(self) -> None:
        with self.begun(2) as world:
            for step in range(self.steps):
                act(world, [0], step)
            world.reset(0, replace(self.setup, seed=77, inventory={"stone": 3}))
            assert held(world, 0) == {"stone": 3}
            world.reset(0, self.setup)
            assert not differences(seen(world, 0), seen(world, 1)), "a reset leaves something"
            assert held(world, 0) == dict(self.setup.inventory)
            assert world.biome(0) in (None, self.setup.biome)
            assert world.events(0) == ()
            assert world.alive([0])[0]
            assert world.bodies([0])[1][0, 0] == 20
            act(world, [0, 1], 0)
            assert not differences(seen(world, 0), seen(world, 1))

    def check_bad_setups(self) -> None:
        with self.begun(2) as world:
            act(world, [0, 1], 0)
            for setup in self.bad_setups:
                with refused(str(setup), (BadValue, UnknownName)):
                    world.reset(0, setup)
                assert not differences(seen(world, 0), seen(world, 1)), f"{setup} changed something"
            act(world, [0, 1], 1)
            assert not differences(seen(world, 0), seen(world, 1))

    def check_functions(self) -> None:
        """What is held is counted in the very tick, whatever the events say."""
        with self.begun(1, inventory={"oak_log": 1}) as world:
            if "functions" not in world.can:
                return
            call(world, Function.CRAFT, "oak_planks")
            assert held(world) == {"oak_planks": 4}
            world.reset(0, replace(self.setup, inventory={"furnace": 1, "iron_ore": 1, "coal": 1}))
            call(world, Function.PLACE, "furnace")
            assert held(world) == {"iron_ore": 1, "coal": 1}
            assert "furnace" in world.stations(0)
            call(world, Function.SMELT, "iron_ingot")
            assert held(world) == {}, "what is in the furnace is held no more"
            for _ in range(PATIENCE):
                assert held(world) == {}
                rest(world)
                if any(event.kind == "smelted" for event in world.events(0)):
                    break
            assert held(world) == {"iron_ingot": 1}
            call(world, Function.EQUIP, "iron_ingot")
            assert world.bodies([0])[0][0, 0] == item("iron_ingot").id

    def check_events(self) -> None:
        with self.begun(1, inventory={"oak_log": 2}) as world:
            if "functions" in world.can:
                call(world, Function.CRAFT, "oak_planks")
                assert Event("crafted", "oak_planks", 4) in world.events(0)
                rest(world)
                assert "crafted" not in {event.kind for event in world.events(0)}
            if "subgoals" in world.can:
                world.carry_out(0, SubGoal("mine", "dirt"), LIMIT)
                assert Event("picked_up", "dirt", 1) in world.events(0)
                world.carry_out(0, SubGoal("craft", "oak_planks", 4), LIMIT)
                assert Event("crafted", "oak_planks", 4) in world.events(0)
                assert "picked_up" not in {event.kind for event in world.events(0)}
                rest(world)
                assert world.events(0) == ()
            assert isinstance(world.events(0), tuple)

    def check_keys(self) -> None:
        with self.begun(1) as world:
            if "keys" not in world.can:
                return
            *_, yaw, pitch = world.poses([0])[0]
            rest(world)
            assert world.poses([0])[0, 3:].tolist() == [yaw, pitch], "nothing pressed turns it"
            action = noop()
            action[PITCH], action[YAW] = 9, 8
            world.tick([0], action[None])
            turned = [(yaw + CAMERA_DEGREES[8]) % 360, pitch + CAMERA_DEGREES[9]]
            assert np.allclose(world.poses([0])[0, 3:], turned), "yaw to the right, pitch down"
            gone = [self._walk(world, key) for key in (1, 2)]
            assert 0.5 < max(gone) < 10, f"it walked {gone} blocks in 20 ticks"

    @staticmethod
    def _walk(world: Any, key: int) -> float:
        """Walk 20 ticks forward (1) or back (2); return how far it went."""
        before, action = world.poses([0])[0, :3], noop()
        action[FORWARD] = key
        for _ in range(20):
            world.tick([0], action[None])
        return float(np.hypot(*(world.poses([0])[0, :3] - before)[[0, 2]]))

    def check_subgoals(self) -> None:
        with self.begun(1, inventory={"oak_log": 2}) as world:
            if "subgoals" not in world.can:
                return
            done = world.carry_out(0, SubGoal("craft", "oak_planks", 4), LIMIT)
            assert isinstance(done, Done)
            assert done.failure is None
            assert 1 <= done.ticks <= LIMIT
            assert held(world) == {"oak_log": 1, "oak_planks": 4}
            late = world.carry_out(0, SubGoal("mine", "sand", 64), 1)
            assert late.ticks == 1
            assert late.failure is not None
            assert late.failure.reason == "timeout"
            lacking = world.carry_out(0, SubGoal("equip", "iron_boots"), LIMIT)
            assert isinstance(lacking.failure, Failure)
            if "keys" not in world.can:
                before = held(world)
                world.tick([0], keys(0, True)[None])
                assert held(world) == before, "keys do something that are not declared"

    def check_death(self) -> None:
        """Death is a state: it lasts until the player is brought back."""
        with self.begun(2) as world:
            if "keys" not in world.can:
                return
            world.reset(1, self.deadly)
            before = seen(world, 1)
            if "respawn" in world.can:
                with refused("to bring back who lives"):
                    world.respawn(1)
                assert not differences(before, seen(world, 1))
            for _ in range(PATIENCE):
                rest(world, (1,))
                if not world.alive([1])[0]:
                    break
            for _ in range(10):
                assert world.alive([0, 1]).tolist() == [True, False]
                rest(world, (0, 1))
            if "respawn" in world.can:
                world.respawn(1)
                assert world.alive([1])[0]
                assert world.bodies([1])[1][0, 0] == 20
            world.reset(1, self.deadly)
            assert not differences(before, seen(world, 1)), "the dead leave something"

    def check_snapshots(self) -> None:
        with self.begun(3) as world:
            if "snapshots" not in world.can:
                return
            act(world, [0], 0)
            saved, then = world.snapshot(0), seen(world, 0)
            for step in range(1, self.steps):
                act(world, [0], step)
            expected = seen(world, 0)
            world.reset(1, replace(self.setup, seed=9, inventory={"stone": 3}))
            still = seen(world, 2)
            for row in (1, 0):
                world.restore(row, Snapshot.from_bytes(saved.to_bytes()))
                assert not differences({**then, "events": ()}, {**seen(world, row), "events": ()})
                for step in range(1, self.steps):
                    act(world, [row], step)
                assert not differences(expected, seen(world, row)), "it goes on in another way"
            for foreign in (
                Snapshot("another", saved.layout, saved.parts),
                Snapshot(saved.world, "another", saved.parts),
                Snapshot(saved.world, saved.layout, saved.parts[:-1]),
            ):
                with refused("a foreign snapshot"):
                    world.restore(2, foreign)
                assert not differences(still, seen(world, 2)), "a refused snapshot changed it"


CHECKS = tuple(name for name in vars(WorldContract) if name.startswith("check_"))
"""Names of all checks."""


def check_breakdown(make: Callable[[int], Any], row: int, tick: int) -> None:
    """Check that the others go on where a world breaks down.

    Args:
        make: makes the world.
        row: 0 to 2, the row that breaks down.
        tick: its tick in which it does, the first is 1.
    """
    contract, others = WorldContract(make), [k for k in range(3) if k != row]
    with contract.begun(3) as world, contract.begun(3) as sound:
        for step in range(tick + 2):
            reasons: Mapping[int, str] = {}
            try:
                act(world, [0, 1, 2], step)
            except WorldFailed as failed:
                reasons = failed.reasons
            act(sound, others, step)
            assert set(reasons) == ({row} if step + 1 >= tick else set()), f"step {step}: {reasons}"
            assert all(reasons.values()), "no reason is given"
            for other in others:
                assert not differences(seen(world, other), seen(sound, other)), "it did not go on"
        world.reset(row, contract.setup)
        sound.reset(row, contract.setup)
        assert not differences(seen(world, row), seen(sound, row))
