"""Environments that look like those of MineRL 0.4.4, MineRL 1.0 and MineStudio, over the toy game."""

from types import SimpleNamespace

import numpy as np

from optimus_gym.worlds.malmo.dialects import MINERL_0_4, MINERL_1_0, MINESTUDIO
from optimus_gym.worlds.malmo.missions import CHAT_HANDLER, Mission, StartStack
from optimus_gym.worlds.malmo.old_names import old_item
from optimus_gym.worlds.malmo.wire_actions import WireAction
from tests.worlds.malmo.client.toy_game import ToyGame

FUNCTIONS = {
    "craft": ("none", "planks", "stick"),
    "nearbyCraft": ("none", "wooden_pickaxe"),
    "nearbySmelt": ("none", "iron_ingot"),
    "equip": ("none", "wooden_pickaxe"),
    "place": ("none", "dirt", "crafting_table"),
}
KIT = (StartStack(0, "oak_log", 3), StartStack(1, "crafting_table", 1))


class Space:
    """The action space of a dialect, with MineRL's `no_op`."""

    def __init__(self, dialect):
        functions = FUNCTIONS if dialect.functions else {}
        self.spaces = {name: SimpleNamespace(values=values) for name, values in functions.items()}
        self.still = dict.fromkeys(dialect.keys, 0) | dict.fromkeys(functions, "none")
        self.still["camera"] = np.zeros(2, np.float32)
        if dialect.chat:
            self.still |= {"chat": "", "voxels": [0] * 6, "mobs": [0] * 6}

    def no_op(self):
        return dict(self.still)


class OldEnv:
    """An environment of MineRL 0.4.4: four entries a step, old names, counts by item."""

    dialect = MINERL_0_4
    size = (64, 64)

    def __init__(self, game=None):
        self.game = game or ToyGame()
        self.action_space = Space(self.dialect)
        self.taken = []
        self.seeds = []
        self.closed = 0

    def seed(self, seed=None):
        self.seeds.append(seed)

    def reset(self):
        mission = Mission(width=self.size[0], height=self.size[1], inventory=KIT)
        return self.seen(self.game.begin(mission, self.seeds[-1]))

    def step(self, action):
        assert set(action) == set(self.action_space.still)
        self.taken.append(action)
        pressed = frozenset(key for key in self.dialect.keys if action[key])
        pitch, yaw = action["camera"].tolist()
        boxes = {key: tuple(action[key]) for key in ("voxels", "mobs") if key in action}
        self.game.send(WireAction(pressed, pitch, yaw, chat=action.get("chat", ""), **boxes))
        self.moment = self.game.receive()
        return self.seen(self.moment), 1.5, self.moment.done, {}

    def seen(self, moment):
        counts = {}
        for stack in moment.report.stacks:
            name = old_item(stack.item)[0]
            counts[name] = counts.get(name, 0) + stack.count
        return {
            "pov": moment.picture,
            "inventory": {
                **{name: np.array(n) for name, n in counts.items()},
                "stone": np.array(0),
            },
            "equipped_items": {
                "mainhand": {"type": "other", "damage": np.array(0), "maxDamage": np.array(0)}
            },
        }

    def close(self):
        self.closed += 1


class NewEnv(OldEnv):
    """An environment of MineRL 1.0: counts by item, vitals, location, statistics."""

    dialect = MINERL_1_0
    size = (640, 360)

    def seen(self, moment):
        place, life = moment.report.location, moment.report.life
        statistics = moment.report.statistics
        return {
            "pov": moment.picture,
            "inventory": {one.item: np.array(one.count) for one in moment.report.stacks},
            "equipped_items": {
                "mainhand": {"type": "oak_log", "damage": np.array(0), "maxDamage": np.array(0)},
                "feet": {"type": "iron_boots", "damage": np.array(1), "maxDamage": np.array(195)},
            },
            "life_stats": {
                "life": np.array(life.health),
                "food": np.array(17.0),
                "saturation": np.array(2.5),
                "xp": np.array(7),
                "is_alive": np.array(life.alive),
                "air": np.array(300),
                "score": np.array(0),
            },
            "location_stats": {
                "xpos": np.array(place.x),
                "ypos": np.array(place.y),
                "zpos": np.array(place.z),
                "yaw": np.array(place.yaw),
                "pitch": np.array(place.pitch),
                "biome_id": np.array(4),
                "can_see_sky": np.array([0.0, 1.0]),
            },
            "pickup": {name: np.array(n) for name, n in statistics.get("pickup", {}).items()}
            | {"stone": np.array(0)},
            "isGuiOpen": moment.report.screen_open,
        }


class StudioEnv(OldEnv):
    """MineStudio's simulator with `action_type="env"`: five entries a step, all but a picture in `info`."""

    dialect = MINESTUDIO
    size = (640, 360)

    def __init__(self, action_type="env", callbacks=(), num_empty_frames=20, game=None, **options):
        super().__init__(game)
        self.env = SimpleNamespace(seed=super().seed)
        self.seed = 0
        self.info = {}
        self.callbacks, self.frames = callbacks, num_empty_frames

    def noop_action(self):
        return self.action_space.no_op()

    def reset(self):
        width, height = self.size
        handlers = frozenset({CHAT_HANDLER})
        mission = Mission(width=width, height=height, gui_scale=1.0, handlers=handlers)
        return {"image": 0}, self.told(self.game.begin(mission, self.seeds[-1]))

    def step(self, action):
        super().step(action)
        return {"image": 0}, 0.0, self.moment.done, self.moment.done, self.told(self.moment)

    def seen(self, moment):
        return {}

    def told(self, moment):
        report, place = moment.report, moment.report.location
        self.info |= {
            "pov": moment.picture,
            "inventory": {
                one.slot: {"type": one.item, "quantity": one.count} for one in report.stacks
            },
            "equipped_items": {
                name: {"type": one.item, "damage": np.array(0), "maxDamage": np.array(0)}
                for name, one in report.worn.items()
            },
            "player_pos": {axis: getattr(place, axis) for axis in ("x", "y", "z", "yaw", "pitch")},
            "is_gui_open": report.screen_open,
            "isGuiOpen": report.screen_open,
            "health": report.life.health,
            "food_level": 20,
            "location_stats": {"biome_id": np.array(place.biome_id)},
            **{group: dict(counts) for group, counts in report.statistics.items()},
        }
        if report.voxels is not None:
            self.info["voxels"] = [
                {"type": one.name, "x": one.x, "y": one.y, "z": one.z} for one in report.voxels
            ]
            self.info["mobs"] = []
        return dict(self.info)
