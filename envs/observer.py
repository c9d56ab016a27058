"""Makes the observations of any rows, and computes only the keys that the caller asks for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Dict
from numpy.typing import NDArray

from optimus_gym.core.scaling import scale_counts, scale_indices, scale_vitals
from optimus_gym.core.types import VERBS, SubGoal
from optimus_gym.envs.asking import Glances
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.courses import Course
from optimus_gym.envs.runtime import Runtime
from optimus_gym.envs.spaces import TEXT_LENGTH, observation_space
from optimus_gym.envs.vocabulary import Vocabulary
from optimus_gym.vision.mini_aligner import text_vector

Observation = dict[str, NDArray[Any]]
VERB_PLACES: Mapping[str, int] = {verb: k for k, verb in enumerate(VERBS)}


class Observer:
    """Makes the observations of an environment's rows.

    Args:
        config: the environment's arguments.
        runtime: the worlds and episodes.
        courses: each row's course, which the observer reads.
        vocabulary: the items of the observation's vectors.
        hierarchical: whether observations show sub-goals.

    Attributes:
        space: the space of one row with every key.
        glances: draws the frames, for agents too.
    """

    def __init__(
        self,
        config: EnvConfig,
        runtime: Runtime,
        courses: Sequence[Course],
        vocabulary: Vocabulary,
        hierarchical: bool,
    ) -> None:
        self._runtime = runtime
        self._courses = courses
        self._vocabulary = vocabulary
        self._size = config.resolution
        self.glances = Glances(runtime, config.resolution, config.pov == "squeezed")
        self._scaled = config.observation == "scaled"
        self._worn_index = vocabulary.worn_index
        if self._scaled:
            self._worn_index = scale_indices(self._worn_index, len(vocabulary))
        self.space: Dict = observation_space(
            config.resolution,
            len(vocabulary),
            hierarchical,
            config.suite is not None,
            self._scaled,
        )
        self._makers: dict[str, Callable[[Sequence[int]], NDArray[Any]]] = {
            "inventory": self._inventory,
            "subgoal": self._subgoals,
            "subgoal_text": self._texts,
            "goal": self._goals,
        }
        self._vectors: dict[SubGoal, NDArray[np.float32]] = {}
        self._listed = np.zeros((runtime.count, len(vocabulary)), np.int32)
        self._inventories = np.zeros((runtime.count, len(vocabulary)), np.float32)
        self._listed_at = [-1] * runtime.count
        """The value of `Runtime.changes` when each row's inventory was last copied into `_listed`."""

    def look(
        self,
        rows: Sequence[int],
        keys: Sequence[str] | None = None,
        canvas: NDArray[np.uint8] | None = None,
    ) -> Observation:
        """Return the observations of `rows`, stacked along a first axis; every array but the canvas is new.

        Args:
            rows: the rows; a row of a failed world gets zeros.
            keys: keys of `space`; None takes all.
            canvas: the array to draw `pov` into (uint8[n, H, W, 3], C-contiguous), allowed only if all rows'
                worlds work; None draws into a new array.
        """
        wanted = tuple(self.space.spaces) if keys is None else keys
        working = [row for row in rows if not self._is_broken(row)]
        seen = self._look(working, wanted, canvas)
        if len(working) == len(rows):
            return seen
        places = [k for k, row in enumerate(rows) if not self._is_broken(row)]
        return {key: spread(values, places, len(rows)) for key, values in seen.items()}

    def _is_broken(self, row: int) -> bool:
        return self._runtime.episode(row).status == "world_failed"

    def _look(
        self, rows: Sequence[int], keys: Sequence[str], canvas: NDArray[np.uint8] | None
    ) -> Observation:
        seen: Observation = {}
        bodies: Observation = {}
        for key in keys:
            if key == "pov":
                seen[key] = self._pov(rows, canvas)
            elif key in self._makers:
                seen[key] = self._makers[key](rows)
            else:
                bodies = bodies or self._bodies(rows)
                seen[key] = bodies[key]
        return seen

    def _pov(
        self, rows: Sequence[int], canvas: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint8]:
        width, height = self._size
        images = np.empty((len(rows), height, width, 3), np.uint8) if canvas is None else canvas
        self.glances.fill(rows, images)
        return images

    def frame(self, row: int) -> NDArray[np.uint8]:
        """Return the row's present frame at the observation's resolution (uint8[H, W, 3])."""
        frame: NDArray[np.uint8] = self._pov([row])[0]
        return frame

    def held(self, rows: Sequence[int]) -> NDArray[np.int32]:
        """Return how many of each item of the vocabulary `rows` hold (int32[n, V]), a new array."""
        self._list(rows)
        held: NDArray[np.int32] = self._listed.take(rows, 0)
        return held

    def _inventory(self, rows: Sequence[int]) -> NDArray[np.float32]:
        self._list(rows)
        inventory: NDArray[np.float32] = self._inventories.take(rows, 0)
        return inventory

    def _list(self, rows: Sequence[int]) -> None:
        """Copy the inventories of `rows` into `_listed` where they have changed since the last copy."""
        changes = self._runtime.changes
        stale = [row for row in rows if self._listed_at[row] != changes[row]]
        for row in stale:
            self._listed_at[row] = changes[row]
            self._listed[row] = self._runtime.counts[row].take(self._vocabulary.ids)
        if stale:
            self._inventories[stale] = self._counted(self._listed[stale])

    def _counted(self, counts: NDArray[Any]) -> NDArray[np.float32]:
        return scale_counts(counts) if self._scaled else counts.astype(np.float32)

    def _bodies(self, rows: Sequence[int]) -> Observation:
        if not rows:
            empty = np.empty((0, 6), np.float32)
            return {"equipment": empty, "vitals": empty.copy()}
        worn, vitals = self._runtime.world.bodies(np.array(rows, np.int64))
        equipment = self._worn_index.take(worn)
        return {"equipment": equipment, "vitals": scale_vitals(vitals) if self._scaled else vitals}

    def _pursued(self, row: int) -> SubGoal | None:
        """Return the row's current sub-goal, or the next if none runs; None after the episode's end."""
        course = self._courses[row]
        if self._runtime.episode(row).over:
            return None
        return course.decision.subgoal if course.pursuit is None else course.pursuit.subgoal

    def _subgoals(self, rows: Sequence[int]) -> NDArray[np.float32]:
        length = len(VERBS) + len(self._vocabulary) + 1
        vectors = np.zeros((len(rows), length), np.float32)
        left = np.zeros(len(rows), np.float32)
        for k, row in enumerate(rows):
            pursuit, subgoal = self._courses[row].pursuit, self._pursued(row)
            if subgoal is None:
                continue
            vectors[k] = self._vector(subgoal)
            done = 0.0 if pursuit is None else pursuit.progress
            left[k] = subgoal.count * (1 - done)
        vectors[:, -1] = self._counted(left)
        return vectors

    def _vector(self, subgoal: SubGoal) -> NDArray[np.float32]:
        """Return zeros with ones at a sub-goal's verb and items (float32[17 + V + 1]); results are cached."""
        vector = self._vectors.get(subgoal)
        if vector is None:
            vector = np.zeros(len(VERBS) + len(self._vocabulary) + 1, np.float32)
            vector[VERB_PLACES[subgoal.verb]] = 1
            for name in subgoal.kinds:
                if name in self._vocabulary.index:
                    vector[len(VERBS) + self._vocabulary.index[name]] = 1
            self._vectors[subgoal] = vector
        return vector

    def _texts(self, rows: Sequence[int]) -> NDArray[np.float32]:
        vectors = np.zeros((len(rows), TEXT_LENGTH), np.float32)
        for k, row in enumerate(rows):
            subgoal = self._pursued(row)
            if subgoal is not None:
                vectors[k] = text_vector(subgoal.text or str(subgoal))
        return vectors

    def _goals(self, rows: Sequence[int]) -> NDArray[np.float32]:
        goals = np.zeros((len(rows), len(self._vocabulary)), np.float32)
        for goal, row in zip(goals, rows, strict=True):
            task = self._runtime.episode(row).task
            places = [self._vocabulary.index[n] for n in task.kinds if n in self._vocabulary.index]
            goal[places] = task.count
        return self._counted(goals)


def spread(values: NDArray[Any], places: Sequence[int], count: int) -> NDArray[Any]:
    """Return an array of `count` rows with `values` (n, ...) at the indices `places` and zeros elsewhere."""
    every = np.zeros((count, *values.shape[1:]), values.dtype)
    every[places] = values
    return every
