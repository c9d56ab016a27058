"""A process that plays episodes: reads jobs and writes rows as lines of JSON; `worker_pool.py` starts it.

The standard output of parts (controller, agent ...) goes to the process's error stream. Parts that read
standard input find the input empty. The process and its process group end at once when its parent
process ends.
"""

import json
import os
import queue
import signal
import sys
import traceback
from collections.abc import Iterator
from threading import Thread
from typing import Any, TextIO

from optimus_gym.core.errors import OptimusError
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.evaluate.key_frames import Unwritable
from optimus_gym.run.evaluate.stage import Stage
from optimus_gym.run.results.row import EpisodeRow, shortened


def serve_episodes() -> None:
    """Read the evaluation, then play the jobs as they come."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches every process; the parent ends this one
    asked, out = _pipes()
    told = json.loads(asked.readline())
    sys.path[:] = told["path"]
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    Thread(target=_listen, args=(asked, jobs), daemon=True).start()
    try:
        evaluation = Evaluation(**told["evaluation"])
        stage = Stage(evaluation, told["identity"], told["rows"], told["pictures"])
    except OptimusError as error:
        _say(out, "refused", shortened(str(error)))
        return
    except BaseException:  # noqa: BLE001  the parent gets every error, an exit too
        _say(out, "refused", shortened(traceback.format_exc()))
        return
    _say(out, "ready", None)
    try:
        for row in _play(stage, jobs):
            _say(out, "row", row.to_line())
    except Unwritable as error:
        _say(out, "refused", str(error))
    except BaseException:  # noqa: BLE001  the parent gets every error of a part, an exit too
        _say(out, "crashed", shortened(traceback.format_exc()))


def _pipes() -> tuple[TextIO, TextIO]:
    """Return the pipes from and to the parent process, and hide them from the parts that play."""
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # each line at once: this process may be killed at any moment
    return asked, out


def _play(stage: Stage, jobs: "queue.SimpleQueue[Job]") -> Iterator[EpisodeRow]:
    """Play jobs as they come, without end; yield their rows."""
    while True:
        while stage.has_room and (stage.is_empty or not jobs.empty()):
            job = jobs.get()
            impossible = stage.why_not(job)
            if impossible is not None:
                yield impossible
            else:
                stage.begin(job)
        yield from stage.play()


def _listen(asked: TextIO, jobs: "queue.SimpleQueue[Job]") -> None:
    """Put jobs from the parent into the queue; when the input ends, kill this process and its group."""
    for line in asked:
        jobs.put(Job(**json.loads(line)))
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _say(out: TextIO, kind: str, what: Any) -> None:
    out.write(json.dumps([kind, what]) + "\n")
    out.flush()


if __name__ == "__main__":
    serve_episodes()
