"""What can be done of what is known."""

import pickle
from copy import deepcopy

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay


def test_the_graph_of_like_abilities_is_made_once():
    one = abilities_of("voxel", "vanilla", ("mine", "craft"))
    assert one == abilities_of("voxel", verbs=["craft", "mine", "mine"])
    assert one != abilities_of("voxel")
    assert one.graph is abilities_of("voxel", verbs=("craft", "mine")).graph
    assert one.graph.fixed
    assert {source.verb for source in one.graph.sources} == {"mine", "craft"}


def test_of_all_knowledge_the_graph_itself_can_be_done():
    for able in (abilities_of("voxel"), abilities_of("another", verbs=("mine",))):
        assert able.of(full_graph()) is able.graph
    assert abilities_of("another").graph is full_graph()


def test_a_part_of_what_is_known_can_be_done_in_its_order():
    graph = KnowledgeGraph.empty()
    for verb, item in (("kill", "beef"), ("mine", "sand"), ("kill", "bone"), ("mine", "dirt")):
        graph.learn(SeenWay(verb, item))
    graph.learn(SeenWay("kill", "blaze_rod", creature="blaze"))
    assert [s.product for s in abilities_of("voxel").of(graph).sources] == [
        "beef", "sand", "bone", "dirt"
    ]  # fmt: skip
    able = abilities_of("voxel", verbs=("mine",)).of(graph)
    assert [source.product for source in able.sources] == ["sand", "dirt"]
    assert able.fixed
    everything = abilities_of("another").of(graph)
    graph.learn(SeenWay("mine", "clay_ball"))
    assert len(everything.sources) == 5


def test_a_world_that_nobody_knows_can_do_what_its_executors_can():
    able = abilities_of("another", "jarvis-1-paper", ("kill", "equip"))
    assert {source.verb for source in able.graph.sources} == {"kill"}
    with pytest.raises(UnknownName, match="unknown protocol 'vanila'"):
        abilities_of("another", "vanila")


def test_copies_are_the_same_abilities():
    able = abilities_of("voxel", verbs=("mine",))
    for copy in (deepcopy(able), pickle.loads(pickle.dumps(able))):
        assert copy == able
        assert copy.graph is able.graph
