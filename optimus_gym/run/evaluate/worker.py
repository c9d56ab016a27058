"""A process that plays episodes: reads orders and writes rows as lines of JSON; `process_pool.py` starts it.

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
from threading import Thread
from typing import Any, TextIO

from optimus_gym.core.errors import BadMemory, OptimusError
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.evaluate.key_frames import Unwritable
from optimus_gym.run.evaluate.stage import Stage
from optimus_gym.run.results.row import shortened

Order = tuple[str, Any]
"""An order of the parent: "stage" with an evaluation and its settings, or "job" with an episode."""


class Mouth:
    """Says messages on an evaluation to the parent.

    Args:
        out: the pipe to the parent.
        turn: the evaluation's number in this process.
    """

    def __init__(self, out: TextIO, turn: int) -> None:
        self._out = out
        self._turn = turn

    def say(self, kind: str, what: Any) -> None:
        """Send a message."""
        self._out.write(json.dumps([self._turn, kind, what]) + "\n")
        self._out.flush()


def serve_episodes() -> None:
    """Read an evaluation, and play its jobs as they come until the next evaluation comes."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches every process; the parent ends this one
    asked, out = _pipes()
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    Thread(target=_listen, args=(asked, orders), daemon=True).start()
    _, told = orders.get()
    while told is not None:
        told = _serve(told, orders, out)


def _serve(told: Any, orders: "queue.SimpleQueue[Order]", out: TextIO) -> Any:
    """Play the jobs of an evaluation; return the next evaluation, or None after an error."""
    mouth = Mouth(out, told["turn"])
    sys.path[:] = told["path"]
    try:
        evaluation = Evaluation(**told["evaluation"])
        stage = Stage(evaluation, told["identity"], told["rows"], told["pictures"])
    except OptimusError as error:
        mouth.say("refused", shortened(str(error)))
        return None
    except BaseException:  # noqa: BLE001  the parent gets every error, an exit too
        mouth.say("refused", shortened(traceback.format_exc()))
        return None
    mouth.say("ready", None)
    try:
        following = _play(stage, orders, mouth)
        stage.close()
    except Unwritable as error:
        mouth.say("refused", str(error))
    except BadMemory as error:
        kind = "refused" if evaluation.learn else "crashed"  # a learner's episode is not at fault
        mouth.say(kind, shortened(str(error) if evaluation.learn else traceback.format_exc()))
    except BaseException:  # noqa: BLE001  the parent gets every error of a part, an exit too
        mouth.say("crashed", shortened(traceback.format_exc()))
    else:
        return following
    return None


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


def _play(stage: Stage, orders: "queue.SimpleQueue[Order]", mouth: Mouth) -> Any:
    """Play jobs as they come, and say their rows; return the next evaluation when it comes."""
    while True:
        while stage.has_room and (stage.is_empty or not orders.empty()):
            kind, what = orders.get()
            if kind == "stage":
                return what
            job = Job(**what)
            impossible = stage.why_not(job)
            if impossible is not None:
                mouth.say("row", impossible.to_line())
            else:
                stage.begin(job)
        for row in stage.play():
            mouth.say("row", row.to_line())


def _listen(asked: TextIO, orders: "queue.SimpleQueue[Order]") -> None:
    """Put the parent's orders into the queue; when the input ends, kill this process and its group."""
    for line in asked:
        kind, what = json.loads(line)
        orders.put((kind, what))
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    serve_episodes()
