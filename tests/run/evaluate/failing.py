"""Agents that fail at one task, in the ways in which users' own parts fail."""

import os
import signal
import sys
import time

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.controllers.random import RandomController

WHERE = "CraftBowl"


class Raising(Optimus1):
    def begin_episodes(self, situations):
        super().begin_episodes(situations)
        if any(situation.task.id == WHERE for situation in situations):
            raise RuntimeError("no bowls here")


class Dying(Optimus1):
    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().decide(situations)


class Printing(Optimus1):
    """Prints, and writes to the standard output as compiled code does."""

    def begin_episodes(self, situations):
        print("thinking")
        os.write(1, b"and counting\n")
        super().begin_episodes(situations)


class Unmakable(Optimus1):
    def __init__(self):
        raise RuntimeError("no weights")


class Miner(RandomController):
    verbs = frozenset({"mine"})


class Forking(Optimus1):
    """Starts a process that holds all pipes, and dies."""

    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            if os.fork() == 0:
                time.sleep(600)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().decide(situations)


class Deaf(Optimus1):
    """Ignores signals, and starts a process that ignores signals too."""

    def decide(self, situations):
        for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(one, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(600)
        while True:
            time.sleep(1)


class Hanging(Optimus1):
    """Never returns at one task."""

    def decide(self, situations):
        while any(situation.task.id == WHERE for situation in situations):
            time.sleep(1)
        return super().decide(situations)


class Reading(Optimus1):
    """Reads from the standard input."""

    def decide(self, situations):
        assert sys.stdin.read() == ""
        assert os.read(0, 1) == b""
        return super().decide(situations)


class Exiting(Optimus1):
    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            sys.exit("no bowls today")
        return super().decide(situations)


class Interrupting(Optimus1):
    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            raise KeyboardInterrupt("not here")
        return super().decide(situations)


class Verbose(Optimus1):
    def decide(self, situations):
        if any(situation.task.id == WHERE for situation in situations):
            raise RuntimeError("begin " + "x" * 50_000_000 + " end")
        return super().decide(situations)
