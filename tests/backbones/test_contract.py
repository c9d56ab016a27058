"""Every registered backbone keeps the contract, and each rule names the backbones that break it."""

from zlib import crc32

import pytest

from optimus_gym.core.registry import names
from optimus_gym.core.requests import Reply
from optimus_gym.testing import backbone_rules, contract_of
from tests.agents.backbones import MAKERS

each_rule = pytest.mark.parametrize("rule", backbone_rules(), ids=str)


@each_rule
@pytest.mark.parametrize("name", sorted(names("backbone")))
def test_a_backbone_keeps_the_contract(name, rule, tmp_path):
    with MAKERS[name](tmp_path) as maker:
        assert rule(maker) == ""


@pytest.mark.parametrize("name", sorted(names("backbone")))
def test_a_backbone_has_its_registered_name(name, tmp_path):
    with MAKERS[name](tmp_path) as maker:
        assert maker().name == name


class Sound:
    """Repeats the end of the request."""

    name, takes_pictures = "sound", False

    def complete(self, requests):
        return [self.reply(one) for one in requests]

    def reply(self, request):
        return Reply(request.text[-200:] + str(crc32(request.text.encode())))


class Stillborn(Sound):
    def __init__(self):
        raise OSError("no weights")


class Undecided(Sound):
    takes_pictures = None


class Short(Sound):
    def complete(self, requests):
        return super().complete(requests)[:1]


class Raw(Sound):
    """Returns texts, not replies."""

    def reply(self, request):
        return request.text


class Timeless(Sound):
    def reply(self, request):
        return Reply(request.text, latency_s=-1.0)


class Numbered(Sound):
    """Answers with the number of backbones made before."""

    made = 0

    def __init__(self):
        type(self).made += 1
        self.number = self.made

    def reply(self, request):
        return Reply(f"{self.number} {request.text}")


class Sociable(Sound):
    """Answers with the number of requests."""

    def complete(self, requests):
        return [Reply(f"{len(requests)} {one.text}") for one in requests]


class Sorted(Sound):
    """Returns the replies in the order of their texts."""

    def complete(self, requests):
        return sorted(super().complete(requests), key=lambda one: one.text)


class Talkative(Sound):
    def complete(self, requests):
        return super().complete(requests) or [Reply("Hello?")]


class Scribbler(Sound):
    """Writes into the request."""

    def reply(self, request):
        object.__setattr__(request, "row", -1)
        return super().reply(request)


class Uncopied(Sound):
    def __init__(self):
        self.way = lambda: None


FAULTY = {
    Sound: (),
    Stillborn: ("can_be_made",),
    Undecided: ("has_all_members",),
    Short: ("answers_each_request",),
    Raw: ("answers_each_request",),
    Timeless: ("replies_have_their_types",),
    Numbered: ("answers_alike", "answers_alone_as_together", "answers_in_order"),
    Sociable: ("answers_alone_as_together",),
    Sorted: ("answers_alone_as_together", "answers_in_order"),
    Talkative: ("answers_nothing_with_nothing",),
    Scribbler: ("leaves_requests_alone",),
    Uncopied: ("copies_answer",),
}
"""Backbones and the names of all rules that each breaks; the first backbone is sound."""


@pytest.mark.parametrize(
    ("backbone", "rules"), FAULTY.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_exactly_the_broken_rules_name_a_faulty_backbone(backbone, rules):
    findings = contract_of("backbone").findings(backbone)
    assert tuple(one.rule.name for one in findings if one.verdict == "failed") == rules


def test_every_rule_is_broken_by_a_faulty_backbone():
    broken = {name for names in FAULTY.values() for name in names}
    assert {rule.name for rule in backbone_rules()} == broken
