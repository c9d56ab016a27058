"""A backbone that errs: it adds random errors at known rates to another backbone's answers.

| error | of each | rate | what it does |
| --- | --- | --- | --- |
| `tier` | plan | 5 % | a tool that a step crafts, equips or names becomes one tier lower; gold stays |
| `station` | plan | 5 % | a step places or names the other one of crafting table and furnace |
| `count` | plan | 10 % | a step's count becomes another count, from 1 to twice its own |
| `missing` | plan | 10 % | a step is left out; a plan of one step becomes empty |
| `verdict` | verdict | 10 % | done, continue or replan becomes another of the three; yes becomes no |
| `cause` | explanation | 10 % | the last piece that it names becomes another item of the request |

The rates are our choice, for testing an agent with a model that errs; they are not measured on any model.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from optimus_gym.backbones.mp5_forms import MP5_FORMS
from optimus_gym.backbones.plan_forms import ACT_KIND, PLAN_FORMS, PlanForm
from optimus_gym.backbones.rules import PLANS
from optimus_gym.core.checks import is_number, is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.parts import part_of
from optimus_gym.core.plain import read_json
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.rng import check_seed, generator
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.types import ONCE
from optimus_gym.game.items import items
from optimus_gym.game.sources import CRAFTING_TABLE, FURNACE
from optimus_gym.game.tools import tools
from optimus_gym.prompts.words import COLLECTIVES, in_words

RATES: Final[Mapping[str, float]] = MappingProxyType(
    {"tier": 0.05, "station": 0.05, "count": 0.1, "missing": 0.1, "verdict": 0.1, "cause": 0.1}
)
"""Probability of each error if `FallibleBackbone.scale` is 1, by the error's name."""
MOST_SCALE: Final = 3.0
REFLECT_KIND: Final = "reflect"
"""The value of `Request.kind` for requests whose answer is a verdict on a sub-goal."""
EXPLAIN_KIND: Final = "explain"
"""The value of `Request.kind` for requests whose answer explains a failure."""
PARSE_KIND: Final = "parse"
"""The value of `Request.kind` for requests whose answer is a list of sub-objectives."""
PATROL_KINDS: Final = ("check", "inquire")
"""Values of `Request.kind` for requests whose answer is a verdict of MP5's patroller: yes or no."""
VERDICTS: Final = ("done", "continue", "replan")
MADE_UP: Final = "stuck"
"""The predicament that an error writes below a verdict which it has changed to "replan"."""
TIERS: Final = ("wooden", "stone", "iron", "diamond", "netherite")
_OTHER: Final[Mapping[str, str]] = MappingProxyType(
    {CRAFTING_TABLE: FURNACE, FURNACE: CRAFTING_TABLE}
)
_SITUATION: Final = re.compile(rf"\s*situation:\s*({'|'.join(VERDICTS)})\s*", re.IGNORECASE)
_PIECES: Final = re.compile(r"(?<=\d )\w+")
_WORD: Final = re.compile(r"^(Success: |Enough: )(yes|no)$", re.MULTILINE)
_PREDICAMENT: Final = re.compile(r"\s*predicament:", re.IGNORECASE)

PlanStep = dict[str, Any]
Chance = np.random.Generator


class FallibleBackbone:
    """Asks another backbone and makes seeded errors in the answers.

    The probability of an error is its rate times `scale`, at most 1. Each kind of error is drawn separately
    from `seed` and the request's seed, tick and text; other requests have no influence, and an equal request
    meets equal errors. So an episode that restarts with the same seed meets the same errors, but the same
    text at another tick meets other errors. An error can change a plan only if the whole answer has a form
    of the rules' plans: JSON such as {"step 1": {"task": "mine 3 log", "goal": ["log", 3]}, ...}, or a form
    of `backbones.plan_forms` or `backbones.mp5_forms`. An error can change a verdict only if the answer has a
    line "Situation: done", "Situation: continue" or "Situation: replan", or a line "Success" or "Enough" with
    yes or no. If an error changes a verdict to "replan", the answer gets the line "Predicament: stuck"; if an
    error changes a verdict from "replan", the answer loses its line "Predicament". An error can change an
    explanation only if the explanation names pieces, such as "2 stick". Any other answer (the queries,
    wordings and proposed tasks of JARVIS-1) passes unchanged.

    Args:
        backbone: the wrapped backbone, which gives the answers, as an object or in any form that names a part
            (`core.parts`).
        scale: factor on all rates, 0 (no errors) to 3.
        seed: seed of the errors.

    Raises:
        UnknownName: no backbone has the given name.
        BadValue: the object is no backbone, or a number is out of range.
    """

    name = "fallible"

    def __init__(self, backbone: object = "rules", scale: float = 1.0, seed: int = 0) -> None:
        if not is_number(scale) or not 0 <= scale <= MOST_SCALE:
            raise BadValue(f"scale: expected a number from 0 to {MOST_SCALE:g}, got {shown(scale)}")
        self.scale = float(scale)
        self.seed = check_seed(seed)
        self._inner = backbone_of(backbone)

    @property
    def takes_pictures(self) -> bool:
        """Return whether the wrapped backbone takes pictures."""
        return self._inner.takes_pictures

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the wrapped backbone's replies, some of them with errors in their texts.

        Raises:
            BadValue: the wrapped backbone does not return one reply for each request.
        """
        replies = answers_of(self._inner, requests)
        return [
            replace(reply, text=self._spoiled(request, reply.text))
            for request, reply in zip(requests, replies, strict=True)
        ]

    def _spoiled(self, request: Request, text: str) -> str:
        words = f"{self.seed} {request.seed} {request.tick} {request.text}"
        drawn = hashlib.sha256(words.encode(errors="surrogatepass")).digest()
        if request.kind in (*PLANS, ACT_KIND, PARSE_KIND):
            return self._spoiled_plan(drawn, text)
        if request.kind == EXPLAIN_KIND:
            chance = self._chance(drawn, "cause")
            return text if chance is None else with_other_cause(text, request.text, chance)
        if request.kind in PATROL_KINDS:
            return text if self._chance(drawn, "verdict") is None else with_other_word(text)
        return self._spoiled_verdict(drawn, text) if request.kind == REFLECT_KIND else text

    def _spoiled_plan(self, drawn: bytes, text: str) -> str:
        read = ((form, form.read(text)) for form in _FORMS)
        form, steps = next(((form, steps) for form, steps in read if steps), (None, None))
        if form is None or steps is None:
            return text
        spoiled = steps
        for error, make in _PLAN_ERRORS.items():
            if (chance := self._chance(drawn, error)) is not None:
                spoiled = make(spoiled, chance)
        return text if spoiled == steps else form.write(spoiled, text)

    def _spoiled_verdict(self, drawn: bytes, text: str) -> str:
        chance = self._chance(drawn, "verdict")
        return text if chance is None else with_other_verdict(text, chance)

    def _chance(self, drawn: bytes, error: str) -> Chance | None:
        """Return the random generator for an error's details; None if by chance the error does not occur."""
        chance = generator(int.from_bytes(drawn[:8], "big") >> 1, f"fallible {error}")
        return chance if chance.random() < RATES[error] * self.scale else None


def backbone_of(wanted: object) -> Backbone:
    """Return the backbone that an argument is or names.

    Raises:
        UnknownName: no backbone has the given name.
        BadValue: the object is no backbone.
    """
    part = part_of("backbone", wanted)
    made: Any = wanted if part is None else part.build()
    parts = ("name", "takes_pictures", "complete")
    if not all(hasattr(made, part) for part in parts) or not isinstance(made.name, str):
        raise BadValue(
            f"backbone: expected an object with the attributes {', '.join(parts)}, "
            f"got {type(made).__qualname__}"
        )
    backbone: Backbone = made
    return backbone


def answers_of(backbone: Backbone, requests: Sequence[Request]) -> Sequence[Reply]:
    """Return a backbone's replies to requests.

    Raises:
        BadValue: the backbone does not return a reply with a text for each request.
    """
    replies = backbone.complete(requests)
    right = isinstance(replies, Sequence) and all(
        isinstance(reply, Reply) and isinstance(reply.text, str) for reply in replies
    )
    if not right or len(replies) != len(requests):
        raise BadValue(
            f"backbone {backbone.name!r}: expected {len(requests)} replies with texts, "
            f"got {shown(replies)}"
        )
    return replies


def steps_in(text: str) -> list[PlanStep] | None:
    """Return the steps of a plan in this package's JSON form; None for any other text.

    >>> steps_in('{"step 1": {"task": "mine 3 log", "goal": ["log", 3]}}')
    [{'task': 'mine 3 log', 'goal': ['log', 3]}]
    """
    try:
        found = read_json(text, "reply")
    except BadValue:
        return None
    if not isinstance(found, dict) or not all(map(_is_step, found.values())):
        return None
    numbered = [f"step {n}" for n in range(1, len(found) + 1)]
    return list(found.values()) if list(found) == numbered else None


def _is_step(step: object) -> bool:
    if not isinstance(step, dict) or not isinstance(step.get("task"), str):
        return False
    goal = step.get("goal")
    if not isinstance(goal, list) or len(goal) != 2 or not isinstance(goal[0], str):
        return False
    return is_whole(goal[1]) and bool(1 <= goal[1] <= MOST_HELD)


def with_missing_step(steps: list[PlanStep], chance: Chance) -> list[PlanStep]:
    """Return a plan without one of its steps."""
    gone = int(chance.integers(len(steps)))
    return steps[:gone] + steps[gone + 1 :]


def with_other_count(steps: list[PlanStep], chance: Chance) -> list[PlanStep]:
    """Return a plan in which one step has another count, from 1 to twice the original count.

    Steps with a verb without count (equip, place) stay unchanged.
    """

    def other(step: PlanStep) -> PlanStep:
        item, count = step["goal"]
        new = int(chance.integers(1, 2 * count))
        new += new >= count
        task = re.sub(rf"\b{count}\b", str(new), step["task"], count=1)
        return {**step, "task": task, "goal": [item, new]}

    return _with_one(steps, lambda step: _verb(step) not in ONCE, other, chance)


def with_other_station(steps: list[PlanStep], chance: Chance) -> list[PlanStep]:
    """Return a plan in which one step places or names a furnace, not a crafting table, or the reverse."""

    def places(step: PlanStep) -> bool:
        return _verb(step) == "place" and step["goal"][0] in _OTHER

    def other(step: PlanStep) -> PlanStep:
        if places(step):
            return _of(step, _OTHER[step["goal"][0]])
        return {**step, "aid": _OTHER[step["aid"]]}

    return _with_one(steps, lambda one: places(one) or one.get("aid") in _OTHER, other, chance)


def with_lower_tool(steps: list[PlanStep], chance: Chance) -> list[PlanStep]:
    """Return a plan in which one crafted, equipped or named tool is a tier lower."""

    def takes(step: PlanStep) -> bool:
        return _verb(step) in ("craft", "equip") and _lower(step["goal"][0]) is not None

    def lower(step: PlanStep) -> PlanStep:
        if takes(step):
            return _of(step, _lower(step["goal"][0]))
        return {**step, "aid": _lower(step["aid"])}

    def names(step: PlanStep) -> bool:
        return step.get("aid") is not None and _lower(step["aid"]) is not None

    return _with_one(steps, lambda step: takes(step) or names(step), lower, chance)


_PLAN_ERRORS: Final[Mapping[str, Callable[[list[PlanStep], Chance], list[PlanStep]]]] = (
    MappingProxyType(
        {
            "tier": with_lower_tool,
            "station": with_other_station,
            "count": with_other_count,
            "missing": with_missing_step,  # comes last, so that the other errors see the whole plan
        }
    )
)


def _numbered(steps: Sequence[PlanStep], text: str) -> str:
    """Return steps as a plan in this package's JSON form."""
    return json.dumps({f"step {n}": step for n, step in enumerate(steps, start=1)})


_FORMS: Final = (PlanForm(steps_in, _numbered), *PLAN_FORMS, *MP5_FORMS)


def with_other_verdict(text: str, chance: Chance) -> str:
    r"""Return a reflection's text with another verdict; the unchanged text if it has no verdict.

    >>> with_other_verdict("Situation: replan\nPredicament: in_water", np.random.default_rng(0))
    'Situation: continue'
    """
    lines = [line for line in text.splitlines() if not _PREDICAMENT.match(line)]
    found = next(filter(None, map(_SITUATION.fullmatch, lines)), None)
    if found is None:
        return text
    others = [word for word in VERDICTS if word != found[1].lower()]
    other = others[int(chance.integers(len(others)))]
    told = [f"Situation: {other}"] + [f"Predicament: {MADE_UP}"] * (other == "replan")
    place = lines.index(found[0])
    return "\n".join([*lines[:place], *told, *lines[place + 1 :]])


def with_other_cause(text: str, question: str, chance: Chance) -> str:
    """Return an explanation whose last named pieces are of another item that the question names.

    If the explanation names no piece, or the question no other item, the text is unchanged.

    >>> with_other_cause("the agent lacks 2 stick.", "Ways: log, stick", np.random.default_rng(0))
    'the agent lacks 2 log.'
    """
    things = {*items(), *COLLECTIVES}
    named = [found for found in _PIECES.finditer(text) if found[0] in things]
    last = named[-1] if named else None
    others = sorted(things.intersection(re.findall(r"\w+", question)) - {last and last[0]})
    if last is None or not others:
        return text
    other = others[int(chance.integers(len(others)))]
    return text[: last.start()] + other + text[last.end() :]


def with_other_word(text: str) -> str:
    r"""Return a patroller's text with the other word; the unchanged text if it has neither yes nor no.

    >>> with_other_word("Success: yes\nMissing: nothing")
    'Success: no\nMissing: nothing'
    """
    found = _WORD.search(text)
    if found is None:
        return text
    other = "no" if found[2] == "yes" else "yes"
    return f"{text[: found.start()]}{found[1]}{other}{text[found.end() :]}"


def _with_one(
    steps: list[PlanStep],
    fits: Callable[[PlanStep], bool],
    change: Callable[[PlanStep], PlanStep],
    chance: Chance,
) -> list[PlanStep]:
    """Change one random step among the steps that `fits` accepts; return all steps."""
    places = [n for n, step in enumerate(steps) if fits(step)]
    if not places:
        return steps
    chosen = places[int(chance.integers(len(places)))]
    return [change(step) if n == chosen else step for n, step in enumerate(steps)]


def _verb(step: PlanStep) -> str:
    """Return a task's first word, which is its verb; "" if it has none."""
    return next(iter(step["task"].lower().split()), "")


def _lower(item: str) -> str | None:
    """Return the same kind of tool one tier lower, None if there is no such tool.

    >>> _lower("iron_axe"), _lower("golden_axe"), _lower("wooden_axe")
    ('stone_axe', None, None)
    """
    material, _, kind = item.partition("_")
    if item not in tools() or material not in TIERS[1:]:
        return None
    return f"{TIERS[TIERS.index(material) - 1]}_{kind}"


def _of(step: PlanStep, item: str | None) -> PlanStep:
    """Return a step with another item in task and goal."""
    assert item is not None, "only steps with another item are changed"
    former, count = step["goal"]
    task = step["task"].replace(in_words(former), in_words(item)).replace(former, item)
    return {**step, "task": task, "goal": [item, count]}
