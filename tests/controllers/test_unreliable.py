"""The unreliable controller idles, abandons and has mishaps at its rates, decided by its seed."""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from optimus_gym.controllers import unreliable
from optimus_gym.controllers.unreliable import LAST_STOP, UnreliableController
from optimus_gym.core.actions import ITEM, noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.core.world_powers import POWERS
from tests.controllers.play import setting_of

LOGS = SubGoal("mine", "oak_log", 3)
REST = SubGoal("recover", "hurt")
OFF = {"idle": 0.0, "abandon": 0.0, "mishaps": 0.0}


class Nowhere:
    """A world without readable land."""

    can, worlds = frozenset(POWERS), None


class Counter:
    """Returns the number of its calls in each action, and fails at chosen calls."""

    privileged, needs, verbs = False, frozenset({"keys"}), frozenset({"mine", "recover"})
    looks_at = ("vitals",)

    def __init__(self, fixed_batch=False, fails=()):
        self.fixed_batch, self.fails = fixed_batch, fails

    def attach(self, setting):
        self.setting = setting

    def begin_episodes(self, rows, seeds):
        self.counts = dict.fromkeys((*getattr(self, "counts", ()), *rows), 0)
        self.seen = []

    def begin_subgoals(self, rows, subgoals):
        if any(subgoal.verb not in self.verbs for subgoal in subgoals):
            raise BadValue(f"verb: expected one of {self.verbs}")

    def act(self, rows, observations, mask):
        self.seen.append((tuple(rows), observations["vitals"].copy(), mask.copy()))
        actions = np.tile(noop(), (len(rows), 1))
        actions[:, ITEM] = 999  # ignored for rows that do not act
        failures = [Failure("timeout")] * len(rows)
        for k in np.flatnonzero(mask).tolist():
            self.counts[rows[k]] += 1
            actions[k, ITEM] = self.counts[rows[k]]
            failures[k] = Failure("stuck") if self.counts[rows[k]] in self.fails else None
        return actions, failures


def begun(controller, seeds, subgoal=LOGS):
    """Return the controller after it began a sub-goal in one row for each seed."""
    rows = list(range(len(seeds)))
    controller.attach(setting_of(Nowhere(), len(rows)))
    controller.begin_episodes(rows, seeds)
    controller.begin_subgoals(rows, [subgoal] * len(rows))
    return controller


def played(controller, rows, ticks):
    """Return the inner controller's answers by tick (int64[ticks, n], 0: not asked) and the failures."""
    vitals = np.zeros((len(rows), 6), np.float32)
    vitals[:, 0] = np.asarray(rows) + 1
    told = [
        controller.act(rows, {"vitals": vitals}, np.ones(len(rows), np.bool_)) for _ in range(ticks)
    ]
    said = np.array([actions[:, ITEM] for actions, _ in told], np.int64)
    return said, [failures for _, failures in told]


@pytest.fixture
def harms(monkeypatch):
    """Let every mishap happen on any land; return the list of mishaps."""
    asked = []

    def befall(worlds, row, kind):
        asked.append((row, kind))
        return kind

    monkeypatch.setattr(unreliable, "befall", befall)
    return asked


def is_likely(count, tries, chance):
    """Return whether a count is within four deviations of its expectation."""
    return abs(count - tries * chance) <= 4 * (tries * chance * (1 - chance)) ** 0.5


def test_idle_ticks_abandonments_and_mishaps_have_the_documented_shares(harms):
    rows, ticks = list(range(1000)), LAST_STOP
    controller = begun(UnreliableController(Counter()), range(5000, 6000))
    said, failures = played(controller, rows, ticks)
    left = [row for row in rows if controller.abandoned_of(row)]
    assert is_likely(len(left), len(rows), 0.1)
    steady = np.delete(said, left, axis=1)
    assert is_likely((steady == 0).sum(), steady.size, 0.05)
    assert is_likely(len(harms), said.size, 0.0005)
    assert is_likely([kind for _, kind in harms].count("water"), len(harms), 0.5)
    assert all(why is None for one in failures for why in one)  # no failure is reported


def test_sub_goals_are_abandoned_at_any_tick_from_1_to_400():
    rows = list(range(2000))
    controller = begun(UnreliableController(Counter(), **{**OFF, "abandon": 1.0}), rows)
    played(controller, rows, LAST_STOP)
    stops = np.concatenate([controller.abandoned_of(row) for row in rows])
    assert len(stops) == len(rows)
    assert (stops.min(), stops.max()) == (1, 400)
    for quarter in range(4):
        here = (stops > 100 * quarter) & (stops <= 100 * quarter + 100)
        assert is_likely(here.sum(), len(rows), 0.25)


@pytest.mark.parametrize("fixed_batch", [False, True])
def test_a_script_loses_time_but_no_action(fixed_batch):
    inner = Counter(fixed_batch)
    controller = begun(UnreliableController(inner, **{**OFF, "idle": 0.3}), [7, 8, 9])
    said, _ = played(controller, [0, 1, 2], 200)
    assert controller.fixed_batch == fixed_batch
    for row in range(3):
        made = said[said[:, row] > 0, row]
        assert made.tolist() == list(range(1, len(made) + 1))
        assert is_likely(len(made), 200, 0.7)
    assert (said == 0).any(axis=1).sum() > (said == 0).all(axis=1).sum() > 0


@pytest.mark.parametrize("fixed_batch", [False, True])
def test_the_inner_controller_sees_only_the_rows_that_act(fixed_batch):
    inner = Counter(fixed_batch)
    controller = begun(UnreliableController(inner, **{**OFF, "idle": 0.4}), range(4))
    said, _ = played(controller, [3, 1, 2, 0], 60)
    called = [tick for tick in range(60) if said[tick].any()]
    assert len(called) == len(inner.seen)
    for tick, (rows, vitals, mask) in zip(called, inner.seen, strict=True):
        asked = said[tick] > 0
        if fixed_batch:
            assert rows == (3, 1, 2, 0)
            assert np.array_equal(mask, asked)
            assert vitals[:, 0].tolist() == [
                (row + 1) * on for row, on in zip(rows, asked, strict=True)
            ]
        else:
            assert rows == tuple(np.array([3, 1, 2, 0])[asked])
            assert mask.all()
            assert vitals[:, 0].tolist() == [row + 1 for row in rows]


@pytest.mark.parametrize("reports", [False, True])
def test_an_abandoned_sub_goal_stands_still_and_is_reported_as_stuck_on_request(
    reports,
):
    rates = {**OFF, "abandon": 1.0, "reports": reports}
    controller = begun(UnreliableController(Counter(), **rates), [3])
    said, failures = played(controller, [0], LAST_STOP + 50)
    (stop,) = controller.abandoned_of(0)
    assert said[: stop - 1, 0].tolist() == list(range(1, stop))
    assert not said[stop - 1 :].any()
    told = Failure("stuck", "oak_log", 3, "abandoned") if reports else None
    assert [why for (why,) in failures] == [None] * (stop - 1) + [told] * (LAST_STOP + 51 - stop)
    controller.begin_subgoals([0], [LOGS])
    said, (failed, *_) = played(controller, [0], 1)
    assert said[0, 0] == stop  # the script continues from its last action
    assert failed == [None]


def test_a_sub_goal_that_ends_before_its_stop_is_not_abandoned():
    controller = UnreliableController(Counter(), **{**OFF, "abandon": 1.0})
    begun(controller, [3])
    played(controller, [0], LAST_STOP)
    (stop,) = controller.abandoned_of(0)
    begun(controller, [3])
    said, _ = played(controller, [0], stop - 1)
    controller.begin_subgoals([0], [REST])
    later, _ = played(controller, [0], LAST_STOP)
    assert np.concatenate([said, later])[:, 0].tolist() == list(range(1, stop + LAST_STOP))
    assert controller.abandoned_of(0) == ()


def test_a_recovery_is_never_abandoned_and_meets_no_mishap(harms):
    controller = begun(UnreliableController(Counter(), 0.0, 1.0, 1.0, True), range(20), REST)
    said, failures = played(controller, list(range(20)), LAST_STOP + 1)
    assert (said > 0).all()
    assert all(why is None for one in failures for why in one)
    assert not harms
    assert {controller.abandoned_of(row) + controller.mishaps_of(row) for row in range(20)} == {()}


def test_ticks_with_a_failure_have_no_mishap(harms):
    inner = Counter(fails=(2, 3))
    controller = begun(UnreliableController(inner, **{**OFF, "mishaps": 1.0}), [4])
    _, failures = played(controller, [0], 5)
    assert [why is None for (why,) in failures] == [True, False, False, True, True]
    assert [tick for tick, _ in controller.mishaps_of(0)] == [1, 4, 5]


def test_mishaps_that_the_land_does_not_allow_are_left_out(monkeypatch):
    monkeypatch.setattr(unreliable, "befall", lambda worlds, row, kind: None)
    controller = begun(UnreliableController(Counter(), **{**OFF, "mishaps": 1.0}), [4])
    played(controller, [0], 9)
    assert controller.mishaps_of(0) == ()


def test_the_actual_mishap_is_reported_not_the_intended_one(monkeypatch):
    monkeypatch.setattr(unreliable, "befall", lambda worlds, row, kind: "pit")
    controller = begun(UnreliableController(Counter(), **{**OFF, "mishaps": 1.0}), [4])
    played(controller, [0], 9)
    assert controller.mishaps_of(0) == tuple((tick, "pit") for tick in range(1, 10))


OFTEN = {"idle": 0.2, "abandon": 0.8, "mishaps": 0.05}


def fates(controller, rows, ticks=300, subgoals=(LOGS, LOGS, LOGS)):
    """Return ticks, mishaps and abandonments of each row over consecutive sub-goals."""
    said = []
    for subgoal in subgoals:
        controller.begin_subgoals(rows, [subgoal] * len(rows))
        said.append(played(controller, rows, ticks)[0] > 0)
    acted = np.concatenate(said)
    return {
        row: (acted[:, k].tolist(), controller.mishaps_of(row), controller.abandoned_of(row))
        for k, row in enumerate(rows)
    }


def fates_of(seeds, rows=None, **rates):
    controller = UnreliableController(Counter(), **{**OFTEN, **rates})
    controller.attach(setting_of(Nowhere(), len(seeds)))
    controller.begin_episodes(list(range(len(seeds))), seeds)
    return fates(controller, list(range(len(seeds))) if rows is None else rows)


def test_the_same_seed_gives_the_same_fates_and_another_seed_other_fates(harms):
    first = fates_of([11, 11, 12])
    assert first == fates_of([11, 11, 12])
    assert first[0] == first[1] != first[2]
    assert all(first[0][1:])  # the row had mishaps and abandonments


def test_a_rows_fates_do_not_depend_on_other_rows_or_their_order(harms):
    all_of_them = fates_of([11, 12, 13])
    assert fates_of([11, 12, 13], [2, 0, 1]) == all_of_them
    assert fates_of([11, 12, 13], [1])[1] == all_of_them[1]
    assert fates_of([13])[0] == all_of_them[2]


def test_a_new_episode_has_the_fates_of_its_seed_and_leaves_other_rows_unchanged(harms):
    controller = UnreliableController(Counter(), **OFTEN)
    controller.attach(setting_of(Nowhere(), 2))
    controller.begin_episodes([0, 1], [11, 12])
    before = fates(controller, [0, 1])
    controller.begin_episodes([1], [11])
    assert fates(controller, [1])[1] == before[0]
    assert controller.mishaps_of(0) == before[0][1]


def test_each_kind_of_fate_is_drawn_independently_of_the_others(harms):
    (acted, harmed, left), *_ = fates_of([11]).values()
    (idle, _, _), *_ = fates_of([11], abandon=0.0, mishaps=0.0).values()
    (_, alone, _), *_ = fates_of([11], idle=0.0, abandon=0.0).values()
    (_, _, quiet), *_ = fates_of([11], idle=1.0, mishaps=0.0).values()
    assert harmed == alone
    assert left == quiet
    stopped = np.zeros(900, np.bool_)
    for tick in left:
        stopped[tick - 1 : -(-tick // 300) * 300] = True
    assert acted == (np.array(idle) & ~stopped).tolist()


def test_a_lower_rate_gives_a_subset_of_the_same_fates(harms):
    def happened(kind, **rates):
        told = fates_of([11, 12, 13, 14], **rates)
        return {(row, one) for row, fate in told.items() for one in fate[kind]}

    mishaps, left = 1, 2
    assert set() < happened(mishaps, mishaps=0.02) < happened(mishaps)
    assert set() < happened(left, abandon=0.4) < happened(left)


def test_recoveries_and_failures_use_the_same_number_of_draws(harms):
    def after(first, fails=()):
        controller = UnreliableController(Counter(fails=fails), **{**OFTEN, "abandon": 1.0})
        controller.attach(setting_of(Nowhere(), 1))
        controller.begin_episodes([0], [11])
        said, *told = fates(controller, [0], LAST_STOP, (first, LOGS))[0]
        return said[LAST_STOP:], *(tuple(one for one in kind if is_later(one)) for kind in told)

    def is_later(one):
        return (one[0] if isinstance(one, tuple) else one) > LAST_STOP

    usual = after(LOGS)
    assert usual[1]
    assert usual[2]
    assert after(REST) == usual
    assert after(LOGS, fails=(1, 2, 3)) == usual


def test_rows_that_do_not_act_draw_nothing(harms):
    inner = Counter(fixed_batch=True)
    controller = begun(UnreliableController(inner, **OFTEN), [11, 12])
    vitals, only = np.ones((2, 6), np.float32), np.array([True, False])
    for _ in range(50):
        actions, failures = controller.act([0, 1], {"vitals": vitals}, only)
        assert np.array_equal(actions[1], noop())
        assert failures[1] is None
    assert controller.mishaps_of(1) == ()
    late, _ = played(controller, [0, 1], 100)
    fresh, _ = played(begun(UnreliableController(Counter(True), **OFTEN), [11, 12]), [0, 1], 100)
    assert np.array_equal(late[:, 1], fresh[:, 1])


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_keeps_the_rates_and_forgets_the_episode(harms, copied):
    controller = UnreliableController(Counter(), **OFTEN, reports=True)
    controller.attach(setting_of(Nowhere(), 1))
    controller.begin_episodes([0], [11])
    first = fates(controller, [0])
    twin = copied(controller)
    with pytest.raises(
        BadValue, match=r"row: expected one of the rows with a running episode, \[\], got 0"
    ):
        twin.mishaps_of(0)
    twin.attach(setting_of(Nowhere(), 1))
    twin.begin_episodes([0], [11])
    assert fates(twin, [0]) == first
    assert Failure("stuck", "oak_log", 3, "abandoned") in played(twin, [0], LAST_STOP)[1][-1]


def test_the_controller_declares_the_inner_needs_and_the_needs_of_mishaps():
    controller = UnreliableController(Counter(fixed_batch=True))
    assert controller.needs == {"keys", "arrays", "predicaments"}
    assert (controller.verbs, controller.looks_at) == (Counter.verbs, ("vitals",))
    assert controller.privileged
    assert controller.fixed_batch
    begun(controller, [1])
    assert controller._inner.setting.world is None  # the inner controller is not privileged
    assert UnreliableController().verbs >= {"mine", "recover"}


@pytest.mark.parametrize("name", ["idle", "abandon", "mishaps"])
@pytest.mark.parametrize("rate", [-0.1, 1.01, float("nan"), float("inf"), "0.1", None, True, [0.5]])
def test_a_rate_outside_0_to_1_is_rejected(name, rate):
    with pytest.raises(BadValue, match=rf"^{name}: expected a probability from 0 to 1, got"):
        UnreliableController(Counter(), **{name: rate})


def test_other_bad_arguments_are_rejected():
    with pytest.raises(BadValue, match="reports: expected True or False, got 'yes'"):
        UnreliableController(Counter(), reports="yes")
    with pytest.raises(
        BadValue, match=r"controller: expected an object with .*, got a Nowhere without privileged"
    ):
        UnreliableController(Nowhere())
    with pytest.raises(UnknownName, match="nobody"):
        UnreliableController("nobody")


def test_a_missing_world_and_a_world_without_the_powers_are_rejected():
    controller = UnreliableController(Counter())
    with pytest.raises(BadValue, match="world: expected a world in the ControllerSetting of Unr"):
        controller.attach(setting_of())

    class Blind(Nowhere):
        can = frozenset(POWERS) - {"arrays"}

    controller.attach(setting_of(Blind()))
    with pytest.raises(BadValue, match=r"got Blind without \['arrays'\]"):
        controller.begin_episodes([0], [1])


def test_a_rejected_sub_goal_changes_nothing(harms):
    controller = begun(UnreliableController(Counter(), **OFTEN), [11])
    usual = begun(UnreliableController(Counter(), **OFTEN), [11])
    with pytest.raises(BadValue, match="verb"):
        controller.begin_subgoals([0], [SubGoal("craft", "stick")])
    assert np.array_equal(played(controller, [0], 400)[0], played(usual, [0], 400)[0])


@pytest.mark.parametrize("told", ["mishaps_of", "abandoned_of"])
@pytest.mark.parametrize("row", [2, -1, "0", None])
def test_a_row_without_an_episode_has_no_reports(told, row):
    controller = begun(UnreliableController(Counter()), [1, 2])
    assert getattr(controller, told)(1) == ()
    with pytest.raises(
        BadValue, match=r"expected one of the rows with a running episode, \[0, 1\], got"
    ):
        getattr(controller, told)(row)
