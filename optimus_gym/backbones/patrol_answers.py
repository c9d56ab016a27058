"""The rules as MP5's patroller: checks before and after actions, and questions about a picture."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.call_plans import LACKS
from optimus_gym.backbones.chaining import Known
from optimus_gym.backbones.sought_things import is_yes, sought_in
from optimus_gym.backbones.workflow_plans import NOT_TOLD
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.sources import GETTING_VERBS
from optimus_gym.game.tools import able_tools, tools
from optimus_gym.prompts.lines import NOTHING
from optimus_gym.prompts.words import in_words, kinds_of

_LACKED: Final = re.compile(r"missing_\w+: (\d+) (\w+)")
_HANDLED: Final = ("equip", "place", "use")
_OPPOSITES: Final = (("night", "day"), ("rain", "clear"), ("dark", "bright"))


def verdict_before(facts: Mapping[str, Any]) -> str:
    """Return whether an action can begin with what the player holds, has in hand and has in reach."""
    verb, item, count = facts["act"]
    known = Known({"verbs": GETTING_VERBS, **facts})
    lacks: dict[str, int] = {}
    advice = ""
    way = known.way(item)
    if verb in _HANDLED:
        lacks = {} if known.count(item) else {item: 1}
    elif way is not None and way.verb == verb:
        step = known.step(item, count)
        short = {name: pieces - known.count(name) for name, pieces in step.uses.items()}
        lacks = {name: pieces for name, pieces in short.items() if pieces > 0}
        lacks |= {name: 1 for name in step.lasting if not known.has(name)}
        if step.station is not None and step.station not in known.near and not lacks:
            advice = f"place {step.station} first"
        if step.tool in tools() and facts.get("equipped") not in able_tools(str(step.tool)):
            advice = advice or ("" if lacks else f"equip {step.tool} or a better one first")
    return _verdict(f"{verb} {count} {item}", not lacks and not advice, lacks, advice)


def verdict_after(facts: Mapping[str, Any]) -> str:
    """Return whether an action has succeeded, by its failure if any, and by the pieces that it gained."""
    verb, item, count = facts["act"]
    failure = facts.get("failure", "")
    gained: Mapping[str, int] = facts.get("gained", {})
    got = sum(gained.get(name, 0) for name in {item, *kinds_of(item)})
    lacked = _LACKED.match(failure)
    lacks = {} if lacked is None else {lacked[2]: int(lacked[1])}
    if not failure and verb in GETTING_VERBS and verb != "find" and got < count:
        lacks = {item: count - got}
    advice = f"{failure or 'too few pieces were gained'}, try again or in another way"
    return _verdict(f"{verb} {count} {item}", not failure and not lacks, lacks, advice)


def next_question(facts: Mapping[str, Any]) -> str:
    """Return the next question about the picture, or whether all that is wanted is in view."""
    seen: Mapping[str, str] = facts.get("screen", {})
    for aspect, value in _conditions(facts):
        if aspect not in seen:
            return f"Question: {aspect}: {in_words(value)}"
        if not _holds(seen[aspect], aspect, value):
            return f"Enough: no\nMissing: {value}"
    return f"Enough: yes\nMissing: {NOTHING}"


def all_questions(facts: Mapping[str, Any]) -> str:
    """Return all questions about the picture at once."""
    return "\n".join(
        f"Question: {aspect}: {in_words(value)}" for aspect, value in _conditions(facts)
    )


def match_of(facts: Mapping[str, Any]) -> str:
    """Return whether a description of the picture, or the answers on it, have all that is wanted."""
    seen: Mapping[str, str] = facts.get("screen", {})
    told: Sequence[str] | None = facts.get("sees")
    for aspect, value in _conditions(facts):
        if told is not None:
            holds = _is_described(told, aspect, value)
        else:
            holds = aspect not in seen or _holds(seen[aspect], aspect, value)
        if not holds:
            return f"Enough: no\nMissing: {value}"
    return f"Enough: yes\nMissing: {NOTHING}"


def _verdict(action: str, success: bool, lacks: Mapping[str, int], advice: str) -> str:
    if success:
        return f"Success: yes\nMissing: {NOTHING}\nFeedback: {action} is well."
    listed = ", ".join(f"{count} {name}" for name, count in lacks.items())
    why = f"{LACKS}{listed}" if lacks else advice
    return f"Success: no\nMissing: {listed or NOTHING}\nFeedback: {action} fails; {why}."


def _conditions(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what the action wants to see, of the aspects that the request names."""
    _, thing, _ = facts["act"]
    aspects = facts.get("aspects", ())
    wanted = sought_in(facts.get("task", ""), thing)
    return [one for one in wanted if one[0] in aspects]


def _holds(answer: str, aspect: str, value: str) -> bool:
    """Return whether an answer of the percipient fits; what it cannot tell counts as fitting."""
    if NOT_TOLD in answer:
        return True
    if aspect in ("object", "mob"):
        return is_yes(answer, value)
    return in_words(value) in in_words(answer)


def _is_described(told: Sequence[str], aspect: str, value: str) -> bool:
    """Return whether sentences that describe the picture fit; sentences without the aspect fit, too."""
    text = in_words(" ".join(told).lower())
    word = in_words(value)
    names = {word, *map(in_words, kinds_of(value))}
    if aspect in ("object", "mob"):
        return any(re.search(rf"\b{name}\b", text) for name in names)
    if aspect == "ecology":
        named = [in_words(name) for name in BIOMES if re.search(rf"\b{in_words(name)}\b", text)]
        return not named or any(word in name for name in named)
    other = next((pair for pair in _OPPOSITES if value in pair), (value, value))
    wrong = other[0] if value == other[1] else other[1]
    return wrong == value or not re.search(rf"\b{wrong}\b", text)
