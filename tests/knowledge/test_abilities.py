"""Abilities select the known ways that a world and its executors can carry out."""

import pickle
from copy import deepcopy

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay


def test_equal_abilities_share_one_graph():
    one = abilities_of("voxel", "vanilla", ("mine", "craft"))
    assert one == abilities_of("voxel", verbs=["craft", "mine", "mine"])
    assert one != abilities_of("voxel")
    assert one.graph is abilities_of("voxel", verbs=("craft", "mine")).graph
    assert one.graph.fixed
    assert {source.verb for source in one.graph.sources} == {"mine", "craft"}


def test_the_abilities_of_full_knowledge_are_the_whole_graph():
    for able in (abilities_of("voxel"), abilities_of("another", verbs=("mine",))):
        assert able.of(full_graph()) is able.graph
    assert abilities_of("another").graph is full_graph()


def test_the_possible_ways_of_a_graph_keep_their_order():
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


def test_an_unknown_world_offers_all_ways_of_its_executors():
    able = abilities_of("another", "jarvis-1-paper", ("kill", "equip"))
    assert {source.verb for source in able.graph.sources} == {"kill"}
    with pytest.raises(UnknownName, match="unknown protocol 'vanila'"):
        abilities_of("another", "vanila")


def test_copies_are_equal_and_share_the_graph():
    able = abilities_of("voxel", verbs=("mine",))
    for copy in (deepcopy(able), pickle.loads(pickle.dumps(able))):
        assert copy == able
        assert copy.graph is able.graph
