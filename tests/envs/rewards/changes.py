"""Changes of a row, made step by step, for tests of rewards."""

import numpy as np

from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.interfaces import RewardSetting
from optimus_gym.core.types import Event
from optimus_gym.envs.own_tasks import resolve_task
from optimus_gym.game.items import item, item_names


class Row:
    """One row's episode; each call makes the change of a tick.

    Args:
        held: pieces held at the beginning, by item.
    """

    def __init__(self, **held):
        self.held = self.counts(held)
        self.has = self.held > 0
        self.tick = 0
        self.number = 0
        self.subgoal = None

    @staticmethod
    def counts(held):
        counts = np.zeros(len(item_names()), np.int32)
        for name, count in held.items():
            counts[item(name).id] = count
        return counts

    def begin(self, subgoal):
        """Begin a sub-goal."""
        self.subgoal, self.number = subgoal, self.number + 1

    def change(self, reached=0.0, events=(), status="running", helped=False, **gained):
        """Return the change of a tick in which the player gains (or, below 0, loses) pieces.

        An event is its kind, its subject and, unless it is 1, its number of pieces.
        """
        before, had = self.held, self.has
        self.tick += 1
        if gained:
            self.held = before + self.counts(gained)
            self.has = had | (self.held > 0)
        return EpisodeChange(
            row=0,
            task=resolve_task("Diamond"),
            status=status,
            tick=self.tick,
            ticks=1,
            before=before,
            held=self.held,
            had=had,
            has=self.has,
            events=tuple(Event(kind, subject, *(count or [1])) for kind, subject, *count in events),
            subgoal=self.subgoal,
            number=self.number,
            reached=reached,
            helped=helped,
        )


def attached(reward, **fields):
    """Return a reward that serves one row in an environment with a few depths."""
    depths = {"oak_log": 1, "birch_log": 1, "oak_planks": 2, "diamond": 10}
    reward.attach(RewardSetting(1, fields.pop("discount", 1.0), lambda task: depths, **fields))
    reward.begin_episodes([0])
    return reward
