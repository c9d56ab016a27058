"""MP5's patroller: checks before, while and after an action, and active perception (MP5, section 3.2).

Before an action the patroller asks whether it can begin, after it whether it has succeeded and what is
missing. While an action looks for a thing, the patroller questions the percipient about the picture, round by
round, until it knows that all is in view, or what is missing. Whether a gathering action is done, the
inventory shows, which is among the agent's observations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.percipient import FrameQuestions, Percipient
from optimus_gym.agents.mp5.questions import check_question, inquiry_question
from optimus_gym.agents.mp5.switches import Mp5Switches
from optimus_gym.backbones.parse.patrol_lines import CheckRead, InquiryRead, check_in, inquiry_in
from optimus_gym.core.deliberation import JudgedBy, Judgement, Verdict
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import FUNCTIONAL_VERBS, SubGoal
from optimus_gym.game.sources import GETTING_VERBS
from optimus_gym.minds.asking_again import Heard, heard_from
from optimus_gym.minds.facts import in_a_line, step_row

MOST_ROUNDS_OF_QUESTIONS: Final = 7
"""Maximum number of rounds about one picture: one for each aspect, and one for the word that it is enough."""
MOST_LOOKS: Final = 60
"""Looks without success after which the patroller stops a search, every 20 ticks: our choice, a minute."""
_Row = tuple[Situation, Campaign]


@dataclass(slots=True)
class Perceived:
    """The knowledge of one picture.

    Attributes:
        situation: the row's situation.
        act: verb, item and count of the action that wants to see its item.
        answers: the percipient's answers, by aspect.
        enough: whether the picture shows all that the action wants; None without an answer.
        missing: the missing things, in words.
        said_by: the author of `enough`: "backbone", "nobody" for an unreadable answer, or "" for none.
        problems: faults of the backbone's answers.
        corrections: corrections of its answers.
    """

    situation: Situation
    act: tuple[str, str, int]
    answers: dict[str, str]
    enough: bool | None = None
    missing: str = ""
    said_by: JudgedBy = ""
    problems: tuple[str, ...] = ()
    corrections: int = 0


class Patroller:
    """Checks the actions of many rows.

    Args:
        backbone: answers the patroller's requests.
        percipient: answers questions about pictures.
        switches: the active parts.
    """

    def __init__(self, backbone: Backbone, percipient: Percipient, switches: Mp5Switches) -> None:
        self._backbone = backbone
        self._percipient = percipient
        self._switches = switches

    def check_ended(self, rows: Sequence[_Row]) -> None:
        """Judge actions that have ended: each row goes on, or has a setback.

        The last action of a sub-objective is judged by what all its actions gained.
        """
        if not self._switches.after:
            for _, campaign in rows:
                campaign.succeed()
            return
        requests = [self._after(*row) for row in rows]
        heard = heard_from(self._backbone, requests, _read_check)
        for (_, campaign), one in zip(rows, heard, strict=True):
            outcome = campaign.ended
            assert outcome is not None, "only ended actions are judged"
            _note(campaign, one)
            said = one.value.success
            if said if said is not None else outcome.failure is None:
                campaign.succeed()
            else:
                campaign.set_back(outcome.subgoal, one.value)

    def check_next(self, rows: Sequence[_Row]) -> None:
        """Check the rows' next actions before they begin: each row may go on, or has a setback.

        An action that was refused before, at the same tick, is not checked again: the world decides.
        """
        checked = [row for row in rows if str(row[1].action) not in row[1].refused]
        checked = checked if self._switches.before else []
        for _, campaign in rows:
            campaign.checked = True
        requests = [self._before(*row) for row in checked]
        heard = heard_from(self._backbone, requests, _read_check)
        for (_, campaign), one in zip(checked, heard, strict=True):
            _note(campaign, one)
            if one.value.success is False:
                campaign.refused.add(str(campaign.action))
                campaign.set_back(campaign.action, one.value)

    def watch(self, rows: Sequence[_Row]) -> list[Verdict]:
        """Return verdicts on running actions: COMPLETE if done, REPLAN for a search in vain."""
        verdicts = [Verdict() for _ in rows]
        if not self._switches.during:
            return verdicts
        looking = []
        for k, (here, _) in enumerate(rows):
            action = here.subgoal
            if action is not None and action.verb == "find":
                looking.append(k)
            elif action is not None and _is_gained(action, here):
                verdicts[k] = Verdict("COMPLETE")
        situations = [rows[k][0] for k in looking]
        seen = self.perceive(situations, [_target(here.subgoal) for here in situations])
        for k, one in zip(looking, seen, strict=True):
            verdicts[k] = _verdict_on(rows[k][1], one)
        return verdicts

    def look(self, rows: Sequence[_Row]) -> list[Mapping[str, str] | None]:
        """Return what the planner gets to know of each row's picture, by aspect; None for nothing.

        A sub-objective of crafting wants to see nothing.
        """
        told: list[Mapping[str, str] | None] = [None for _ in rows]
        if not self._switches.situation or self._switches.perception in ("chance", "none"):
            return told
        wanted = [campaign.objective.subgoal for _, campaign in rows]
        looking = [k for k, one in enumerate(wanted) if one.verb not in FUNCTIONAL_VERBS]
        situations = [rows[k][0] for k in looking]
        seen = self.perceive(situations, [_target(wanted[k]) for k in looking])
        for k, one in zip(looking, seen, strict=True):
            told[k] = one.answers
        return told

    def perceive(
        self, situations: Sequence[Situation], acts: Sequence[tuple[str, str, int]]
    ) -> list[Perceived]:
        """Return what is known of the rows' pictures after active or global perception.

        Args:
            situations: the rows' situations.
            acts: verb, item and count of the action that wants to see its item, for each row.
        """
        seen = [Perceived(here, act, {}) for here, act in zip(situations, acts, strict=True)]
        kind = self._switches.perception
        if kind == "chance":
            for one in seen:
                one.enough = _coin(one.situation)
        elif kind == "global":
            self._globally(seen)
        elif kind == "active" and self._switches.questions == "single":
            self._in_one_round(seen)
        elif kind == "active":
            self._in_rounds(seen)
        return seen

    def _in_rounds(self, seen: Sequence[Perceived]) -> None:
        """Ask one question a round, until enough is known of each picture; a repeated question ends it."""
        for _ in range(MOST_ROUNDS_OF_QUESTIONS):
            still = [one for one in seen if one.enough is None]
            for one, heard in zip(still, self._inquire(still, "next question"), strict=True):
                questions = [asked for asked in heard.questions[:1] if asked[0] not in one.answers]
                if not questions:
                    one.enough, one.missing = bool(heard.enough), heard.missing
                else:
                    self._answer([one], [questions])
        for one in seen:
            one.enough = bool(one.enough)

    def _in_one_round(self, seen: Sequence[Perceived]) -> None:
        """Ask all questions in one request, and judge their answers in another."""
        heard = self._inquire(seen, "all questions")
        self._answer(seen, [one.questions for one in heard])
        for one, judged in zip(seen, self._inquire(seen, "match"), strict=True):
            one.enough, one.missing = bool(judged.enough), judged.missing

    def _globally(self, seen: Sequence[Perceived]) -> None:
        """Let the percipient describe each picture once, and judge the description."""
        told = self._percipient.describe([one.situation for one in seen])
        judged = self._inquire(seen, "match", [{"sees": sentences} for sentences in told])
        for one, sentences, heard in zip(seen, told, judged, strict=True):
            one.answers = {"description": ", ".join(sentences)} if sentences else {}
            one.enough, one.missing = bool(heard.enough), heard.missing

    def _answer(self, seen: Sequence[Perceived], asked: Sequence[FrameQuestions]) -> None:
        answers = self._percipient.answer([one.situation for one in seen], asked)
        for one, questions, told in zip(seen, asked, answers, strict=True):
            for (aspect, _), answer in zip(questions, told, strict=True):
                one.answers[aspect] = answer.replace(";", ",")

    def _inquire(
        self, seen: Sequence[Perceived], form: str, told: Sequence[Mapping[str, Any]] = ()
    ) -> list[InquiryRead]:
        """Return what the backbone asks or says of each picture, and note faults of its answers."""
        facts = told or [{"screen": dict(one.answers)} for one in seen]
        requests = [
            inquiry_question(one.situation, form, one.act, fact)
            for one, fact in zip(seen, facts, strict=True)
        ]
        heard = heard_from(self._backbone, requests, _read_inquiry)
        for one, answer in zip(seen, heard, strict=True):
            one.said_by = "nobody" if answer.value.problems else "backbone"
            one.problems += answer.problems
            one.corrections += answer.corrections
        return [answer.value for answer in heard]

    def _after(self, here: Situation, campaign: Campaign) -> Any:
        outcome = campaign.ended
        assert outcome is not None, "only ended actions are judged"
        wanted = campaign.objective.subgoal
        whole = campaign.is_last and outcome.failure is None and wanted.verb in GETTING_VERBS
        act = wanted if whole and wanted.verb != "find" else outcome.subgoal
        gained = campaign.gained if act is wanted else outcome.gained
        told: dict[str, Any] = {"gained": {name: n for name, n in sorted(gained.items()) if n > 0}}
        if outcome.failure is not None:
            told["failure"] = in_a_line(outcome.failure)
        return check_question(here, "after", act, told)

    def _before(self, here: Situation, campaign: Campaign) -> Any:
        way = campaign.way()
        told = {} if way is None else {"ways": (way,)}
        return check_question(here, "before", campaign.action, told)


def _target(subgoal: SubGoal | None) -> tuple[str, str, int]:
    """Return the search for a sub-goal's creature or item."""
    assert subgoal is not None, "the sub-goal is being carried out"
    _, word, _ = step_row(subgoal)
    return "find", subgoal.creature or word, 1


def _is_gained(action: SubGoal, here: Situation) -> bool:
    gained = sum(here.gained.get(kind, 0) for kind in action.kinds)
    return action.verb in GETTING_VERBS and gained >= action.count


def _verdict_on(campaign: Campaign, one: Perceived) -> Verdict:
    """Return the verdict on a search after a look."""
    campaign.looks += 1
    told = ", ".join(one.answers.values())
    judgement: Judgement = "COMPLETE" if one.enough else "CONTINUE"
    predicament = ""
    if not one.enough and campaign.looks >= MOST_LOOKS:
        judgement, predicament = "REPLAN", f"{one.missing} is not in view".strip()
    return Verdict(judgement, predicament, told, one.said_by, one.corrections, one.problems)


def _coin(here: Situation) -> bool:
    """Return a coin's word, from the episode's seed and the tick."""
    return bool(generator(here.seed, f"mp5 coin {here.tick}").random() < 0.5)


def _note(campaign: Campaign, heard: Heard[CheckRead]) -> None:
    campaign.corrections += heard.corrections
    campaign.problems += heard.problems


def _read_check(text: str) -> tuple[CheckRead, tuple[str, ...]]:
    read = check_in(text)
    return read, read.problems


def _read_inquiry(text: str) -> tuple[InquiryRead, tuple[str, ...]]:
    read = inquiry_in(text)
    return read, read.problems
