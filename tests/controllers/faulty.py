"""Controllers that each break the contract in one way, and the rules that must name them."""

import numpy as np

from optimus_gym.core.actions import ITEM, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import VERBS


class Counting:
    """A sound recurrent policy of a fixed batch: its actions depend on the row's number of acts."""

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset({"mine"})
    looks_at = ("vitals",)
    fixed_batch = True

    def attach(self, setting):
        self.counts = np.zeros(setting.rows, np.int64)

    def begin_episodes(self, rows, seeds):
        self.counts[list(rows)] = seeds

    def begin_subgoals(self, rows, subgoals):
        if any(subgoal.verb not in self.verbs for subgoal in subgoals):
            raise BadValue(f"expected one of {self.verbs}, got {subgoals[0].verb}")

    def act(self, rows, observations, mask):
        self.count(mask)
        actions = np.tile(noop(), (len(rows), 1))
        actions[:, 0] = (self.counts + (observations["vitals"].sum(1) > 3)) % 3
        return actions, [None] * len(rows)

    def count(self, mask):
        self.counts += mask


class Stillborn(Counting):
    def __init__(self):
        raise OSError("no weights")


class Armless(Counting):
    act = None


class Undecided(Counting):
    privileged = None


class Wishful(Counting):
    needs = frozenset({"wings"})


class Verbose(Counting):
    verbs = frozenset({"mine", "dance"})


class Idle(Counting):
    verbs = frozenset()


class Nosy(Counting):
    looks_at = ("vitals", "diamonds")


class Choosy(Counting):
    def attach(self, setting):
        raise BadValue(f"resolution: expected 9x9, got {setting.resolution}")


class Short(Counting):
    """Returns actions without the function and its item."""

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        return actions[:, :13], failures


class Wide(Counting):
    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        return actions.astype(np.int64), failures


class Lone(Counting):
    """Returns no failures."""

    def act(self, rows, observations, mask):
        return super().act(rows, observations, mask)[0]


class Beyond(Counting):
    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        actions[:, 0] += 2
        return actions, failures


class Wordy(Counting):
    """Returns failures as texts."""

    def act(self, rows, observations, mask):
        return super().act(rows, observations, mask)[0], ["no tree"] * len(rows)


class Heedless(Counting):
    """Counts rows that do not act."""

    def count(self, mask):
        self.counts += 1


class Mixed(Counting):
    """Lets the rows of one call depend on each other."""

    def count(self, mask):
        self.counts[mask] += mask.sum()


class Numbered(Counting):
    """Returns an item by the number of controllers made before."""

    made = 0

    def __init__(self):
        type(self).made += 1
        self.number = self.made

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        actions[:, ITEM] = self.number
        return actions, failures


class Remembering(Counting):
    """Keeps its count in the next episode."""

    def attach(self, setting):
        super().attach(setting)
        self.begun = False

    def begin_episodes(self, rows, seeds):
        if not self.begun:
            super().begin_episodes(rows, seeds)
        self.begun = True


class AnyVerb(Counting):
    def begin_subgoals(self, rows, subgoals):
        pass


class Rude(Counting):
    """Raises an error without an explanation."""

    def begin_subgoals(self, rows, subgoals):
        if any(subgoal.verb not in self.verbs for subgoal in subgoals):
            raise KeyError(subgoals[0].verb)


class Forgetful(Counting):
    """Copies without its pace."""

    pace = 1

    def __init__(self):
        self.pace = 2

    def __getstate__(self):
        return {}

    def count(self, mask):
        self.counts += mask * self.pace


class Faithful(Counting):
    """Keeps its first environment."""

    kept = 0

    def attach(self, setting):
        super().attach(setting)
        self.kept += 1

    def begin_episodes(self, rows, seeds):
        super().begin_episodes(rows, seeds)
        self.counts[list(rows)] += self.kept


class Everything(Counting):
    """Declares all verbs, so that one rule does not apply."""

    verbs = frozenset(VERBS)


FAULTY = {
    Stillborn: ("can_be_made",),
    Armless: ("has_all_members",),
    Undecided: ("says_yes_or_no",),
    Wishful: ("needs_known_powers",),
    Verbose: ("has_known_verbs",),
    Idle: ("has_known_verbs",),
    Nosy: ("looks_at_known_keys",),
    Choosy: ("meets_an_environment",),
    Short: ("returns_actions_and_failures",),
    Wide: ("returns_actions_and_failures",),
    Lone: ("returns_actions_and_failures",),
    Beyond: ("acts_within_bounds",),
    Wordy: ("gives_known_failures",),
    Numbered: (
        "repeats_itself",
        "rows_are_independent",
        "rows_keep_their_state",
        "can_be_copied",
        "meets_another_environment",
    ),
    Remembering: ("begins_again",),
    Mixed: ("rows_are_independent",),
    Heedless: ("rows_keep_their_state",),
    AnyVerb: ("refuses_other_verbs",),
    Rude: ("refuses_other_verbs",),
    Forgetful: ("can_be_copied", "meets_another_environment"),
    Faithful: ("meets_another_environment",),
    Everything: (),
}
"""Controllers and the names of all rules that each breaks; the last controller is sound."""
