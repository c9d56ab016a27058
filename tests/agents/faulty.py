"""Agents that each break the contract in one way, and the rules that must name them."""

from dataclasses import replace

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.types import SubGoal


class Sound:
    """Pursues the goal itself, and gives up after three failures."""

    name, needs, period, judge = "sound", frozenset(), 50, "inventory"

    def attach(self, setting):
        self.failures = {}

    def begin_episodes(self, situations):
        self.failures |= {one.row: 0 for one in situations}

    def decide(self, situations):
        return [self.decision(one) for one in situations]

    def decision(self, one):
        if self.failures[one.row] >= 3:
            return Decision(None, "three failures are enough")
        count = one.goal.count + self.failures[one.row]
        wanted = replace(one.goal, count=count)
        return Decision(wanted, plan=(SubGoal("mine", "dirt"), wanted), position=1)

    def watch(self, situations):
        return [Verdict() for _ in situations]

    def ended(self, outcomes):
        for one in outcomes:
            self.failures[one.row] += one.end == "failed"

    def finish(self, records):
        for one in records:
            del self.failures[one.row]


class Stillborn(Sound):
    def __init__(self):
        raise OSError("no prompts")


class Deaf(Sound):
    ended = None


class Wishful(Sound):
    needs = frozenset({"wings"})


class Biased(Sound):
    judge = "me"


class Hasty(Sound):
    period = 0


class Bare(Sound):
    """Returns sub-goals, not decisions."""

    def decision(self, one):
        return super().decision(one).subgoal


class Lazy(Sound):
    """Decides for the first row alone."""

    def decide(self, situations):
        return super().decide(situations)[:1]


class Dancer(Sound):
    def decision(self, one):
        return Decision(SubGoal("dance", "oak_log"))


class Misplaced(Sound):
    def decision(self, one):
        return replace(super().decision(one), position=0)


class Restless(Sound):
    """Reports each plan as a new plan."""

    def decision(self, one):
        return replace(super().decision(one), replanned=True)


class Sociable(Sound):
    """Wants as many pieces as there are rows."""

    def decide(self, situations):
        wanted = replace(situations[0].goal, count=len(situations))
        return [Decision(wanted) for _ in situations]


class Sullen(Sound):
    """Gives up in silence."""

    def decision(self, one):
        return replace(super().decision(one), reason="")


class Fickle(Sound):
    """Wants one piece more at each decision."""

    def attach(self, setting):
        super().attach(setting)
        self.asked = {}

    def begin_episodes(self, situations):
        super().begin_episodes(situations)
        self.asked |= {one.row: 0 for one in situations}

    def decision(self, one):
        self.asked[one.row] += 1
        return Decision(replace(one.goal, count=self.asked[one.row]))


class Blind(Sound):
    def watch(self, situations):
        return [None for _ in situations]


class Resentful(Sound):
    """Keeps its failures in the next episode."""

    def begin_episodes(self, situations):
        for one in situations:
            self.failures.setdefault(one.row, 0)


class Clinging(Sound):
    """Keeps a number of finished episodes."""

    def attach(self, setting):
        super().attach(setting)
        self.finished = 0

    def finish(self, records):
        self.finished += len(records)

    def decision(self, one):
        return replace(
            super().decision(one), subgoal=replace(one.goal, count=1 + self.finished), plan=()
        )


class Uncopied(Sound):
    """Holds something that cannot be copied."""

    def attach(self, setting):
        super().attach(setting)
        self.way = lambda: None


class Faithful(Sound):
    """Counts the environments that the agent has met."""

    met = 0

    def attach(self, setting):
        super().attach(setting)
        self.met += 1

    def __getstate__(self):
        return {}

    def decision(self, one):
        return Decision(replace(one.goal, count=self.met))


class Homesick(Sound):
    """Refuses tasks of an environment."""

    def begin_episodes(self, situations):
        if situations[0].budget == 0 or situations[0].task.suite != "tests":
            raise RuntimeError("not in this world")
        super().begin_episodes(situations)


FAULTY = {
    Sound: (),
    Stillborn: ("can_be_made",),
    Deaf: ("has_all_members",),
    Wishful: ("needs_known_powers",),
    Biased: ("says_how_it_judges",),
    Hasty: ("says_how_it_judges",),
    Bare: ("decides_for_each_row",),
    Lazy: ("decides_for_each_row",),
    Dancer: ("decides_for_each_row",),
    Misplaced: ("decisions_stand_in_their_plan",),
    Restless: ("decisions_stand_in_their_plan",),
    Sociable: ("rows_are_independent",),
    Sullen: ("gives_up_with_a_reason",),
    Fickle: ("decides_alike_without_news", "copies_are_as_new"),
    Blind: ("watches_each_row",),
    Resentful: ("episodes_begin_with_empty_minds",),
    Clinging: ("finished_episodes_leave_nothing",),
    Uncopied: ("copies_are_as_new",),
    Faithful: ("meets_another_environment",),
    Homesick: ("plays_an_environment",),
}
"""Agents and the names of all rules that each breaks; the first agent is sound."""
