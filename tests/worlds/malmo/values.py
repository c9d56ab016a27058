"""Strategies of what both ends of the wire send: actions, reports and missions that a dialect can hold."""

from dataclasses import replace

from hypothesis import strategies as st

from optimus_gym.worlds.malmo.missions import (
    BlockGoal,
    ItemGoal,
    Mission,
    Navigation,
    Placement,
    StartStack,
)
from optimus_gym.worlds.malmo.reports import (
    EQUIPMENT,
    STATISTICS,
    Location,
    NearBlock,
    NearCreature,
    PlayerLife,
    Report,
    WireStack,
    Worn,
)
from optimus_gym.worlds.malmo.wire_actions import (
    FUNCTIONS,
    MOST_REACH,
    MOST_SIGHT,
    NO_BOX,
    WireAction,
    chat_line,
)

NAMES = st.text("abcdefghijklmnopqrstuvwxyz_0123456789", min_size=1, max_size=20)
ITEMS = NAMES.filter(lambda name: name not in ("air", "none"))
SMALL = st.floats(-1e6, 1e6)
TURNS = st.floats(-180, 180)
COUNTS = st.integers(0, 2**31)
TEXTS = (
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)
    .filter(lambda text: "\ufffe" not in text and "\uffff" not in text)
    .map(str.strip)
)
"""Texts that XML can hold, without blanks at their ends."""


def optional(strategy):
    return st.none() | strategy


def boxes(reach):
    return st.tuples(*[st.integers(-reach, reach)] * 6)


def actions(dialect):
    """Return the strategy of actions that a dialect can hold."""
    items = st.tuples(ITEMS, optional(st.integers(0, 15))).map(
        lambda pair: pair[0] if pair[1] is None else f"{pair[0]}#{pair[1]}"
    )
    chosen = st.dictionaries(st.sampled_from(tuple(FUNCTIONS)), items)
    ordered = chosen.map(lambda items: tuple((w, items[w]) for w in FUNCTIONS if w in items))
    nothing = st.just(NO_BOX)
    return st.builds(
        WireAction,
        keys=st.frozensets(st.sampled_from(dialect.keys)),
        pitch=TURNS,
        yaw=TURNS,
        functions=ordered if dialect.functions else st.just(()),
        chat=st.text(max_size=300).map(chat_line) if dialect.chat else st.just(""),
        voxels=boxes(MOST_REACH) if dialect.near else nothing,
        mobs=boxes(MOST_SIGHT) if dialect.near else nothing,
    )


def lives():
    return st.builds(
        PlayerLife,
        health=st.floats(0, 1024),
        food=st.integers(0, 20),
        saturation=st.floats(0, 20),
        air=st.integers(-20, 300),
        experience=COUNTS,
        score=COUNTS,
        alive=st.booleans(),
    )


def locations():
    return st.builds(
        Location,
        **dict.fromkeys(("x", "y", "z", "yaw", "pitch", "rainfall", "temperature"), SMALL),
        **dict.fromkeys(("sky_light", "sun"), st.floats(0, 1)),
        **dict.fromkeys(("sees_sky", "rains"), st.booleans()),
        biome_id=st.integers(0, 200),
        light=st.integers(0, 15),
        sea_level=st.integers(0, 255),
    )


def worn_stacks(dialect):
    """Return the strategy of a held or worn stack; only 1.11 has metadata, and air has nothing else."""
    stacks = st.builds(
        Worn,
        item=ITEMS,
        damage=st.integers(0, 100),
        most_damage=st.integers(101, 2000),
        metadata=st.integers(0, 15) if dialect.nested else st.just(0),
    )
    return stacks | st.builds(Worn, item=ITEMS) | st.just(Worn())


def stacks_of(dialect):
    """Return the strategy of an inventory; games without slots number the stacks."""

    def numbered(slots):
        made = [
            replace(stack, slot=slot if dialect.slots or dialect.old_names else number)
            for number, (slot, stack) in enumerate(sorted(slots.items()))
        ]
        return tuple(made)

    stacks = st.builds(
        WireStack,
        slot=st.just(0),
        item=ITEMS,
        count=st.integers(1, 64),
        metadata=st.integers(0, 15) if dialect.old_names else st.just(0),
    )
    return st.dictionaries(st.integers(0, 35), stacks, max_size=36).map(numbered)


def reports(dialect):
    """Return the strategy of reports that a dialect can hold."""
    counts = st.dictionaries(NAMES, COUNTS, min_size=1, max_size=3)
    places = st.integers(-1000, 1000)
    blocks = st.lists(st.builds(NearBlock, NAMES, places, places, places), max_size=5).map(tuple)
    creatures = st.lists(
        st.builds(NearCreature, NAMES, SMALL, SMALL, SMALL, st.floats(0, 500)), max_size=5
    ).map(tuple)
    return st.builds(
        Report,
        screen_open=st.booleans(),
        stacks=stacks_of(dialect),
        worn=st.fixed_dictionaries(dict.fromkeys(EQUIPMENT, worn_stacks(dialect))),
        life=lives(),
        location=locations(),
        statistics=st.dictionaries(st.sampled_from(STATISTICS), counts, max_size=3),
        voxels=optional(blocks) if dialect.near else st.none(),
        mobs=optional(creatures) if dialect.near else st.none(),
        compass=optional(st.floats(-180, 180)),
    )


def navigations():
    reaches = st.tuples(st.integers(0, 500), st.integers(0, 500)).map(sorted)
    return st.builds(
        lambda block, radii, distances, random: Navigation(block, *radii, *distances, random),
        *(NAMES, reaches, reaches, st.booleans()),
    )


def missions():
    """Return the strategy of missions that XML holds: what only rewards have needs rewards."""
    goals = st.lists(
        st.builds(ItemGoal, NAMES, st.integers(1, 100), st.floats(-100, 1024)), max_size=4
    ).map(tuple)
    ends = st.lists(st.builds(ItemGoal, NAMES, st.integers(1, 100)), max_size=3).map(tuple)
    stacks = st.builds(
        StartStack, st.integers(0, 40), NAMES, st.integers(1, 64), st.integers(0, 15)
    )
    touched = st.builds(BlockGoal, NAMES, st.floats(-100, 100), st.booleans())
    sizes = st.integers(1, 4096)
    made = st.builds(
        Mission,
        name=TEXTS.filter(bool),
        width=sizes,
        height=sizes,
        depth=st.booleans(),
        seed=optional(st.integers(-(2**63), 2**63 - 1)),
        time=optional(st.integers(0, 24000)),
        time_passes=st.booleans(),
        weather=optional(NAMES),
        creatures=st.booleans(),
        land=st.sampled_from(("default", "flat", "biome", "file")),
        land_options=TEXTS,
        seconds=optional(st.integers(0, 10**9).map(lambda ms: ms / 1000)),
        gui_scale=optional(st.floats(0, 10)),
        gamma=optional(st.floats(-5, 5)),
        fov=optional(st.floats(30, 130)),
        cursor_size=optional(st.integers(0, 64)),
        low_level=st.booleans(),
        inventory=st.lists(stacks, max_size=5).map(tuple),
        biome=optional(NAMES),
        world_file=optional(TEXTS),
        in_village=st.booleans(),
        ends_at_death=st.booleans(),
        placement=optional(st.builds(Placement, SMALL, SMALL, SMALL, SMALL, SMALL)),
        health=optional(st.floats(0, 20)),
        food=optional(st.integers(0, 20)),
        handlers=st.frozensets(
            st.sampled_from(("ChatCommands", "CameraCommands", "ObservationFromCompass"))
        ),
        possessions=goals,
        once=st.booleans(),
        touched=st.lists(touched, max_size=3).map(tuple),
        compass_reward=optional(st.floats(-10, 100)),
        ends_with=ends,
        ends_crafting=ends,
        ends_touching=st.lists(NAMES, max_size=3).map(tuple),
        navigation=optional(navigations()),
    )
    return made.map(lambda m: m if m.possessions else replace(m, once=True))
