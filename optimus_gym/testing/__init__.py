"""Contracts of the exchangeable parts, as rules for tests and `optimus-gym check`.

A part needs no base class. A part fits if it keeps every rule of the contract for its kind. To try a part in
a test of your own:

    @pytest.mark.parametrize("rule", controller_rules(), ids=str)
    def test_mine_fits(rule):
        rule(Mine)

A rule takes a function that makes the part without arguments, for instance the part's class. A rule of worlds
takes a function that makes a world from the number of rows. A broken rule raises `RuleBroken`, which holds
the expected and the actual value, and the place in the code. A rule returns why it does not apply to
a part, or "" if the part keeps the rule.

Small worlds for tests are in `optimus_gym.testing.small_worlds`, and situations and outcomes for tests of an
agent in `optimus_gym.testing.situations`.
"""

from collections.abc import Sequence

from optimus_gym.core.errors import UnknownName
from optimus_gym.testing.contract import Contract, Rule

KINDS = ("agent", "aligner", "backbone", "controller", "helper", "world")
"""Kinds of parts that have a contract; helpers keep the contract of controllers."""


def contract_of(kind: str) -> Contract:
    """Return the contract (the list of rules) of a kind of part.

    Raises:
        UnknownName: the kind has no contract.
    """
    if kind == "agent":
        from optimus_gym.testing.agent_contract import CONTRACT as AGENTS

        return AGENTS
    if kind == "aligner":
        from optimus_gym.testing.aligner_contract import CONTRACT as ALIGNERS

        return ALIGNERS
    if kind == "backbone":
        from optimus_gym.testing.backbone_contract import CONTRACT as BACKBONES

        return BACKBONES
    if kind in ("controller", "helper"):
        from optimus_gym.testing.controller_contract import CONTRACT as CONTROLLERS

        return CONTROLLERS
    if kind == "world":
        from optimus_gym.testing.power_contract import CONTRACT as WORLDS

        return WORLDS
    raise UnknownName("kind of part", kind, KINDS)


def agent_rules() -> Sequence[Rule]:
    """Return the rules of agents."""
    return contract_of("agent").rules


def aligner_rules() -> Sequence[Rule]:
    """Return the rules of aligners."""
    return contract_of("aligner").rules


def backbone_rules() -> Sequence[Rule]:
    """Return the rules of backbones."""
    return contract_of("backbone").rules


def controller_rules() -> Sequence[Rule]:
    """Return the rules of controllers and helpers."""
    return contract_of("controller").rules


def world_rules() -> Sequence[Rule]:
    """Return the rules of worlds."""
    return contract_of("world").rules
