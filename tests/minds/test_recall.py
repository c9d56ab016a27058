"""A request for a plan contains experiences: how they are found, ranked and worded."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.agents.optimus1.switches import switches_of
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.experience import Image, PastPursuit, Replan
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.planning import Ask, Setback
from optimus_gym.minds.pursued import MOST_REACHED, MOST_SUBGOALS, pursued_rows
from optimus_gym.minds.recall import EXPERIENCE_PARTS, Lessons, Recall
from optimus_gym.prompts.lines import facts_in
from optimus_gym.prompts.memories import (
    ENDINGS,
    LEFT_OUT,
    experiences_in,
    replans_in,
    told_experiences,
    told_replans,
    told_words,
)
from optimus_gym.testing.situations import (
    CountingBackbone,
    attached,
    finished_record,
    outcome,
    situation,
)
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.screen import Screen
from tests.memory.making import an_experience
from tests.memory.telling import Telling, frame
from tests.minds.plans import plan_by, planner_of, words

LOST = Setback(SubGoal("mine", "iron_ore", 3), Failure("timeout", "iron_ore", 3))


@pytest.fixture
def pool(tmp_path):
    with ExperiencePool(tmp_path / "memory", Telling()) as made:
        yield made


def vector(colour):
    """Return the aligner's unit vector of a frame of one colour."""
    seen = Telling().frames(frame(colour)[None])[0]
    return seen / np.linalg.norm(seen)


def remember(pool, goal, colour=None, clip=None, status="success", **other):
    first = None if colour is None else Image(0, b"a picture", vector(colour))
    film = None if clip is None else vector(clip)
    given = {
        "goal": goal,
        "first": first,
        "pursuits": (PastPursuit("mine 3 oak_log", "reached", "", 240, 240, (), 0.4, film),),
        "replans": (),
        "cases": (),
    }
    return pool.add(an_experience(f"{len(pool)}", status, **{**given, **other}))


def sight(colour):
    if colour is None:
        return Seen()
    odds = np.zeros(len(ENVIRONMENTS), np.float32)
    return Seen(screen=Screen(None, "forest", odds, vector(colour)))


def lessons(
    pool,
    goal="craft red_thing",
    colour=None,
    setback=None,
    graph=None,
    parts=EXPERIENCE_PARTS,
    **other,
):
    """Return the lessons for one row with the task `goal`."""
    verb, item = goal.split(" ", 1)
    wanted = SubGoal(verb, item)
    here = situation(wanted)
    here = replace(here, task=replace(here.task, instruction=goal), **other)
    recall = Recall(pool, graph or KnowledgeGraph(()), parts=parts)
    return recall.lessons([here], [sight(colour)], [Ask(here, setback)])[0]


def goals(told):
    return [row["goal"] for row in told.experiences]


def test_a_request_contains_at_most_three_successes_and_three_failures(pool):
    for k in range(5):
        remember(pool, "red", environment=f"forest {k}")
        remember(pool, "red", status="died", environment=f"forest {k}")
    told = lessons(pool)
    assert [row["outcome"] for row in told.experiences] == ["success"] * 3 + ["failure"] * 3
    where = [row["environment"] for row in told.experiences]
    assert where == ["forest 4", "forest 3", "forest 2"] * 2
    assert [row["end"] for row in told.experiences][2:4] == ["", "died"]


def test_similar_experiences_are_ranked_by_first_frame_and_first_video(pool):
    remember(pool, "red by frame", "green", "blue")
    remember(pool, "red by video", "blue", "green")
    remember(pool, "red alike by neither", "blue", "blue")
    remember(pool, "a blue thing", "green", "green")
    first, second, third = goals(lessons(pool, colour="green"))
    assert {first, second} == {"red by video", "red by frame"}
    assert third == "red alike by neither"
    assert goals(lessons(pool, colour="blue"))[0] == "red alike by neither"


def test_an_experience_with_only_a_video_is_ranked_by_its_video(pool):
    remember(pool, "red unseen")
    remember(pool, "red filmed", None, "green")
    remember(pool, "red pictured", "blue", None)
    assert goals(lessons(pool, colour="green"))[0] == "red filmed"
    assert goals(lessons(pool, colour="blue"))[0] == "red pictured"


def test_sub_goals_are_searched_only_for_a_new_task(pool):
    remember(pool, "mine red log")
    told = lessons(pool, "craft blue thing")
    assert told == Lessons()
    graph = full_graph()
    for goal, known in (("mine log", ["mine log"]), ("craft crafting_table", ["mine log"])):
        with ExperiencePool(pool.store.path.parent / goal.replace(" ", "-"), Exact()) as other:
            remember(other, "mine log")
            remember(other, "craft green thing")
            assert goals(lessons(other, goal, graph=graph)) == known
            if goal == "craft crafting_table":
                remember(other, "craft crafting_table")
                assert goals(lessons(other, goal, graph=graph)) == ["craft crafting_table"]


class Exact(Telling):
    """Texts that are equal apart from underscores are alike."""

    name = "exact"

    def _read(self, text):
        seed = sum(k * byte for k, byte in enumerate(text.replace("_", " ").encode(), 1))
        return np.random.default_rng(seed).choice([-1.0, 1.0], 8).astype(np.float32)


def test_a_request_contains_the_time_and_end_of_each_sub_goal():
    ends = [
        ("mine 3 oak_log", "reached", "", 240),
        ("mine 1 coal", "failed", "timeout: 1 coal", 2400),
        ("mine 1 coal", "failed", "not_found: 1 coal (none; none)", 1200),
        ("recover hurt", "reached", "", 100),
        ("craft 4 planks", "complete", "", 10),
        ("mine 1 coal", "replan", "judged (in_water)", 60),
    ]
    pursuits = tuple(PastPursuit(text, end, why, 0, ticks) for text, end, why, ticks in ends)
    row = {
        "outcome": "failure",
        "goal": "get coal",
        "environment": "forest",
        "plan": pursued_rows(an_experience(pursuits=pursuits)),
        "end": "budget",
    }
    assert told_experiences([row]) == (
        '- failure at "get coal", begun in forest: mine 3 oak_log (12 s); '
        "mine 1 coal (failed 2 times, 180 s in all: not_found: 1 coal [none, none]); recover hurt (5 s); "
        "craft 4 planks (called complete after 0 s); "
        "mine 1 coal (replanned after 3 s: judged [in_water]) (it ended: budget)"
    )
    assert experiences_in(told_experiences([row])) == (row,)


def test_a_request_contains_the_reason_of_a_failure(pool):
    remember(pool, "red lost", status="gave_up", told={"reason": 'stuck (in a "hole")'})
    (row,) = lessons(pool).experiences
    assert row["end"] == "gave_up: stuck [in a 'hole']"


def done(count, end="reached"):
    return tuple(PastPursuit(f"mine {k} log", end, "", 0, 20) for k in range(count))


def test_a_long_failure_is_shortened_and_a_success_keeps_all_reached_sub_goals():
    def rows(pursuits, status="success"):
        return pursued_rows(an_experience(status=status, pursuits=pursuits))

    lost = rows(done(30), "died")
    assert len(lost) == MOST_SUBGOALS + 1
    assert (lost[0]["task"], lost[-1]["task"]) == (LEFT_OUT, "mine 29 log")
    won = rows((*done(20, "failed"), *done(10)))
    assert [row["end"] for row in won] == ["failed"] * 2 + [""] * 10
    again = [PastPursuit("equip axe", end, "", 0, 20) for end in ("reached", "failed") * 9]
    (equipped,) = (
        row for row in rows((*again, *done(3))) if row["task"] == "equip axe" and not row["end"]
    )
    assert (equipped["times"], equipped["seconds"]) == (9, 9)
    assert [row["task"] for row in rows(done(20))] == [f"mine {k} log" for k in range(20)]
    assert rows(done(40))[0]["task"] == LEFT_OUT
    assert len(rows(done(40))) == MOST_REACHED + 1


def test_the_plan_stands_in_for_missing_sub_goals():
    (one, other) = pursued_rows(an_experience(pursuits=()))
    assert (one["task"], one["seconds"]) == ("mine 3 oak_log", None)
    assert other["task"] == "craft 1 wooden_axe"


def test_plans_after_similar_setbacks_appear_with_working_plans_first(pool):
    replans = [
        Replan(
            1, "mine 3 iron_ore", "timeout: 3 iron_ore", ("craft 1 boat", "mine 1 log"), 1, False
        ),
        Replan(2, "mine 3 iron_ore", "stuck", ("mine 1 dirt",), 1, True),
        Replan(3, "mine 3 iron_ore", "timeout: 3 iron_ore", ("mine 3 (red); log",), 1, True),
    ]
    remember(pool, "blue", replans=tuple(replans))
    assert lessons(pool).replans == ()
    rows = lessons(pool, setback=LOST).replans
    assert told_replans(rows).splitlines() == [
        '- success after "mine 3 iron_ore" (timeout: 3 iron_ore), 1 of 1 reached: mine 3 [red], log',
        '- success after "mine 3 iron_ore" (stuck), 1 of 1 reached: mine 1 dirt',
        '- failure after "mine 3 iron_ore" (timeout: 3 iron_ore), 1 of 2 reached: craft 1 boat; mine 1 log',
    ]
    assert replans_in(told_replans(rows)) == rows


def test_each_part_of_experience_adds_its_lines_or_its_ranking(pool):
    replan = Replan(1, "mine 3 iron_ore", "timeout: 3 iron_ore", ("mine 1 log",), 1, True)
    remember(pool, "red", "green", replans=(replan,), environment="green")
    remember(pool, "red", "blue", environment="blue")

    def lands(told):
        return [row["environment"] for row in told.experiences]

    def without(part):
        parts = [one for one in EXPERIENCE_PARTS if one != part]
        return lessons(pool, colour="green", setback=LOST, parts=parts)

    whole = without(None)
    assert (lands(whole), len(whole.replans)) == (["green", "blue"], 1)
    assert (lands(without("lessons")), len(without("lessons").replans)) == ([], 1)
    assert lands(without("sight")) == ["blue", "green"]
    assert (lands(without("replans")), without("replans").replans) == (["green", "blue"], ())


def test_the_experience_switch_names_its_parts():
    assert switches_of({"experience": ["sight", "lessons", "sight"]}).experience_parts == (
        "lessons", "sight"
    )  # fmt: skip
    assert switches_of("full").experience_parts == EXPERIENCE_PARTS
    assert switches_of({"experience": False}).experience_parts == ()
    assert not switches_of({"experience": []}).experience
    with pytest.raises(UnknownName, match="experience"):
        switches_of({"experience": ["lesson"]})
    with pytest.raises(BadValue, match="expected True, False or a list of parts"):
        switches_of({"experience": "lessons"})


texts = st.text(max_size=30).map(told_words).filter(lambda text: text and text != "nothing")
pursued = st.builds(
    lambda task, seconds, times, end, why: {
        "task": task,
        "seconds": seconds,
        "times": 1 if seconds is None else times,
        "end": "" if seconds is None else end,
        "why": why if seconds is not None and end in ("failed", "replan") else "",
    },
    texts,
    st.none() | st.integers(0, 10**6),
    st.integers(1, 99),
    st.sampled_from(list(ENDINGS)),
    texts | st.just(""),
)
experiences = st.fixed_dictionaries(
    {
        "outcome": st.sampled_from(["success", "failure"]),
        "goal": texts,
        "environment": texts.map(lambda text: text.replace(":", " ")),
        "plan": st.lists(pursued, max_size=4).map(tuple),
        "end": texts | st.just(""),
    }
)
replans = st.fixed_dictionaries(
    {
        "outcome": st.sampled_from(["success", "failure"]),
        "failed": texts,
        "why": texts,
        "plan": st.lists(texts, min_size=1, max_size=4).map(tuple),
        "reached": st.integers(0, 99),
    }
)


@given(rows=st.lists(experiences, max_size=3).map(tuple))
def test_experiences_survive_writing_and_reading(rows):
    assert experiences_in(told_experiences(rows)) == rows


@given(rows=st.lists(replans, max_size=3).map(tuple))
def test_plans_after_setbacks_survive_writing_and_reading(rows):
    assert replans_in(told_replans(rows)) == rows


def row_of(outcome, *plan):
    names = ("task", "seconds", "times", "end", "why")
    rows = tuple(dict(zip(names, one, strict=True)) for one in plan)
    return {"outcome": outcome, "goal": "g", "environment": "forest", "plan": rows, "end": ""}


STICKS = SubGoal("craft", "stick", 4)
PLAN = (
    ("mine 1 coal", 60, 1, "failed", "stuck"),
    ("mine 1 log", 6, 2, "", ""),
    ("recover hurt", 9, 1, "", ""),
    ("craft 4 planks", 0, 1, "", ""),
    ("place crafting table", 0, 3, "", ""),
    ("craft 4 stick", 0, 1, "complete", ""),
)


def test_the_rules_follow_the_reached_sub_goals_of_a_success():
    planner = planner_of(CountingBackbone(), knows=False)
    told = Lessons((row_of("success", *PLAN),))
    assert words(plan_by(planner, STICKS, lessons=told)) == [
        "mine 1 oak_log", "mine 1 oak_log", "craft 4 oak_planks", "place 1 crafting_table",
        "craft 4 stick"
    ]  # fmt: skip
    cut = Lessons((row_of("success", (LEFT_OUT, None, 1, "", ""), *PLAN),))
    assert words(plan_by(planner, STICKS, lessons=cut)) == ["craft 4 stick"]
    failure = Lessons((row_of("failure", *PLAN),))
    assert words(plan_by(planner, STICKS, lessons=failure)) == ["craft 4 stick"]


AGENT = {"aligner": "tests.memory.telling:Telling", "eyes": "none"}


def test_a_plan_after_a_setback_is_stored_and_appears_at_the_next_setback(tmp_path):
    here = situation(STICKS)
    why = Failure("timeout", "oak_log", 1)
    writing = attached(Optimus1(**AGENT), memory=tmp_path, learn=True)
    writing.begin_episodes([here])
    (first,) = writing.decide([here])
    lost = outcome(0, first.subgoal, "failed", why, ticks=2400, tick=2400)
    writing.ended([lost])
    ended = [lost]
    while len(ended) < 4:
        (decision,) = writing.decide([here])
        ended.append(outcome(0, decision.subgoal, ticks=20, tick=2400 + 20 * len(ended)))
        writing.ended(ended[-1:])
    writing.finish([finished_record(0, *ended, name="Diamond")])
    with ExperiencePool(tmp_path, Telling(), writes=False) as pool:
        (replan,) = pool.get(1).replans
    assert (replan.failed, replan.reason) == (pool_text(first), "timeout: 1 oak_log")
    assert (replan.place, replan.reached, replan.worked) == (1, len(replan.plan), True)

    told = CountingBackbone()
    reading = attached(Optimus1(**AGENT), told, memory=tmp_path)
    reading.begin_episodes([here])
    reading.decide([here])
    reading.ended([lost])
    reading.decide([here])
    plan, again = (facts_in(request.text) for call in told.calls for request in call)
    assert "replans" not in plan
    assert [row["plan"] for row in again["replans"]] == [replan.plan]


def pool_text(decision):
    return decision.subgoal.text or str(decision.subgoal)
