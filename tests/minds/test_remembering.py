"""An agent stores frames, plans, sub-goals, reflections and outcomes of real episodes."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.situation import Picture, Vitals
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds import remembering
from optimus_gym.minds.diary import keeps_frames
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.hindsight import Label, SubGoalState, labels_in
from optimus_gym.minds.remembering import Remembering
from optimus_gym.testing.situations import situation
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.screen import Screen
from tests.memory.telling import Telling, frame

AGENT = {"name": "optimus-1", "aligner": "tests.memory.telling:Telling"}


class Open(Telling):
    """Keeps every frame."""

    name, threshold = "open", -1.0


ALL_KEPT = {"name": "optimus-1", "aligner": "tests.minds.test_remembering:Open"}


def played(folder, seeds, name="Optimus-Wood-v0", agent=ALL_KEPT, **given):
    write_knowledge(folder, full_graph())
    env = gym.make(name, memory=folder, learn=True, agent=agent, **given)
    infos = []
    for seed in seeds:
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(0)
            over = terminated or truncated
        infos.append(info)
    env.close()
    return infos


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    infos = played(folder, [100_000, 100_001])
    infos += played(folder, [100_000], "Optimus-Stone-v0", ticks=300)
    return folder, infos


@pytest.fixture(scope="module")
def experiences(memory):
    with ExperiencePool(memory[0], Open(), writes=False) as pool:
        return [pool.get(number) for number in pool.store.numbers()]


def test_each_episode_is_stored_with_its_outcome(memory, experiences):
    _, infos = memory
    assert [one.status for one in experiences] == ["success", "success", "budget"]
    assert [one.outcome for one in experiences] == ["success", "success", "failure"]
    assert [one.ticks for one in experiences] == [info["ticks"] for info in infos]
    assert len({one.key for one in experiences}) == 3
    assert [one.task for one in experiences] == ["Wood", "Wood", "Stone"]
    assert experiences[0].told["protocol"] == "vanilla"
    assert experiences[0].start["vitals"]["health"] == 20


def test_sub_goals_follow_the_plan_and_have_one_frame_a_second(experiences):
    one = experiences[0]
    assert one.plan[0].startswith("mine")
    assert [p.text for p in one.pursuits] == list(one.plan[: len(one.pursuits)])
    for pursuit in one.pursuits:
        assert pursuit.end in ("reached", "complete")
        ticks = [image.tick for image in pursuit.seen]
        begun = pursuit.tick - pursuit.ticks
        if len(ticks) < 16:
            assert ticks == sorted({*range(begun, pursuit.tick + 1, 20), pursuit.tick})
        assert 1 <= len(ticks) <= 16
        assert pursuit.vector.shape == (8,)


def test_stored_frames_equal_the_observations(experiences):
    env = gym.make("Optimus-Wood-v0")
    observation, _ = env.reset(seed=100_000)
    env.close()
    first = unpacked(experiences[0].first.picture).astype(int)
    assert np.abs(first - observation["pov"]).mean() < 6
    assert experiences[0].pursuits[0].seen[0].picture == experiences[0].first.picture


def test_reflections_have_labels_in_hindsight(experiences):
    for one in experiences[:2]:
        for case in one.cases:
            at_end = case.present.tick == one.pursuits[case.place].tick
            assert case.label == ("COMPLETE" if at_end else "CONTINUE")
            assert case.verdict == case.label
    lost = experiences[2].cases[-1]
    assert (lost.verdict, lost.label, lost.predicament) == ("REPLAN", "REPLAN", "stuck")
    assert lost.before.tick < lost.present.tick
    earlier = [case for case in experiences[2].cases[:-1] if case.place == lost.place]
    assert {case.verdict for case in earlier} <= {"CONTINUE"}
    assert [one.told["labels"] for one in experiences] == ["hindsight"] * 3


class Diving:
    """Stores a failed sub-goal of 30 looks with its last progress at the twelfth look."""

    def __init__(self, folder, told=None, reason="timeout", end="failed", vitals=(), heights=()):
        self.diary = Remembering(folder, Open(), judged=False, told=told)
        goal = SubGoal("mine", "oak_log", 3)
        first = replace(situation(goal), pov=picture(0))
        self.diary.begin_episodes([first])
        self.diary.begin_subgoals([first], [Decision(goal, plan=(goal,))])
        for k in range(1, 31):
            look = replace(
                first,
                tick=20 * k,
                gained={"oak_log": min(k, 12) // 6},
                vitals=Vitals(**dict(vitals).get(k, {})),
                height=dict(heights).get(k, 64.0),
                pov=picture(k),
            )
            self.diary.watch([look], [Verdict()])
        why = Failure(reason, "oak_log", 3)
        gained = {"oak_log": 2}
        outcome = Outcome(0, goal, end, why, 610, 610, gained, pov=picture(31))
        self.diary.ended([outcome])
        self.diary.keep([Record(0, first.task, "budget", ticks=610, outcomes=(outcome,))])
        with ExperiencePool(folder, Open(), writes=False) as pool:
            self.kept = pool.get(1)
        self.labels = [(case.label, case.predicament) for case in self.kept.cases]


def picture(k):
    return Picture(lambda: frame("red", noise=k), lambda: True)


GO_ON = ("CONTINUE", "")


def test_a_case_is_labelled_by_the_looks_that_follow(tmp_path):
    assert Diving(tmp_path).labels == [GO_ON, *[("REPLAN", "stuck")] * 3]


def test_vitals_decide_the_predicament_of_cases(tmp_path):
    vitals = {k: {"air": 90.0} for k in range(25, 31)}
    wanted = [GO_ON, ("REPLAN", "stuck"), *[("REPLAN", "in_water")] * 2]
    assert Diving(tmp_path, vitals=vitals).labels == wanted


def test_height_decides_the_predicament_of_cases(tmp_path):
    heights = {k: 58.0 for k in range(22, 31)}
    wanted = [GO_ON, ("REPLAN", "stuck"), *[("REPLAN", "drop_down")] * 2]
    assert Diving(tmp_path, heights=heights).labels == wanted


class Knowing:
    """Recognises environments by the number of the screen, with certainty."""

    words: Mapping[int, str] = MappingProxyType({})
    dived: list

    def __init__(self, aligner):
        pass

    def of(self, vectors):
        return ["forest"] * len(vectors)

    def odds(self, vectors, dives):
        self.dived.append(dives)
        return np.arange(len(vectors))

    def certain(self, odds):
        return self.words.get(int(odds), "")


@pytest.mark.parametrize(
    ("reason", "words", "names"),
    [
        ("timeout", {2: "cave"}, ["", "drop_down", "stuck", "stuck"]),
        ("timeout", {3: "night"}, ["", "stuck", "night", "stuck"]),
        ("timeout", {3: "night", 4: "night"}, ["", "stuck", "night", "night"]),
        ("timeout", {4: "cave"}, ["", "stuck", "stuck", "drop_down"]),
        ("stuck", {0: "cave", 1: "cave", 2: "cave", 3: "cave"}, ["", *["drop_down"] * 2, "stuck"]),
        ("world_failed", {3: "cave", 4: "night"}, ["", "stuck", "drop_down", "drop_down"]),
    ],
)
def test_screens_decide_the_predicament_of_cases(tmp_path, monkeypatch, reason, words, names):
    monkeypatch.setattr(Knowing, "words", words)
    monkeypatch.setattr(Knowing, "dived", [], raising=False)
    monkeypatch.setattr(remembering, "Environments", Knowing)
    dived = Diving(tmp_path, reason=reason, vitals={10: {"air": 90.0}})
    assert [name for _, name in dived.labels] == names
    screens = 4 if reason == "world_failed" else 5
    assert Knowing.dived == [[False, True, False, False, False][:screens]]


def test_a_death_labels_the_last_case_hurt(tmp_path):
    assert Diving(tmp_path, reason="died").labels[-1] == ("REPLAN", "hurt")


def test_the_world_labels_cases_on_request(tmp_path):
    asked = []

    def told(row):
        asked.append(row)
        return frozenset({"drop_down"} if len(asked) > 5 else ())

    dived = Diving(tmp_path, told)
    assert dived.labels == [("REPLAN", "drop_down")] * 4
    assert asked == [0] * 32
    assert dived.kept.told["labels"] == "truth"


@pytest.mark.parametrize("reason", ["died", "world_failed"])
def test_the_world_is_not_asked_about_a_row_that_died_or_failed(tmp_path, reason):
    asked = []

    def told(row):
        asked.append(row)
        return frozenset({"danger"})

    assert Diving(tmp_path, told, reason).labels[-1] == ("REPLAN", "danger")
    assert asked == [0] * 31


@pytest.mark.parametrize(("end", "name"), [("failed", "night"), ("replan", "stuck")])
def test_a_night_counts_only_for_failed_sub_goals(tmp_path, end, name):
    dived = Diving(tmp_path, lambda row: frozenset({"night"}), end=end)
    assert dived.labels[-1] == ("REPLAN", name)


def test_a_wrong_complete_verdict_is_labelled_continue():
    ended = Outcome(0, SubGoal("mine", "oak_log"), "complete", contradicted=True)
    assert labels_in(ended, [SubGoalState(0), SubGoalState(20)]) == [Label("CONTINUE")] * 2


def test_failed_placed_and_recovered_sub_goals_keep_frames():
    """The aligner cannot match their words to frames."""
    done, failed = Outcome(0, SubGoal("mine", "dirt"), "reached"), Failure("stuck")
    assert not keeps_frames(done)
    assert keeps_frames(replace(done, end="failed", failure=failed))
    assert keeps_frames(replace(done, end="replan", failure=failed))
    assert keeps_frames(replace(done, subgoal=SubGoal("place", "furnace")))
    assert keeps_frames(replace(done, subgoal=SubGoal("recover", "hurt")))


def test_a_failed_sub_goal_keeps_frames_despite_the_threshold(tmp_path, monkeypatch):
    monkeypatch.setattr(Open, "threshold", 2.0)
    (pursuit,) = Diving(tmp_path).kept.pursuits
    ticks = [image.tick for image in pursuit.seen]
    assert (len(ticks), ticks[0], ticks[-1]) == (3, 0, 610)
    assert pursuit.vector is not None


def test_labels_by_truth_need_a_world_with_predicaments_and_are_recorded(tmp_path):
    agent = {**ALL_KEPT, "labels": "truth"}
    with pytest.raises(BadValue, match=r"a world with 'predicaments' .*, got 'symbolic'"):
        gym.make("Optimus-Wood-v0", agent=agent, world="symbolic")
    with pytest.raises(UnknownName, match="labels"):
        gym.make("Optimus-Wood-v0", agent={**ALL_KEPT, "labels": "wishes"})
    played(tmp_path, [100_000], "Optimus-Stone-v0", agent=agent, ticks=200)
    with ExperiencePool(tmp_path, Open(), writes=False) as pool:
        assert pool.get(1).told["labels"] == "truth"


class Meeting(Optimus1):
    """Keeps its setting."""

    def attach(self, setting):
        super().attach(setting)
        self.setting = setting


@pytest.mark.parametrize("labels", ["hindsight", "truth"])
def test_only_a_privileged_agent_gets_the_worlds_predicaments(labels):
    agent = Meeting(labels=labels)
    env = gym.make("OptimusControl-Wood-v0", agent=agent, resolution=(16, 12))
    assert env.unwrapped._view.privileged == (("Meeting",) if labels == "truth" else ())
    env.reset(seed=5)
    if labels == "hindsight":
        assert agent.setting.predicaments is None
    else:
        assert agent.setting.predicaments(0) == env.unwrapped._view.runtime.world.predicaments(0)
    env.close()


def cases_of(folder, labels, vector, text):
    """Return the cases that an agent with the option `labels` reads in a memory."""
    agent = Meeting(labels=labels, aligner=Open())
    env = gym.make("OptimusControl-Wood-v0", agent=agent, memory=folder, resolution=(16, 12))
    doing = SubGoal("mine", "oak_log", text=text)
    screen = Screen(None, "forest", np.zeros(len(ENVIRONMENTS), np.float32), vector)
    (found,) = agent.memory.cases([replace(situation(doing), subgoal=doing)], [Seen(screen=screen)])
    env.close()
    return found


def test_an_honest_agent_reads_no_cases_with_world_labels(tmp_path):
    agent = {**ALL_KEPT, "labels": "truth"}
    played(tmp_path, [100_000], "Optimus-Stone-v0", agent=agent, ticks=600)
    with ExperiencePool(tmp_path, Open(), writes=False) as pool:
        case = pool.get(1).cases[0]
    asked = case.present.vector, case.subgoal
    assert cases_of(tmp_path, "hindsight", *asked) == ()
    found = cases_of(tmp_path, "truth", *asked)
    assert case.present.picture in [one.case.present.picture for one in found]


def test_storing_experience_does_not_change_the_episode(tmp_path):
    (kept,) = played(tmp_path / "a", [100_003])
    env = gym.make("Optimus-Wood-v0")
    env.reset(seed=100_003)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    env.close()
    assert info["ticks"] == kept["ticks"]
    assert info["outcomes"] == kept["outcomes"] if "outcomes" in info else True


def test_an_episode_that_is_played_twice_is_stored_once_also_by_several_rows(tmp_path):
    played(tmp_path / "one", [100_000, 100_001, 100_000])
    write_knowledge(tmp_path / "two", full_graph())
    envs = gym.make_vec(
        "Optimus-Wood-v0", num_envs=2, memory=tmp_path / "two", learn=True, agent=ALL_KEPT
    )
    envs.reset(seed=[100_000, 100_001])
    over = np.zeros(2, bool)
    while not over.all():
        _, _, terminated, truncated, _ = envs.step(np.zeros(2, np.int64))
        over |= terminated | truncated
    envs.close()
    keys = []
    for name in ("one", "two"):
        with ExperiencePool(tmp_path / name, Open(), writes=False) as pool:
            keys.append({pool.get(number).key for number in pool.store.numbers()})
    assert len(keys[0]) == 2
    assert keys[0] <= keys[1]


def test_an_interrupted_episode_is_not_stored(tmp_path):
    env = gym.make("Optimus-Wood-v0", memory=tmp_path, learn=True, agent=AGENT)
    env.reset(seed=100_000)
    env.step(0)
    env.reset(seed=100_001)
    env.close()
    assert list(tmp_path.iterdir()) == []


def test_an_episode_without_pictures_is_stored_in_words(tmp_path):
    played(tmp_path, [100_000], world="symbolic")
    with ExperiencePool(tmp_path, Open(), writes=False) as pool:
        one = pool.get(1)
    assert one.first is None
    assert one.cases == ()
    assert len(one.pursuits) > 3
    assert {p.correlation for p in one.pursuits} == {None}


def test_nothing_is_written_without_learn(tmp_path):
    env = gym.make("Optimus-Wood-v0", memory=tmp_path, agent=AGENT)
    env.reset(seed=100_000)
    env.step(0)
    env.close()
    assert list(tmp_path.iterdir()) == []


def test_a_memory_with_another_aligners_vectors_is_rejected(tmp_path):
    with ExperiencePool(tmp_path, Telling()):
        pass
    with pytest.raises(BadValue, match="expected vectors of aligner 'open' with 8 numbers"):
        gym.make("Optimus-Wood-v0", memory=tmp_path, learn=True, agent=ALL_KEPT)


def test_similar_episodes_with_different_seeds_are_stored_separately(tmp_path):
    played(tmp_path, [100_000, 100_001, 100_000], "Optimus-Wood-v0", agent=AGENT, world="symbolic")
    with ExperiencePool(tmp_path, Telling(), writes=False) as pool:
        kept = [pool.get(number) for number in pool.store.numbers()]
    assert [one.told["seed"] for one in kept] != [kept[0].told["seed"]] * 2
    assert len(kept) == 2


def test_a_folder_that_cannot_be_created_is_rejected_before_the_episode(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadValue, match="expected a folder that can be written"):
        Remembering(tmp_path / "file" / "memory", Telling())
    Remembering(tmp_path / "new" / "memory", Telling())
    assert not (tmp_path / "new").exists()
