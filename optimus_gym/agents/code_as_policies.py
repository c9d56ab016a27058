"""Code as Policies (Liang et al. 2022), as DEPS compares it: the model writes a program, which acts.

The program is read by a grammar of this package (`backbones.parse.programs`) and never run as Python. The
program's conditions ask about the inventory, and its loops are bounded. A call that fails ends the program,
as an error ends a Python program; the model then reads the error and writes another program.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from optimus_gym.agents.zero_shot import ONE_FILE_PROMPTS
from optimus_gym.backbones.parse.deeds import Found, subgoals_of
from optimus_gym.backbones.parse.programs import read_program
from optimus_gym.core.checks import check_flag
from optimus_gym.core.deliberation import Decision, Outcome, Record
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Failure
from optimus_gym.minds.completion import complete
from optimus_gym.minds.facts import step_row
from optimus_gym.minds.forgetful import Forgetful
from optimus_gym.minds.mind import MAX_REPLANS, Mind
from optimus_gym.minds.plain_planner import request_for
from optimus_gym.minds.planning import Ask, Plan, Setback
from optimus_gym.minds.program_runs import ProgramRun


class CodeAsPolicies(Forgetful):
    """Asks for a program, and runs it call by call on what the agent holds.

    Args:
        max_replans: maximum number of new programs of an episode.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`).
        conditions: whether a program may have conditions on the inventory and loops; if not, it may have
            calls alone.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    name = "code-as-policies"
    runs: dict[int, ProgramRun]

    def __init__(
        self, max_replans: int = MAX_REPLANS, recipes: bool = True, conditions: bool = True
    ) -> None:
        super().__init__(max_replans, recipes)
        self.conditions = check_flag("conditions", conditions)

    def _make_parts(self, setting: AgentSetting) -> None:
        self.runs = {}

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, without any program."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience, stepwise=True)
            self.runs.pop(situation.row, None)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next call; the rows whose program has ended ask for a new one together."""
        for situation in situations:
            if self.minds[situation.row].wants_plan and situation.row in self.runs:
                self._go_on(situation, Plan(()))
        while lost := [one for one in situations if self.minds[one.row].wants_answer()]:
            asks = [self.minds[situation.row].question(situation) for situation in lost]
            plans = self.planner.plan(asks, [self._request(ask) for ask in asks], self._read)
            for situation, plan in zip(lost, plans, strict=True):
                self._begin(situation, plan)
        return [self._decision(situation) for situation in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended: a failure ends the program."""
        super().ended(outcomes)
        for outcome in outcomes:
            if self.minds[outcome.row].setback is not None or outcome.chosen:
                self.runs.pop(outcome.row, None)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        super().finish(records)
        for record in records:
            self.runs.pop(record.row, None)

    def _begin(self, situation: Situation, plan: Plan) -> None:
        """Begin the program of a plan's text; without a program, the row gives up."""
        if not plan.subgoals:
            self.minds[situation.row].follow(plan)
            return
        self.runs[situation.row] = ProgramRun(read_program(plan.text, self.conditions))
        self._go_on(situation, plan)

    def _go_on(self, situation: Situation, plan: Plan) -> None:
        """Run a row's program to its next call; a program that ends without the goal is a setback."""
        mind, run = self.minds[situation.row], self.runs[situation.row]
        called = run.next_call(situation)
        if called is None:
            del self.runs[situation.row]
            missing = Failure("missing_item", mind.goal.item, 1, run.why)
            mind.set_back(Setback(mind.goal, missing))
            return
        call, pieces = called
        found = subgoals_of([call.deed(pieces)], situation.stations).subgoals
        mind.follow(replace(plan, subgoals=complete(found, self.planner.graph, None, mind.goal)))

    def _decision(self, situation: Situation) -> Decision:
        """Return a row's decision; its plan also shows the calls in the lines below the present call."""
        decision, run = self.minds[situation.row].next_subgoal(), self.runs.get(situation.row)
        return decision if run is None else replace(decision, plan=(*decision.plan, *run.below))

    def _read(self, text: str, near: Collection[str]) -> Found:
        """Return the sub-goals of all calls of a program, and the program's problems."""
        program = read_program(text, self.conditions)
        return Found(() if program.problems else program.subgoals, program.problems)

    def _request(self, ask: Ask) -> Request:
        """Return the request for a program, or after an error for another program."""
        form = "program" if self.conditions else "program without conditions"
        facts: dict[str, Any] = {"answer": form, **self.planner.facts(ask)}
        kind = "plan"
        if ask.setback is not None:
            kind = "replan"
            facts["failed_step"] = step_row(ask.setback.failed)
            facts["failure"] = str(ask.setback.why)
        page = "program" if self.conditions else "program_of_calls"
        return request_for(kind, ONE_FILE_PROMPTS, page, facts, ask.situation)
