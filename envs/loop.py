"""The loop of an episode, for many rows at once: begin sub-goal, act, tick, credit, watch, end, decide.

The control and the sub-goal view share the loop, in single and in vector environments. The loop only ticks
worlds, gives rewards and notes outcomes; the agent thinks, and executors or the caller of `env.step` act.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.deliberation import End, Judge, Outcome, Record
from optimus_gym.core.interfaces import Agent
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import FUNCTIONAL_VERBS, Failure, Status, SubGoal
from optimus_gym.envs.asking import (
    Glances,
    Thinking,
    changes,
    memory_lost,
    situations_of,
)
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.courses import Course, Ledger, Pursuit, episode_record
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.part_answers import check_decisions, check_verdicts
from optimus_gym.envs.reaching import (
    Ending,
    batches_made,
    ending_by_agent,
    ending_by_world,
    hear_the_agent,
    hear_the_world,
    ids_of,
    is_worn,
    kills_made,
    outcome_of,
    share_reached,
    unshown,
)
from optimus_gym.envs.rewards.paying import Payer
from optimus_gym.envs.runtime import Runtime

Failures = Sequence[Failure | None]
EndWatcher = Callable[[Outcome], None]


class Loop:
    """Runs the episodes of an environment's rows with an agent and executors.

    Args:
        config: the environment's arguments.
        runtime: the worlds and episodes.
        courses: each row's course, which the loop writes.
        ledger: the rows' rewards.
        payer: asks the reward for the reward of each tick.
        agent: the agent, already attached.
        executors: the executors of sub-goals; None if the world carries out sub-goals by itself.
        glances: draws the observation's frames for agents.

    Attributes:
        end_watchers: functions that get the outcome of each sub-goal in the tick of the sub-goal's end.
    """

    def __init__(
        self,
        config: EnvConfig,
        runtime: Runtime,
        courses: list[Course],
        ledger: Ledger,
        payer: Payer,
        agent: Agent,
        executors: Executors | None,
        glances: Glances,
    ) -> None:
        self._config = config
        self._runtime = runtime
        self._courses = courses
        self._ledger = ledger
        self._payer = payer
        self._agent = agent
        self._executors = executors
        self._glances = glances
        self._judge: Judge = "inventory" if executors is None else agent.judge
        self._thinking = (
            Thinking(runtime, courses, self._credit) if config.thinking == "ticks" else None
        )
        self.end_watchers: list[EndWatcher] = []
        self._closed = False

    def begin(self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any]) -> None:
        """Begin episodes in `rows` and let the agent decide on their first sub-goals, all at once.

        Raises:
            BadValue, UnknownName: an option cannot be used; the row at fault and the rows after it are
                unchanged.
        """
        begun = 0
        records = []
        try:
            for row, seed in zip(rows, seeds, strict=True):
                cut_off = self._untold([row])
                self._runtime.begin(row, seed, options)
                records += cut_off
                begun += 1
        finally:
            if records:
                self._agent.finish(records)
            if begun:
                self._open(rows[:begun], seeds[:begun])

    def _open(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Let executors and agent begin the episodes of `rows`, whose worlds are already reset.

        The agent never hears of an episode that ends during reset (the goal was held, the world failed).
        """
        for row in rows:
            self._courses[row] = Course()
            self._ledger.begin(row)
        self._payer.begin(rows)
        if self._executors is not None:
            self._executors.begin_episodes(rows, seeds)
        running = [row for row in rows if not self._is_over(row)]
        if running:
            self._agent.begin_episodes(self._situations(running))
        for row in running:
            self._courses[row].known = True
        self._decide(rows)
        self._finish(rows)

    def _untold(self, rows: Sequence[int]) -> list[Record]:
        """Return records for rows whose episode the agent has seen begin, but not end."""
        return [
            self.record(
                row, self._runtime.episode(row).status if self._is_over(row) else "abandoned"
            )
            for row in rows
            if self._courses[row].known and not self._courses[row].finished
        ]

    def close(self) -> None:
        """Give the agent, once, the records of the episodes that still run and are now cut off."""
        records = [] if self._closed else self._untold(range(len(self._courses)))
        self._closed = True
        if records:
            self._agent.finish(records)

    def run(self, rows: Sequence[int], chosen: Sequence[SubGoal | None]) -> None:
        """Carry out one sub-goal in each of `rows`; a row whose sub-goal has ended waits for the others.

        Args:
            rows: rows whose episodes run.
            chosen: for each row, a sub-goal to pursue instead of the agent's decision, or None.
        """
        self._decide(rows)  # in case the agent's last call raised an error
        pairs = zip(rows, chosen, strict=True)
        skills = {row: skill for row, skill in pairs if not self._is_over(row)}
        live = list(skills)
        self._pursue(live, list(skills.values()))
        if self._executors is None:
            self._carry_out(live)
        else:
            while live:
                self._tick(live, *self._executors.act(live))
                live = [row for row in live if self._courses[row].pursuit is not None]
        self._decide(rows)
        self._finish(rows)

    def follow(self, rows: Sequence[int]) -> list[int]:
        """Carry out the agent's decisions in `rows` until an episode is over; no row waits for another row.

        When a row begins a sub-goal, the rewards and events of its former sub-goal are cleared, as by a step.

        Args:
            rows: at least one row; a row's episode may have ended during reset.

        Returns:
            the rows whose episodes are over.
        """
        while True:
            self._decide(rows)
            over = [row for row in rows if self._is_over(row)]
            if over:
                self._finish(over)
                return over
            idle = [row for row in rows if self._courses[row].pursuit is None]
            self._ledger.report(idle)
            self._pursue(idle, [None] * len(idle))
            if self._executors is None:
                self._carry_out(rows)
            else:
                self._tick(rows, *self._executors.act(rows))

    def step(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Tick `rows` once with the policy's actions, then call `settle` for `rows`.

        Args:
            rows: rows whose episodes run and whose sub-goals the policy carries out.
            actions: the policy's actions (int32[n, 15]).
        """
        self._tick(rows, actions, [None] * len(rows))
        self.settle(rows)

    def settle(self, rows: Sequence[int]) -> None:
        """Let agent and helper work until each row needs an action of the policy or its episode is over."""
        assert self._executors is not None, "there is a policy outside"
        while True:
            self._decide(rows)
            running = [row for row in rows if not self._is_over(row)]
            idle = [row for row in running if self._courses[row].pursuit is None]
            self._pursue(idle, [None] * len(idle))
            waiting = [row for row in running if not self._executors.waits_for_policy(row)]
            if not waiting:
                break
            self._tick(waiting, *self._executors.act(waiting))
        self._finish(rows)

    def _is_over(self, row: int) -> bool:
        return self._runtime.episode(row).over

    def _is_broken(self, row: int) -> bool:
        return self._runtime.episode(row).status == "world_failed"

    def _situations(self, rows: Sequence[int]) -> list[Situation]:
        return situations_of(self._runtime, self._courses, self._glances, rows)

    def _decide(self, rows: Sequence[int]) -> None:
        """Ask the agent, once, for the next sub-goals of all rows that lack one."""
        wanting = [
            row
            for row in rows
            if not self._is_over(row)
            and not self._courses[row].decided
            and self._courses[row].pursuit is None
        ]
        if not wanting:
            return
        given = self._agent.decide(self._situations(wanting))
        decisions = check_decisions(self._agent.name, given, len(wanting))
        for row, decision in zip(wanting, decisions, strict=True):
            self._courses[row].follow(decision)
        if self._thinking is not None:
            self._thinking.go_by(wanting)
        for row, decision in zip(wanting, decisions, strict=True):
            if decision.subgoal is None and not self._is_over(row):
                self._runtime.end(row, "gave_up", decision.reason)

    def _pursue(self, rows: Sequence[int], chosen: Sequence[SubGoal | None]) -> None:
        """Begin each row's chosen sub-goal, or the sub-goal of the agent's decision if none is chosen."""
        subgoals = []
        for row, choice in zip(rows, chosen, strict=True):
            course = self._courses[row]
            subgoal = course.decision.subgoal if choice is None else choice
            assert subgoal is not None, "an episode that runs has a sub-goal decided"
            course.pursuit = Pursuit(subgoal, choice is not None, ids_of(subgoal))
            course.pursuit.progress = float(is_worn(self._runtime, row, subgoal))
            place = self._runtime.world.poses([row])[0, :3]
            course.note(subgoal, self._runtime.counts[row].copy(), place)
            subgoals.append(subgoal)
        if rows and self._executors is not None:
            self._executors.begin_subgoals(rows, subgoals)

    def _tick(self, rows: Sequence[int], actions: NDArray[np.int32], failures: Failures) -> None:
        """Tick `rows`, reward the progress of their sub-goals and end the finished sub-goals.

        A sub-goal that fails at once still costs one idle tick.
        """
        ticking = []
        for k, (row, failure) in enumerate(zip(rows, failures, strict=True)):
            if failure is None or self._pursuit(row).ticks == 0:
                ticking.append(k)
            if failure is not None:
                actions[k] = noop()
        chosen = [rows[k] for k in ticking]
        if chosen:
            self._runtime.tick(chosen, actions[ticking])
        for row in chosen:
            if not self._is_broken(row):
                self._pursuit(row).ticks += 1
                self._credit(row)
        self._conclude(rows, failures)

    def _carry_out(self, rows: Sequence[int]) -> None:
        """Let the world carry out the sub-goals of `rows`; each sub-goal's last tick gets the reward.

        Raises:
            BadValue: the world calls a sub-goal done although the world's state does not show the success.
        """
        failures = []
        for row in rows:
            pursuit = self._pursuit(row)
            ticks, failure = self._runtime.carry_out(row, pursuit.subgoal, self._limit(row))
            failures.append(failure)
            if not self._is_broken(row):
                pursuit.ticks += ticks
                self._ledger.add(row, *[0.0] * (ticks - 1))
                self._credit(row)
            if self._ending(row, failure) is None:
                raise unshown(self._runtime, row, pursuit)
        self._conclude(rows, failures)

    def _pursuit(self, row: int) -> Pursuit:
        pursuit = self._courses[row].pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        return pursuit

    def _credit(self, row: int) -> None:
        """Note the reward of the row's latest tick, and the progress of its sub-goal, if it has one."""
        pursuit = self._courses[row].pursuit
        if pursuit is None:
            self._ledger.add(row, self._payer.pay(row))
            return
        pursuit.batches += batches_made(self._runtime, pursuit.subgoal, row)
        pursuit.kills += kills_made(self._runtime, pursuit.subgoal, row)
        reached = share_reached(self._runtime, self._courses[row], row)
        hear_the_world(self._runtime, row, pursuit, reached, self._judge)
        self._ledger.add(row, self._payer.pay(row, reached, self._is_helped(row, pursuit)))
        pursuit.share, pursuit.progress = reached, max(pursuit.progress, reached)

    def _is_helped(self, row: int, pursuit: Pursuit) -> bool:
        """Return whether the helper, or a world in its place, carries out the row's sub-goal."""
        if self._executors is None:
            return pursuit.subgoal.verb in FUNCTIONAL_VERBS
        return self._executors.is_helped(row)

    def _conclude(self, rows: Sequence[int], failures: Failures) -> None:
        """End each row's sub-goal if the world's state or the agent's verdict ends it."""
        outcomes, open_rows = [], []
        for row, failure in zip(rows, failures, strict=True):
            ending = self._ending(row, failure)
            if ending is None:
                open_rows.append(row)
            else:
                outcomes.append(self._end(row, *ending))
        outcomes += self._watch(open_rows)
        if outcomes:
            self._agent.ended(outcomes)

    def _ending(self, row: int, failure: Failure | None) -> Ending | None:
        """Return how the world's state ends the row's sub-goal; None if the sub-goal goes on."""
        return ending_by_world(
            self._runtime, row, self._pursuit(row), self._limit(row), failure, self._judge
        )

    def _limit(self, row: int) -> int:
        return self._config.subgoal_limit(self._runtime.episode(row).budget)

    def _watch(self, rows: Sequence[int]) -> list[Outcome]:
        """Let the agent judge the sub-goals that are due; return the outcomes of those that thereby end.

        A sub-goal is due whenever its number of ticks is a multiple of the agent's `period`.
        """
        period = None if self._executors is None else self._agent.period
        due = [row for row in rows if period and self._pursuit(row).ticks % period == 0]
        if not due:
            return []
        given = self._agent.watch(self._situations(due))
        verdicts = check_verdicts(self._agent.name, given, len(due))
        for row, verdict in zip(due, verdicts, strict=True):
            self._courses[row].take(verdict)
            pursuit = self._pursuit(row)
            if hear_the_agent(self._runtime, row, pursuit, verdict, self._judge):
                helped = self._is_helped(row, pursuit)
                self._ledger.add_to_last(row, self._payer.pay(row, pursuit.progress, helped))
        died = frozenset() if self._thinking is None else self._thinking.go_by(due)
        ended = []
        for row, verdict in zip(due, verdicts, strict=True):
            ending = self._ending(row, Failure("died") if row in died else None)
            ending = ending or ending_by_agent(self._pursuit(row).subgoal, verdict, self._judge)
            if ending is not None:
                ended.append(self._end(row, *ending))
        return ended

    def _end(self, row: int, end: End, failure: Failure | None) -> Outcome:
        """End the row's sub-goal and return the outcome of the sub-goal."""
        course = self._courses[row]
        change = changes(self._runtime, course, row)
        outcome = outcome_of(self._runtime, course, row, (end, failure), change)
        course.outcomes.append(outcome)
        course.pursuit = None
        for watcher in self.end_watchers:
            watcher(outcome)
        return replace(outcome, pov=self._glances.pictures([row])[0])

    def _finish(self, rows: Sequence[int]) -> None:
        """Give the agent, once, the records of finished episodes among `rows`."""
        records = self._untold([row for row in rows if self._is_over(row)])
        for record in records:
            self._courses[record.row].finished = True
        if records:
            self._agent.finish(records)

    def record(self, row: int, status: Status) -> Record:
        """Return the record of the row's episode so far, with `status` as the status of the episode."""
        episode, course = self._runtime.episode(row), self._courses[row]
        record = episode_record(row, episode, course, status, self._config.protocol)
        return replace(record, memory_lost=memory_lost(self._agent))
