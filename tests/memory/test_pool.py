"""The pool finds experiences by text, reasoning, picture, outcome, place and age, and cases."""

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.compaction import compact, counts, sizes
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan
from optimus_gym.memory.index import best
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.reasoning import reasoned_subgoals
from optimus_gym.memory.retrieval import Filters
from tests.memory.making import an_experience, vector
from tests.memory.telling import Telling, frame


@pytest.fixture
def pool(tmp_path):
    with ExperiencePool(tmp_path / "memory", Telling()) as made:
        yield made


def seen(pool, colour, tick=0):
    return Image(tick, b"picture of " + colour.encode(), pool.picture(frame(colour)))


def remember(pool, goal, status="success", colour=None, environment="forest", cases=(), key=None):
    first = None if colour is None else seen(pool, colour)
    key = key or f"{goal} {status} {colour} {environment} {len(pool)}"
    return pool.add(
        Experience(
            key, "Task", goal, environment, {}, ("plan",), (), tuple(cases), status, 9, first
        )
    )


def found(pool, *given, **wanted):
    return [one.number for one in pool.find(*given, **wanted)]


def test_the_goals_most_like_the_text_are_found_for_each_outcome(pool):
    red = remember(pool, "the red thing")
    remember(pool, "the blue thing")
    lost = remember(pool, "a red one", "died")
    remember(pool, "a blue one", "budget")
    assert found(pool, "red", count=1) == [red, lost]
    assert found(pool, "red", count=1, filters=Filters("success")) == [red]
    assert found(pool, "red", count=1, filters=Filters("failure")) == [lost]
    assert found(pool, "red", count=1, filters=Filters("none")) == []
    assert [one.outcome for one in pool.find("red", count=1)] == ["success", "failure"]


def test_the_newest_of_equally_good_experiences_come_first(pool):
    numbers = [remember(pool, "red") for _ in range(5)]
    remember(pool, "blue")
    assert found(pool, "red", count=3) == numbers[:1:-1]


def test_abandoned_experiences_are_not_found(pool):
    remember(pool, "red", "abandoned")
    assert found(pool, "red") == []


def test_filters_select_by_environment_and_age(pool):
    old = remember(pool, "red", environment="desert")
    new = remember(pool, "red", environment="forest")
    assert found(pool, "red", filters=Filters(environment="desert")) == [old]
    assert found(pool, "red", filters=Filters(environment="moon")) == []
    assert found(pool, "red", filters=Filters(newest=1)) == [new]
    with pytest.raises(UnknownName, match="choice of outcomes"):
        Filters("all")
    with pytest.raises(BadValue, match="newest"):
        Filters(newest=0)


def test_a_picture_ranks_the_experiences_that_match_the_text(pool):
    blue = remember(pool, "get red wool", colour="blue")
    green = remember(pool, "get red wool", colour="green")
    remember(pool, "get wood", colour="green")
    unseen = remember(pool, "get red wool")
    picture = pool.picture(frame("green"))
    assert found(pool, "red wool", picture=picture) == [green, blue, unseen]
    assert found(pool, "red wool") == [unseen, green, blue]
    (one, *_) = pool.find("red wool", picture=picture)
    assert one.sight > 0.99
    assert found(pool, "red wool", picture=picture, confidence=1.1) == []


def test_still_pictures_and_films_are_ranked_alike(pool):
    film = PastPursuit("mine red", "reached", "", 90, 80, (), 0.4, pool.picture(frame("green")))
    pool.add(an_experience("filmed", goal="red", first=None, pursuits=(film,)))
    pool.add(an_experience("pictured", goal="red", first=seen(pool, "green"), pursuits=()))
    sights = [one.sight for one in pool.find("red", picture=-pool.picture(frame("green")))]
    assert sights == pytest.approx([-1, -1], abs=0.01)


def test_a_picture_ranks_only_the_newest_of_each_outcome(pool, monkeypatch):
    monkeypatch.setattr("optimus_gym.memory.retrieval.MOST_SEEN", 2)
    remember(pool, "red", colour="green")
    lost = remember(pool, "red", "died", colour="green")
    newer = [remember(pool, "red", colour="blue", key=f"{k}") for k in range(2)]
    assert found(pool, "red", picture=pool.picture(frame("green"))) == [*newer[::-1], lost]


def test_an_outline_has_the_sub_goals_and_no_pictures(pool):
    film = PastPursuit("mine red", "failed", "stuck", 90, 80, (seen(pool, "red"),), 0.4, vector(3))
    number = pool.add(an_experience(pursuits=(film,), first=seen(pool, "blue")))
    whole, outline = pool.get(number), pool.outline(number)
    assert whole.pursuits[0].seen
    assert outline.pursuits == (PastPursuit("mine red", "failed", "stuck", 90, 80, (), 0.4, None),)
    assert (outline.first, outline.cases, outline.replans) == (None, (), ())
    assert (outline.goal, outline.plan, outline.told) == (whole.goal, whole.plan, whole.told)
    with pytest.raises(BadValue, match="no experience has the number 99"):
        pool.outline(99)


def replanned(pool, *replans, status="success"):
    made = (Replan(k, *one, 0, worked) for k, (*one, worked) in enumerate(replans))
    return pool.add(an_experience(f"{len(pool)}", status, replans=tuple(made), cases=()))


def test_replans_for_the_same_reason_come_first_then_the_newest(pool):
    one = replanned(
        pool,
        ("mine red", "timeout: 2 ore", ("a",), True),
        ("mine red", "timeout: 1 ore", ("b",), True),
        ("mine red", "stuck", ("c",), True),
        ("mine red", "stuck", ("d",), True),
        ("mine blue", "timeout: 1 ore", ("e",), True),
        ("mine red", "timeout: 1 ore", ("f",), False),
    )
    lost = replanned(pool, ("mine red", "timeout: 1 ore", ("g",), False), status="died")

    def plans(count=3, which="both"):
        return [made.replan.plan[0] for made in pool.replans("red", "timeout: 1 ore", count, which)]

    replanned(pool, ("mine red", "stuck", ("c",), True))
    assert plans(6) == ["b", "a", "c", "d", "g", "f"]
    assert plans(1) == ["b", "g"]
    assert plans(1, "failure") == ["g"]
    assert plans(1, "none") == []
    assert [made.number for made in pool.replans("red", "timeout: 1 ore", 1)] == [one, lost]
    assert pool.replans("green", "stuck") == ()


def test_compacting_keeps_the_texts_of_setbacks(pool):
    replanned(pool, ("mine green", "stuck", ("mine red",), True))
    compact(pool.store.database, keep=1)
    assert len(pool.replans("green", "stuck")) == 1


def test_a_search_includes_the_reasoned_sub_goals(pool):
    part = remember(pool, "mine red")
    remember(pool, "mine blue")
    assert found(pool, "craft a green thing", ["mine red"], count=1) == [part]


def test_reasoned_sub_goals_come_from_the_knowledge_graph():
    queries = reasoned_subgoals("stone_pickaxe", full_graph())
    assert queries[0] == "mine log"
    assert queries[-1] == "craft stone pickaxe"
    assert "mine cobblestone" in queries
    assert reasoned_subgoals("stone_pickaxe", KnowledgeGraph.empty()) == ()
    assert reasoned_subgoals("a whale", full_graph()) == ()


def case(pool, label, colour, subgoal="mine red", environment="forest", verdict="CONTINUE"):
    frames = seen(pool, "blue"), seen(pool, colour, 5)
    return Case(0, subgoal, environment, *frames, "", verdict, label)


def test_the_most_similar_cases_of_each_label_are_found(pool):
    near = [case(pool, label, "green") for label in ("COMPLETE", "CONTINUE", "REPLAN")]
    far = [case(pool, label, "blue") for label in ("COMPLETE", "CONTINUE")]
    other = [case(pool, "COMPLETE", "green", subgoal="mine blue")]
    number = remember(pool, "red", cases=[*near, *far, *other])
    got = pool.cases("mine red", pool.picture(frame("green")))
    assert {label: len(some) for label, some in got.items()} == {
        "COMPLETE": 1, "CONTINUE": 1, "REPLAN": 1,
    }  # fmt: skip
    for some in got.values():
        assert some[0].number == number
        assert some[0].sight > 0.99
        assert some[0].case.subgoal == "mine red"
        assert some[0].case.before.picture == b"picture of blue"
    assert len(pool.cases("mine red", pool.picture(frame("green")), count=9)["COMPLETE"]) == 2


def test_filters_apply_to_cases(pool):
    remember(pool, "red", cases=[case(pool, "REPLAN", "green", environment="cave")])
    remember(pool, "red", "died", cases=[case(pool, "REPLAN", "blue")])
    picture = pool.picture(frame("green"))

    def replan(**limits):
        some = pool.cases("mine red", picture, count=5, filters=Filters(**limits))["REPLAN"]
        return [one.case.environment for one in some]

    assert replan() == ["cave", "forest"]
    assert replan(which="failure") == ["forest"]
    assert replan(which="none") == []
    assert replan(environment="cave") == ["cave"]
    assert replan(newest=1) == ["forest"]
    remember(pool, "red", "abandoned", cases=[case(pool, "REPLAN", "red", environment="swamp")])
    assert replan() == ["cave", "swamp", "forest"]
    assert replan(which="success") == ["cave"]


def by_world(pool, case, labels="truth"):
    """Remember an experience whose labels come from `labels`."""
    made = an_experience(f"{len(pool)}", cases=(case,), pursuits=(), first=None)
    return pool.add(replace(made, told={"labels": labels, "protocol": "vanilla"}))


def test_cases_with_world_labels_are_found_only_on_request(pool):
    picture = pool.picture(frame("green"))

    def found(**limits):
        some = pool.cases("mine red", picture, count=5, filters=Filters(**limits))["REPLAN"]
        return [one.number for one in some]

    assert not pool.has_world_labels
    honest = by_world(pool, case(pool, "REPLAN", "blue"), "hindsight")
    assert found() == [honest]
    assert not pool.has_world_labels
    told = by_world(pool, case(pool, "REPLAN", "green"))
    assert found() == [honest]
    assert pool.has_world_labels
    assert found(by_world=True) == [told, honest]


def test_a_memory_without_world_labels_is_not_searched_for_them(pool):
    by_world(pool, case(pool, "REPLAN", "blue"), "hindsight")
    asked = []
    pool.store.database.connection.set_trace_callback(asked.append)
    pool.cases("mine red", pool.picture(frame("green")))
    assert not [one for one in asked if "FROM reflection" in one and "instr" in one]
    by_world(pool, case(pool, "REPLAN", "green"))
    pool.cases("mine red", pool.picture(frame("green")))
    assert [one for one in asked if "FROM reflection" in one and "instr" in one]


def test_world_labels_of_another_writer_are_seen_at_the_next_search(pool, tmp_path):
    picture = pool.picture(frame("green"))
    pool.cases("mine red", picture)
    with ExperiencePool(tmp_path / "memory", Telling()) as other:
        by_world(other, case(other, "REPLAN", "green"))
    assert pool.cases("mine red", picture)["REPLAN"] == ()


def test_the_index_follows_other_writers(pool, tmp_path):
    remember(pool, "red")
    with ExperiencePool(tmp_path / "memory", Telling()) as other:
        assert len(other) == 1
        remember(pool, "red", key="second")
        new = remember(other, "a green thing", key="third")
        assert len(pool) == len(other) == 3
        assert found(pool, "green", count=1) == [new]
        compact(other.store.database, keep=1)
        assert len(pool) == 1
        assert found(pool, "green", count=1) == [new]
        last = remember(pool, "blue", key="fourth")
        assert last not in (1, 2, 3)
        assert found(other, "blue", count=1) == [last]


def test_a_read_only_pool_cannot_be_written(pool, tmp_path):
    remember(pool, "red")
    with ExperiencePool(tmp_path / "memory", Telling(), writes=False) as reader:
        assert found(reader, "red") == [1]
        remember(pool, "red", key="later")
        assert found(reader, "red") == [2, 1]
        with pytest.raises(BadValue, match=r"readonly|read-only"):
            remember(reader, "blue", key="never")
    assert len(pool) == 2


def test_a_read_only_pool_rejects_a_folder_without_experience(tmp_path):
    with pytest.raises(BadValue, match=r"expected a folder that holds experience\.sqlite"):
        ExperiencePool(tmp_path, Telling(), writes=False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_text_is_rejected_and_nothing_is_stored(pool):
    with pytest.raises(BadValue, match="texts"):
        pool.find("")
    with pytest.raises(BadValue, match="texts"):
        remember(pool, " ")
    assert len(pool) == 0


def test_compacting_keeps_the_newest_of_each_task_and_outcome(pool):
    for k in range(4):
        remember(pool, f"red {k}", cases=[case(pool, "REPLAN", "red")])
        remember(pool, f"blue {k}", "died")
    assert compact(pool.store.database) == 0
    assert counts(pool.store.database) == {"Task": {"success": 4, "failure": 4}}
    assert compact(pool.store.database, 1) == 6
    assert counts(pool.store.database) == {"Task": {"success": 1, "failure": 1}}
    assert found(pool, "red") == [7, 8]
    sized = sizes(pool.store.database)
    assert (sized["reflections"], sized["pictures"], sized["texts"]) == (1, 2, 3)


def test_a_search_reports_a_damaged_vector(pool):
    remember(pool, "red")
    with sqlite3.connect(pool.store.path) as raw:
        raw.execute("UPDATE words SET vector = x'00'")
    with pytest.raises(BadValue, match="expected vectors of 16 bytes"):
        pool.find("red")


def test_best_returns_the_highest_scores_and_the_newest_of_equal_scores():
    random = np.random.default_rng(0)
    for _ in range(200):
        scores = random.integers(0, 6, random.integers(0, 20)).astype(np.float32)
        count = int(random.integers(1, 8))
        places = np.arange(len(scores))
        wanted = sorted(places, key=lambda k: (-scores[k], -k))[:count]
        assert best(scores, places, count).places.tolist() == wanted
