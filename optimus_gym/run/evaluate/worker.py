"""A process that plays episodes: jobs come as lines of JSON, rows go as such; run by `workers.py`.

What is played may print as it likes: what goes to the standard output is sent to the error stream. The
process ends with whoever started it, whatever it is doing.
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
from optimus_gym.run.evaluate.pictures import Unwritable
from optimus_gym.run.evaluate.stage import Stage
from optimus_gym.run.results.row import EpisodeRow


def main() -> None:
    """Read what is evaluated, then play what comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; who started this ends it
    told = json.loads(sys.stdin.readline())
    sys.path[:] = told["path"]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # each line at once: this process may be killed at any moment
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    Thread(target=_listen, args=(jobs,), daemon=True).start()
    try:
        evaluation = Evaluation(**told["evaluation"])
        stage = Stage(evaluation, told["identity"], told["rows"], told["pictures"])
    except OptimusError as error:
        _say(out, "refused", str(error))
        return
    except Exception:  # noqa: BLE001  it is told to who started this
        _say(out, "refused", traceback.format_exc())
        return
    _say(out, "ready", None)
    try:
        for row in _play(stage, jobs):
            _say(out, "row", row.to_line())
    except Unwritable as error:
        _say(out, "refused", str(error))
    except Exception:  # noqa: BLE001  of whatever is plugged in; it is told to who started this
        _say(out, "crashed", traceback.format_exc())


def _play(stage: Stage, jobs: "queue.SimpleQueue[Job]") -> Iterator[EpisodeRow]:
    """Play what comes, without end; yield the results."""
    while True:
        while stage.has_room and (stage.is_empty or not jobs.empty()):
            job = jobs.get()
            impossible = stage.why_not(job)
            if impossible is not None:
                yield impossible
            else:
                stage.begin(job)
        yield from stage.play()


def _listen(jobs: "queue.SimpleQueue[Job]") -> None:
    """Take jobs as they come; end the process when nobody can send any more."""
    for line in sys.stdin:
        jobs.put(Job(**json.loads(line)))
    os._exit(0)


def _say(out: TextIO, kind: str, what: Any) -> None:
    out.write(json.dumps([kind, what]) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
