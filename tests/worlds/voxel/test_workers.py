import os
import pickle
import threading
from copy import deepcopy

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.workers import Workers
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.trajectory import START, random_actions

COUNT = 7


def played(threads, ticks=40):
    """Return snapshots and frames of seven worlds that a number of threads played and drew."""
    world = VoxelWorld(COUNT, view_distance=16, threads=threads)
    rows = np.arange(COUNT)
    for row in rows:
        world.reset(row, Setup(seed=int(row) % 5, inventory=START))
    actions = [random_actions(np.random.default_rng(row), ticks) for row in rows]
    images = np.zeros((COUNT, 24, 32, 3), np.uint8)
    frames = []
    for tick in range(ticks):
        chosen = rows if tick % 3 else rows[::-2]
        world.tick(chosen, np.stack([actions[row][tick] for row in chosen]))
        if tick % 5 == 0:
            world.frames(chosen, images[: len(chosen)])
            frames.append(images.tobytes())
    states = [world.snapshot(row) for row in rows]
    world.close()
    return states, frames


def test_any_number_of_threads_gives_the_same_bytes(monkeypatch):
    monkeypatch.setattr("optimus_gym.worlds.voxel.world.FEWEST_TICKS", 1)
    alone = played(1)
    assert played(2) == alone
    assert played(3) == alone


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("places", [0, 1, 2, 3, 7, 64, 65])
def test_each_place_is_worked_once_and_each_number_belongs_to_one_thread(threads, places):
    workers = Workers(threads)
    seen = np.zeros(places, np.int64)
    numbers = {}
    lock = threading.Lock()

    def work(worker, part):
        seen[part] += 1
        with lock:
            assert numbers.setdefault(worker, threading.get_ident()) == threading.get_ident()

    workers.share(work, places)
    workers.close()
    assert (seen == 1).all()
    assert all(0 <= number < threads for number in numbers)


def test_little_work_starts_no_thread():
    workers = Workers(4)
    mine = set()
    for places, least in ((1, 1), (15, 8)):
        workers.share(lambda *_: mine.add(threading.get_ident()), places, least)
    assert mine == {threading.get_ident()}
    assert workers._pool is None


def test_an_error_in_a_thread_is_raised_after_all_have_ended():
    workers = Workers(2)

    def work(worker, part):
        if part.start:
            raise RuntimeError("from a thread")

    with pytest.raises(RuntimeError, match="from a thread"):
        workers.share(work, 8)
    workers.close()


def test_threads_end_with_the_world():
    before = threading.active_count()
    world = VoxelWorld(2, view_distance=16, threads=2)
    for row in (0, 1):
        world.reset(row, Setup(seed=row))
    world.frames(np.arange(2), np.zeros((2, 8, 8, 3), np.uint8))
    assert threading.active_count() == before + 1
    world.close()
    world.close()
    assert threading.active_count() == before


def test_copies_and_pickles_have_their_own_threads():
    workers = Workers(2)
    workers.share(lambda *_: None, 8)
    for copy in (deepcopy(workers), pickle.loads(pickle.dumps(workers))):
        seen = np.zeros(8, np.int64)
        copy.share(lambda _, part, seen=seen: seen.__setitem__(part, 1), 8)
        assert seen.all()
        copy.close()
    workers.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_workers_work_in_a_forked_child():
    workers = Workers(2)
    workers.share(lambda *_: None, 8)
    child = os.fork()
    if child == 0:
        done = []
        workers.share(lambda _, part: done.extend(range(8)[part]), 8)
        os._exit(0 if sorted(done) == list(range(8)) else 1)
    _, status = os.waitpid(child, 0)
    workers.close()
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("threads", [0, -1, 2.0, True, "two"])
def test_bad_numbers_of_threads_are_rejected(threads):
    with pytest.raises(BadValue, match="threads: expected an integer from 1 to 1024"):
        VoxelWorld(1, threads=threads)
