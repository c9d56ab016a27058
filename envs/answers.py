"""Checks what parts answer: a wrong answer is refused where it is given, by its giver's name."""

from collections.abc import Sequence
from typing import Any, get_args

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, JudgedBy, Judgement, PlannedBy, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Reply, check_reply
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.types import RECOVER, VERBS, Failure, SubGoal
from optimus_gym.game.things import things

JUDGEMENTS = get_args(Judgement)
JUDGES = get_args(JudgedBy)
PLANNERS = get_args(PlannedBy)


def check_decisions(agent: str, decisions: object, count: int) -> Sequence[Decision]:
    """Return an agent's decisions.

    Raises:
        BadValue: they are not `count` decisions, or one's sub-goal is none that the game knows.
    """
    for decision in _listed(f"agent {agent!r}", "decide", decisions, count, Decision):
        _check_author(agent, decision, "planned_by", PLANNERS, "decide")
        if decision.subgoal is not None:
            _check_subgoal(agent, decision.subgoal)
    return decisions  # type: ignore[return-value]  # a list of decisions, as has been seen


def _check_subgoal(agent: str, subgoal: object) -> None:
    if not isinstance(subgoal, SubGoal):
        raise BadValue(f"agent {agent!r}: expected a SubGoal or None, got {subgoal!r} (decide)")
    if subgoal.verb not in VERBS:
        raise BadValue(
            f"agent {agent!r}: expected a verb of {', '.join(VERBS)}, got {subgoal.verb!r} (decide)"
        )
    check_count(f"agent {agent!r}: count (decide)", subgoal.count, 1, MOST_HELD)
    if subgoal.verb == RECOVER:
        if subgoal.item not in PREDICAMENTS:
            raise BadValue(
                f"agent {agent!r}: expected a predicament of {', '.join(PREDICAMENTS)}, "
                f"got {subgoal.item!r} (decide)"
            )
        return
    unknown = [name for name in subgoal.kinds if name not in things()]
    if unknown:
        raise BadValue(
            f"agent {agent!r}: expected an item or thing of the game, got {unknown[0]!r} (decide)"
        )


def check_verdicts(agent: str, verdicts: object, count: int) -> Sequence[Verdict]:
    """Return an agent's verdicts.

    Raises:
        BadValue: they are not `count` verdicts with a word of `Judgement`.
    """
    for verdict in _listed(f"agent {agent!r}", "watch", verdicts, count, Verdict):
        if verdict.judgement not in JUDGEMENTS:
            raise BadValue(
                f"agent {agent!r}: expected one of {', '.join(JUDGEMENTS)}, "
                f"got {verdict.judgement!r} (watch)"
            )
        _check_author(agent, verdict, "judged_by", JUDGES, "watch")
    return verdicts  # type: ignore[return-value]  # a list of verdicts, as has been seen


def _check_author(
    agent: str, said: Decision | Verdict, name: str, known: Sequence[str], method: str
) -> None:
    """Refuse what cannot be counted: whose plan or verdict it is, and how often it was corrected."""
    author = getattr(said, name)
    if author not in known:
        expected = ", ".join(map(repr, known))
        raise BadValue(
            f"agent {agent!r}: {name}: expected one of {expected}, got {author!r} ({method})"
        )
    check_count(f"agent {agent!r}: corrections ({method})", said.corrections, 0)


def check_failures(controller: str, failures: object, count: int) -> Sequence[Failure | None]:
    """Return a controller's failures.

    Raises:
        BadValue: they are not `count`, each a Failure or None.
    """
    where = f"controller {controller!r}"
    _listed(where, "act", failures, count, Failure | None)
    return failures  # type: ignore[return-value]  # a list of them, as has been seen


def check_replies(backbone: str, replies: object, count: int) -> Sequence[Reply]:
    """Return a backbone's replies.

    Raises:
        BadValue: they are not `count` replies, or one holds what no reply can.
    """
    for reply in _listed(f"backbone {backbone!r}", "complete", replies, count, Reply):
        check_reply(reply, f"backbone {backbone!r}, complete")
    return replies  # type: ignore[return-value]  # a list of replies, as has been seen


def _listed(who: str, method: str, answers: object, count: int, kind: Any) -> Sequence[Any]:
    if not isinstance(answers, Sequence) or len(answers) != count:
        got = f"{len(answers)}" if isinstance(answers, Sequence) else repr(answers)[:80]
        raise BadValue(f"{who}: expected {count} answers of {method}, got {got}")
    for answer in answers:
        if not isinstance(answer, kind):
            name = getattr(kind, "__name__", str(kind))
            raise BadValue(f"{who}: expected a {name}, got {answer!r:.80} ({method})")
    return answers
