"""Checks the answers of agents, controllers and backbones."""

from collections.abc import Sequence
from typing import Any, get_args

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, JudgedBy, Judgement, PlannedBy, Verdict
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Reply, check_reply
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.types import HIGHEST_SHAFT, RECOVER, SHAFT_ENDS, VERBS, Failure, SubGoal
from optimus_gym.game.things import things

_JUDGEMENTS = get_args(Judgement)
_JUDGES = get_args(JudgedBy)
PLANNERS = get_args(PlannedBy)


def check_decisions(agent: str, decisions: object, count: int) -> Sequence[Decision]:
    """Return the checked decisions of an agent, one for each of `count` rows.

    Raises:
        BadValue: the answer is not `count` decisions, or the game does not know a decision's sub-goal.
    """
    for decision in _listed(f"agent {agent!r}", "decide", decisions, count, Decision):
        _check_author(agent, decision, "planned_by", PLANNERS, "decide")
        if not isinstance(decision.subgoal, SubGoal | None):
            got = shown(decision.subgoal)
            raise BadValue(f"agent {agent!r}: expected a SubGoal or None, got {got} (decide)")
        if decision.subgoal is not None:
            check_subgoal(f"agent {agent!r}", "decide", decision.subgoal)
    return decisions  # type: ignore[return-value]  # a list of decisions, as has been seen


def check_subgoal(who: str, method: str, subgoal: SubGoal) -> None:
    """Check that the game knows a sub-goal's verb, count and item.

    Args:
        who: the part or argument that gave the sub-goal, for messages.
        method: the method that got the sub-goal, for messages.
        subgoal: the sub-goal.

    Raises:
        BadValue: the game does not know the verb, the count or the item.
    """
    if subgoal.verb not in VERBS:
        raise BadValue(
            f"{who}: expected a verb of {', '.join(VERBS)}, got {subgoal.verb!r} ({method})"
        )
    check_count(f"{who}: count ({method})", subgoal.count, 1, MOST_HELD)
    if subgoal.verb == RECOVER:
        if subgoal.item not in PREDICAMENTS:
            raise BadValue(
                f"{who}: expected a predicament of {', '.join(PREDICAMENTS)}, "
                f"got {subgoal.item!r} ({method})"
            )
        return
    if subgoal.verb in SHAFT_ENDS:
        _check_shaft(who, method, subgoal)
        return
    unknown = [name for name in subgoal.kinds if name not in things()]
    if unknown:
        raise BadValue(
            f"{who}: expected an item or thing of the game, got {unknown[0]!r} ({method})"
        )


def _check_shaft(who: str, method: str, subgoal: SubGoal) -> None:
    """Reject a sub-goal that digs a shaft to no end, or to a height that the world does not have."""
    end = SHAFT_ENDS[subgoal.verb]
    if subgoal.kinds != (end,):
        raise BadValue(
            f"{who}: expected the item {end!r} of {subgoal.verb}, got {subgoal.item!r} ({method})"
        )
    check_count(f"{who}: height ({method})", subgoal.count, 1, HIGHEST_SHAFT)


def check_verdicts(agent: str, verdicts: object, count: int) -> Sequence[Verdict]:
    """Return the checked verdicts of an agent, one for each of `count` sub-goals.

    Raises:
        BadValue: the answer is not `count` verdicts, each CONTINUE, COMPLETE or REPLAN.
    """
    for verdict in _listed(f"agent {agent!r}", "watch", verdicts, count, Verdict):
        if verdict.judgement not in _JUDGEMENTS:
            raise BadValue(
                f"agent {agent!r}: expected one of {', '.join(_JUDGEMENTS)}, "
                f"got {verdict.judgement!r} (watch)"
            )
        _check_author(agent, verdict, "judged_by", _JUDGES, "watch")
    return verdicts  # type: ignore[return-value]  # a list of verdicts, as has been seen


def _check_author(
    agent: str, said: Decision | Verdict, name: str, known: Sequence[str], method: str
) -> None:
    """Reject an unknown author of a plan or verdict, and a number of corrections that is no integer >= 0."""
    author = getattr(said, name)
    if author not in known:
        expected = ", ".join(map(repr, known))
        raise BadValue(
            f"agent {agent!r}: {name}: expected one of {expected}, got {author!r} ({method})"
        )
    check_count(f"agent {agent!r}: corrections ({method})", said.corrections, 0)


def check_failures(controller: str, failures: object, count: int) -> Sequence[Failure | None]:
    """Return the checked failures of a controller: why each row cannot go on, or None.

    Raises:
        BadValue: the answer is not `count` values, each a Failure or None.
    """
    where = f"controller {controller!r}"
    _listed(where, "act", failures, count, Failure | None)
    return failures  # type: ignore[return-value]  # a list of them, as has been seen


def check_replies(backbone: str, replies: object, count: int) -> Sequence[Reply]:
    """Return the checked replies of a backbone to `count` requests.

    Raises:
        BadValue: the answer is not `count` replies, or `check_reply` rejects a reply.
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
