"""Evaluations may share processes one after the other, and their results stay the same."""

import os
import signal
from contextlib import closing
from dataclasses import replace

import pytest

from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.evaluate.process_pool import ProcessPool
from optimus_gym.run.evaluate.worker_pool import Message

FIRST = Evaluation(world="symbolic", tasks=("CraftBowl", "Stone"), episodes=2)
SECOND = Evaluation(world="symbolic", tasks=("Wood",), agent="none", episodes=2)


def told(evaluation, **given):
    rows = list(evaluate(evaluation, **given))
    return {row.key: replace(row, wall_s=0.0) for row in rows}


def kept(pool):
    return [worker.process.pid for worker in pool._idle]


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def pool():
    with closing(ProcessPool()) as made:
        yield made


def test_a_process_plays_one_evaluation_after_the_other(pool):
    assert told(FIRST, pool=pool) == told(FIRST)
    (process,) = kept(pool)
    assert told(SECOND, pool=pool, rows=2) == told(SECOND)
    assert told(FIRST, pool=pool) == told(FIRST)
    assert kept(pool) == [process]


def test_more_processes_are_started_when_they_are_wanted(pool):
    told(FIRST, pool=pool)
    assert told(FIRST, pool=pool, workers=2) == told(FIRST)
    processes = kept(pool)
    assert len(set(processes)) == 2
    assert told(SECOND, pool=pool, workers=2) == told(SECOND)
    assert set(kept(pool)) == set(processes)


def test_a_kept_process_that_died_is_replaced(pool):
    told(FIRST, pool=pool)
    (process,) = kept(pool)
    os.kill(process, signal.SIGKILL)
    pool._idle[0].process.wait()
    assert told(SECOND, pool=pool) == told(SECOND)
    assert kept(pool) != [process]


def test_an_evaluation_that_is_left_early_keeps_no_busy_process(pool):
    rows = evaluate(replace(FIRST, episodes=30), pool=pool, rows=4)
    next(rows)
    rows.close()
    assert kept(pool) == []


def test_a_closed_pool_ends_its_processes():
    pool = ProcessPool()
    told(FIRST, pool=pool)
    (process,) = kept(pool)
    pool.close()
    assert not is_running(process)
    pool.close()


class Late(ProcessPool):
    """A pool whose workers still say rows of the evaluation before."""

    def worker(self, evaluation, identity, rows, pictures, heard):
        made = super().worker(evaluation, identity, rows, pictures, heard)
        heard.put(Message(made, made.turn - 1, "row", next(evaluate(FIRST)).to_line()))
        return made


def test_rows_of_the_evaluation_before_do_not_count():
    with closing(Late()) as pool:
        assert told(SECOND, pool=pool) == told(SECOND)
