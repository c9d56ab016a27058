"""How many of a backbone's replies could be used in some episodes, as counts and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from optimus_gym.core.deliberation import TALLIED
from optimus_gym.core.errors import NoReplyUsed
from optimus_gym.run.results.row import EpisodeRow

_RULES: Final = "rules"
"""Name of the backbone that follows rules; its replies are reported only if some were unusable or wrong."""
MOST_FAULT: Final = 300
"""Maximum number of characters that reports quote of a fault's text."""


COUNTS: Final = ("calls", "unanswered", *TALLIED, "complete_wrong")
"""Names of the fields of `Replies` that are sums over episodes; `EpisodeRow` has the same fields."""
_COUNTS_OF: Final = attrgetter(*COUNTS)
_counts_of: Final = attrgetter(*COUNTS)


@dataclass(frozen=True, slots=True)
class Replies:
    """Counts of a backbone's replies in some episodes; counts have the same names as in `EpisodeRow`.

    Attributes:
        backbones: the backbones that the agents asked, in the command line's notation, each once.
        models: the models that answered, each once.
        pursued: number of pursued sub-goals.
        unused: number of episodes in which the agent asked a model and could use no reply of the model.
        fault: the first fault, in words; "" for none.
        lost: number of episodes whose agent went on without its memory.
        loss: the first reason for a lost memory, in words; "" for none.
    """

    calls: int = 0
    unanswered: int = 0
    corrections: int = 0
    own_plans: int = 0
    goal_plans: int = 0
    rules_plans: int = 0
    own_verdicts: int = 0
    lost_verdicts: int = 0
    complete_wrong: int = 0
    pursued: int = 0
    unused: int = 0
    backbones: tuple[str, ...] = (_RULES,)
    models: tuple[str, ...] = ()
    fault: str = ""
    lost: int = 0
    loss: str = ""

    @property
    def who(self) -> str:
        """Return the names of the models that answered, or the backbones' names if the rules answered."""
        return ", ".join(self.backbones if _RULES in self.models else self.models)

    @property
    def is_model(self) -> bool:
        """Return whether a language model was asked, that is, any backbone but the rules."""
        return self.calls > 0 and any(name != _RULES for name in self.backbones)

    @property
    def is_told(self) -> bool:
        """Return whether to report on replies: a model was asked, or replies were unusable or wrong."""
        others = self.goal_plans + self.rules_plans + self.lost_verdicts
        return self.is_model or (self.calls > 0 and others > 0) or self.complete_wrong > 0

    @property
    def is_useless(self) -> bool:
        """Return whether the agent asked a model and could use no reply of the model.

        A reply was used if the agent followed a plan in the model's words or could read a verdict. An agent
        that does not report who made its plans counts as using replies, unless all replies were empty or no
        sub-goal was pursued.
        """
        if not self.is_model or self.own_plans or self.own_verdicts:
            return False
        spoilt = self.corrections + self.goal_plans + self.rules_plans + self.lost_verdicts
        failed = self.unanswered == self.calls or spoilt > 0 or not self.pursued
        return failed and self.fault != ""

    @property
    def replaced(self) -> str:
        """Return in words how many plans were made in the backbone's place; "" for none.

        >>> Replies(calls=3, own_plans=1, goal_plans=1, rules_plans=2).replaced
        "in the backbone's place: 2 plans of the rules, 1 plan of the bare goal"
        """
        counts = {"of the rules": self.rules_plans, "of the bare goal": self.goal_plans}
        told = [f"{_counted('plan', n)} {whose}" for whose, n in counts.items() if n]
        return f"in the backbone's place: {', '.join(told)}" if told and self.calls else ""

    @property
    def without_memory(self) -> str:
        """Return in words how many episodes went on without a memory; "" for none.

        >>> Replies(lost=2).without_memory
        'memory lost in 2 episodes'
        """
        return f"memory lost in {_counted('episode', self.lost)}" if self.lost else ""

    @property
    def told(self) -> str:
        """Return the whole report on the backbone's replies in one line; "" if there is nothing to report.

        >>> Replies(calls=3, unanswered=1, rules_plans=1, backbones=("openai",), fault="lost").told
        "backbone asked 3 times, failed once; plans: 0 its own, 1 of the rules; first fault: 'lost'"
        """
        loss = f"{self.without_memory}: {_quoted(self.loss)}" if self.lost else ""
        if not self.is_told:
            return loss
        times = {"asked": self.calls, "failed": self.unanswered, "corrected": self.corrections}
        asked = ", ".join(f"{what} {_times(n)}" for what, n in times.items() if n)
        plans = {"of the rules": self.rules_plans, "of the bare goal": self.goal_plans}
        wrong = f"{_counted('sub-goal', self.complete_wrong)} called complete"
        parts = (
            f"backbone {asked or 'never asked'}",
            _listed("plans", self.own_plans, plans),
            _listed("verdicts", self.own_verdicts, {"unreadable": self.lost_verdicts}),
            f"no reply used in {_counted('episode', self.unused)}" if self.unused else "",
            f"{wrong} that the inventory does not show" if self.complete_wrong else "",
            f"first fault: {self.quoted}" if self.fault else "",
            loss,
        )
        return "; ".join(filter(None, parts))

    @property
    def quoted(self) -> str:
        """Return the first fault in quotes, in one line of at most 300 characters."""
        return _quoted(self.fault)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= MOST_FAULT else f"{line[:MOST_FAULT]}...")


def replies_in(rows: Iterable[EpisodeRow]) -> Replies:
    """Return the counts of replies over the episodes of some rows."""
    each = tuple(rows)
    return Replies(
        **_sums(each),
        pursued=sum(len(row.subgoals) for row in each),
        unused=sum(_replies_in_one(row).is_useless for row in each if row.backbone != _RULES),
        backbones=tuple(dict.fromkeys(row.backbone for row in each)),
        models=tuple(dict.fromkeys(name for row in each for name in row.models)),
        fault=next((row.fault for row in each if row.fault), ""),
        lost=sum(row.memory_lost != "" for row in each),
        loss=next((row.memory_lost for row in each if row.memory_lost), ""),
    )


def _replies_in_one(row: EpisodeRow) -> Replies:
    return Replies(
        **_sums([row]),
        pursued=len(row.subgoals),
        backbones=(row.backbone,),
        models=row.models,
        fault=row.fault,
    )


def together(episodes: Iterable[Replies]) -> Replies:
    """Return the counts of replies over some episodes, from the counts for each episode."""
    each = tuple(episodes)
    return Replies(
        **_sums(each),
        pursued=sum(one.pursued for one in each),
        unused=sum(one.is_useless for one in each),
        backbones=tuple(dict.fromkeys(name for one in each for name in one.backbones)),
        models=tuple(dict.fromkeys(name for one in each for name in one.models)),
        fault=next((one.fault for one in each if one.fault), ""),
        lost=sum(one.lost for one in each),
        loss=next((one.loss for one in each if one.loss), ""),
    )


def _sums(each: Sequence[EpisodeRow] | Sequence[Replies]) -> dict[str, Any]:
    """Return the sums of the `COUNTS` of rows or replies."""
    sums = [sum(counts) for counts in zip(*map(_COUNTS_OF, each), strict=True)]
    return dict(zip(COUNTS, sums, strict=True)) if sums else {}


def replies_of(info: Mapping[str, Any], pursued: int) -> Replies:
    """Return the counts of replies in one episode.

    Args:
        info: `info` of the episode's latest step (`info="full"`).
        pursued: number of sub-goals that were pursued in the episode.
    """
    told = {**info["backbone"], "complete_wrong": info["complete_wrong"]}
    counts = {name: int(told[name]) for name in COUNTS}
    return Replies(
        **counts,
        pursued=pursued,
        backbones=(told["name"],),
        models=told["models"],
        fault=told["fault"],
        lost=int(info["memory"]["lost"]),
        loss=info["memory"]["fault"],
    )


def check_used(replies: Replies) -> None:
    """Raise an error if a model had no influence on any episode.

    Args:
        replies: the counts of replies over all episodes.

    Raises:
        NoReplyUsed: the agent asked a model and could use no reply of the model.
    """
    if replies.is_useless:
        where = f" in {_counted('episode', replies.unused)}" if replies.unused else ""
        raise NoReplyUsed(
            f"backbone {replies.who}: expected a usable reply, got "
            f"{replies.calls:,} unusable ones{where}; first fault: {replies.quoted}"
        )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _counted(word: str, count: int) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _listed(what: str, own: int, others: Mapping[str, int]) -> str:
    told = [f"{count:,} {whose}" for whose, count in others.items() if count]
    return f"{what}: {', '.join([f'{own:,} its own', *told])}" if own or told else ""
