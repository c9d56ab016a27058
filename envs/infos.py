"""Makes the `info` of many rows, also in the form of Gymnasium's vector environments.

`info="numbers"` holds numpy's numbers and arrays of fixed dtype and shape only:

| key | type | what |
| --- | --- | --- |
| `ticks` | int64 | ticks of the episode so far |
| `is_success` | bool () | whether the task is reached; an array without axes, because \
`gymnasium.vector.SyncVectorEnv` makes bool (N,) of such arrays but not of numpy's bool |
| `status_code` | int64 | index in `core.types.STATUSES` |
| `position` | float64 (3,) | x, y, z of the feet, blocks |
| `yaw`, `pitch` | float64 | degrees; 0 is south; down is positive |
| `biome_share` | float64 | share (0 to 1) of the land within 32 blocks of the episode's start that has the \
start's biome; in worlds with the power "biome_share" (the embedded one) |
| `screen` | int64 | code of the open screen of the game, 0 = none, -1 = of an unknown kind \
(`game.screens.screen_names`); always 0 without `crafting="gui"` |
| `held` | int32 (V,) | pieces held of each item of the vocabulary |
| `event_counts` | int32 (13,) | pieces by `core.types.EVENT_KINDS` since the latest step |
| `replans`, `complete_wrong` | int64 | control and sub-goal view: new plans; sub-goals that the agent \
called complete although the inventory does not show them |
| `smdp` | mapping | control and sub-goal view: `duration` (int64, ticks of the step), `discounted_reward` \
(float64); the helper's work in a reset counts in the reset's info and in the first step's |
| `backbone` | mapping | control and sub-goal view: `calls`, `unanswered`, `prompt_tokens`, \
`completion_tokens`, `faults` (int64), `latency_s`, `cost` (float64) of the episode's answers so far, and \
the answers' fate (int64, `core.deliberation.Tally`): `corrections`, `own_plans`, `goal_plans`, \
`rules_plans`, `own_verdicts`, `lost_verdicts` |
| `memory` | mapping | control and sub-goal view: `lost` (int64), 1 if the agent goes on without a memory \
that it could not use, else 0 |
| `action_mask` | int8 (1 + skills,) | sub-goal view: 1 for each action that makes sense now, else 0 |

`info="full"` adds `task`, `protocol`, `assists`, `status`, `reason`, `events` (kind, subject, count),
`inventory` (item, count; every item held), `screen_name` (the open screen's name, "" = none, "unknown") and
`situation` (a text: `envs.situation_text`).

In the control and sub-goal view, `info="full"` also adds `plan`, `planned_by` (a new plan's author),
`problems` (what was wrong in the plan's text), `subgoal` (the sub-goal that began last), `outcome` and
`failure` of that sub-goal (empty until it has ended), `ended` (sub-goal and outcome of each sub-goal that
ended in the step), `reflection`, `backbone["name"]` (the part), `backbone["models"]` (the models that
answered), `backbone["fault"]` (the first fault: what was wrong in an answer, or why no answer came),
`memory["fault"]` (why the memory was lost) and `smdp["rewards"]` (the rewards by tick).
"""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import TALLIED, Outcome
from optimus_gym.core.types import EVENT_KINDS, STATUSES, Failure
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.envs.courses import Course, Episode, models_in, totals
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.screens import screen_names

Columns = dict[str, Any]
"""The infos of several rows: for each key a list or array with a value for each row, or again `Columns`."""
_PLACES = {kind: k for k, kind in enumerate(EVENT_KINDS)}
_CODES = {status: k for k, status in enumerate(STATUSES)}


def numbers(runtime: Runtime, rows: Sequence[int], held: NDArray[np.int32]) -> Columns:
    """Return the numeric keys that all views have, for `rows`, whose players hold `held` (int32[n, V])."""
    episodes = [runtime.episode(row) for row in rows]
    poses = _poses(runtime, rows, [episode.status != "world_failed" for episode in episodes])
    return {
        "ticks": _wholes([episode.ticks for episode in episodes]),
        "is_success": np.array([episode.status == "success" for episode in episodes], np.bool_),
        "status_code": _wholes([_CODES[episode.status] for episode in episodes]),
        "position": poses[:, :3],
        "yaw": poses[:, 3],
        "pitch": poses[:, 4],
        "screen": runtime.screens(rows),
        "held": held,
        "event_counts": _event_counts(runtime, rows),
        **_biome_shares(runtime, episodes),
    }


def _poses(runtime: Runtime, rows: Sequence[int], works: Sequence[bool]) -> NDArray[np.float64]:
    """Return x, y, z, yaw and pitch of each row (float64[n, 5]), with zeros for failed worlds."""
    if all(works):
        return runtime.world.poses(rows)
    poses = np.zeros((len(rows), 5))
    working = [k for k, sound in enumerate(works) if sound]
    if working:
        poses[working] = runtime.world.poses([rows[k] for k in working])
    return poses


def _biome_shares(runtime: Runtime, episodes: Sequence[Episode]) -> Columns:
    if "biome_share" not in runtime.can:
        return {}
    return {"biome_share": np.array([episode.biome_share for episode in episodes], np.float64)}


def _wholes(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def _event_counts(runtime: Runtime, rows: Sequence[int]) -> NDArray[np.int32]:
    counts = np.zeros((len(rows), len(EVENT_KINDS)), np.int32)
    for place, row in enumerate(rows):
        for event in runtime.episode(row).events:
            counts[place, _PLACES[event.kind]] += event.count
    return counts


def word_columns(runtime: Runtime, rows: Sequence[int]) -> Columns:
    """Return, for `rows`, the keys except `situation` that `info="full"` adds in every view."""
    episodes = [runtime.episode(row) for row in rows]
    return {
        "task": [episode.task.id for episode in episodes],
        "protocol": [runtime.config.protocol] * len(rows),
        "assists": [episode.assists for episode in episodes],
        "status": [episode.status for episode in episodes],
        "reason": [episode.reason for episode in episodes],
        "events": [tuple(map(astuple, episode.events)) for episode in episodes],
        "inventory": [tuple(runtime.inventory(row).items()) for row in rows],
        "screen_name": [_screen_name(code) for code in runtime.screens(rows).tolist()],
    }


def _screen_name(code: int) -> str:
    """Return the name of the screen with a code."""
    return "unknown" if code == UNKNOWN_SCREEN else screen_names()[code]


def course_numbers(
    courses: Sequence[Course], rewards: Sequence[Sequence[float]], discount: float
) -> Columns:
    """Return `replans`, `complete_wrong`, `backbone` and `smdp`, numeric keys of views with an agent.

    Args:
        courses: each row's course.
        rewards: each row's rewards in the step, by tick.
        discount: the discount factor of one tick.
    """
    counts = [
        (
            course.replans,
            sum([outcome.contradicted for outcome in course.outcomes]),
            *course.tally.counts,
        )
        for course in courses
    ]
    replans, complete_wrong, *tallies = np.array(counts, np.int64).T
    return {
        "replans": replans,
        "complete_wrong": complete_wrong,
        "backbone": {
            **totals([course.answers for course in courses]),
            **dict(zip(TALLIED, tallies, strict=True)),
        },
        "smdp": {
            "duration": _wholes([len(ticks) for ticks in rewards]),
            "discounted_reward": np.array(
                [sum(reward * discount**k for k, reward in enumerate(ticks)) for ticks in rewards],
                np.float64,
            ),
        },
    }


def course_words(
    runtime: Runtime,
    courses: Sequence[Course],
    rewards: Sequence[Sequence[float]],
    rows: Sequence[int],
) -> Columns:
    """Return, for `rows`, the keys except `memory` that `info="full"` adds in views with an agent."""
    chosen = [courses[row] for row in rows]
    own = [_own_outcome(course) for course in chosen]
    return {
        "plan": [
            () if runtime.episode(row).over else tuple(map(str, course.decision.remaining))
            for row, course in zip(rows, chosen, strict=True)
        ],
        "planned_by": [course.decision.planned_by for course in chosen],
        "problems": [course.decision.problems for course in chosen],
        "subgoal": ["" if course.latest is None else str(course.latest) for course in chosen],
        "outcome": ["" if outcome is None else str(outcome) for outcome in own],
        "failure": [_failure(None if outcome is None else outcome.failure) for outcome in own],
        "ended": [
            tuple(
                (str(outcome.subgoal), str(outcome))
                for outcome in course.outcomes
                if outcome.tick > runtime.episode(row).ticks - len(ticks)
            )
            for row, course, ticks in zip(rows, chosen, rewards, strict=True)
        ],
        "reflection": [course.reflection for course in chosen],
        "backbone": {
            "name": [runtime.config.name_of("backbone")] * len(chosen),
            "models": [models_in(course.answers) for course in chosen],
            "fault": [course.tally.fault for course in chosen],
        },
        "smdp": {"rewards": [tuple(ticks) for ticks in rewards]},
    }


def memory_columns(fault: str, count: int, tells_all: bool) -> Columns:
    """Return `info["memory"]` of `count` rows: whether the memory was lost, and with `tells_all` why."""
    lost: Columns = {"lost": _wholes([int(bool(fault))] * count)}
    return {"memory": {**lost, "fault": [fault] * count} if tells_all else lost}


def _own_outcome(course: Course) -> Outcome | None:
    """Return the outcome of the sub-goal in `info["subgoal"]`; None until that sub-goal has ended."""
    return course.outcomes[-1] if course.outcomes and course.pursuit is None else None


def _failure(failure: Failure | None) -> tuple[str, str, int] | tuple[()]:
    """Return a failure as (reason, missing item, missing pieces)."""
    return () if failure is None else (failure.reason, failure.item or "", failure.count)


def joined_columns(first: Columns, second: Columns) -> Columns:
    """Return the columns of `first` and `second`; join two mappings under the same key.

    >>> joined_columns({"a": {"b": [1]}}, {"a": {"c": [2]}, "d": [3]})
    {'a': {'b': [1], 'c': [2]}, 'd': [3]}
    """
    both = dict(first)
    for key, values in second.items():
        both[key] = joined_columns(both[key], values) if key in both else values
    return both


def info_of(columns: Columns, place: int) -> dict[str, Any]:
    """Return the info of one row, at the index `place`; a numpy bool becomes an array without axes.

    >>> info_of({"ticks": [3, 5], "smdp": {"duration": [1, 2]}}, 1)
    {'ticks': 5, 'smdp': {'duration': 2}}
    """
    told: dict[str, Any] = {}
    for key, values in columns.items():
        value = info_of(values, place) if isinstance(values, dict) else values[place]
        told[key] = np.array(value) if isinstance(value, np.bool_) else value
    return told


def infos_of(columns: Columns, places: Sequence[int]) -> Columns:
    """Return the columns with only the rows at the indices `places`.

    >>> infos_of({"ticks": [3, 5]}, [1])
    {'ticks': [5]}
    """
    return {
        key: infos_of(values, places) if isinstance(values, dict) else [values[k] for k in places]
        for key, values in columns.items()
    }


def add_infos(
    batched: dict[str, Any], columns: Columns, rows: NDArray[np.int64], count: int
) -> None:
    """Put the infos of `rows` into the infos of a vector environment, as `VectorEnv._add_info` does.

    Each key gets an array of `count` values, whose dtype is object unless the values are numbers or arrays;
    a mapping becomes a mapping of arrays. For each key "k", the key "_k" gets a mask of the
    rows that have a value.

    Args:
        batched: the infos so far; values of the same rows are replaced.
        columns: for each key a value for each of `rows`.
        rows: int64[n], n at least 1.
        count: rows of the vector environment.

    >>> batched = {}
    >>> add_infos(batched, {"ticks": [3]}, np.array([1]), 2)
    >>> batched
    {'ticks': array([0, 3]), '_ticks': array([False,  True])}
    """
    for key, values in columns.items():
        if isinstance(values, dict):
            add_infos(batched.setdefault(key, {}), values, rows, count)
        else:
            _fill(batched, key, values, rows, count)
        batched.setdefault(f"_{key}", np.zeros(count, np.bool_))[rows] = True


def _fill(
    batched: dict[str, Any], key: str, values: Sequence[Any], rows: NDArray[np.int64], count: int
) -> None:
    if isinstance(values[0], bool | int | float | np.generic | np.ndarray):
        stacked = np.array(values)
        empty = np.zeros((count, *stacked.shape[1:]), stacked.dtype)
    else:
        stacked = np.fromiter(values, object, len(values))
        empty = np.full(count, None, object)
    batched.setdefault(key, empty)[rows] = stacked
