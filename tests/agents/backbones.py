"""Each registered backbone with the server, recording or model that lets it answer."""

from contextlib import contextmanager

from optimus_gym.backbones.fallible import FallibleBackbone
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.backbones.rules import PLANS, RulesBackbone
from optimus_gym.core.requests import Request
from tests.backbones.openai_server import saying, serving


def ruled(text, tries):
    """Return the answer of a server whose model is the rules."""
    kinds = (*PLANS, "reflect")
    answers = (RulesBackbone().complete([Request(kind, text)])[0].text for kind in kinds)
    known = (answer for answer in answers if not answer.startswith("The rules answer"))
    return saying({"content": next(known, "What?")})


@contextmanager
def served(folder):
    with serving(ruled) as server:
        yield lambda: OpenAIBackbone("rules", server.address)


@contextmanager
def recording(folder):
    files = (folder / f"replies-{n}.jsonl" for n in range(1000))
    yield lambda: ReplayBackbone(str(next(files)), "rules")


@contextmanager
def tiny(folder):
    from optimus_gym.backbones.transformers_local import TransformersBackbone
    from tests.backbones.test_transformers import saved

    saved(folder)
    yield lambda: TransformersBackbone(str(folder), max_tokens=8)


@contextmanager
def plain(folder):
    yield RulesBackbone


@contextmanager
def faultless(folder):
    yield lambda: FallibleBackbone("rules", scale=0)


MAKERS = {
    "rules": plain,
    "fallible": faultless,
    "openai": served,
    "replay": recording,
    "transformers": tiny,
}
"""Contexts by a backbone's name; each yields a function that makes a new backbone."""
