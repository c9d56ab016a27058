"""A short form names a backbone with its model: "openai:NAME", "transformers:FOLDER"."""

import pytest

from optimus_gym.backbones.fallible import FallibleBackbone
from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from tests.backbones.openai_server import ask, serving, set_environment
from tests.envs.conftest import make

each_name = pytest.mark.parametrize("name", ["openai", "transformers"])


@each_name
@pytest.mark.parametrize("model", ["some-model", "maker/model:7b", "/a/folder of models"])
def test_the_text_after_the_colon_is_the_model(name, model):
    short = part_of("backbone", f"{name}:{model}")
    assert short == part_of("backbone", {"name": name, "model": model})
    assert short.build().model == model


@each_name
def test_a_short_form_accepts_other_options_and_rejects_a_second_model(name):
    part = part_of("backbone", {"name": f"{name}:a", "max_tokens": 7})
    assert (part.build().model, part.build().max_tokens) == ("a", 7)
    with pytest.raises(BadValue, match=f"expected the option model once, got '{name}:a' and 'b'"):
        part_of("backbone", {"name": f"{name}:a", "model": "b"})
    with pytest.raises(BadValue, match="model: expected a"):
        part_of("backbone", f"{name}:").build()


def test_parts_without_a_model_still_take_a_source(tmp_path):
    assert part_of("backbone", "replay:talk.jsonl").options == {"source": "talk.jsonl"}
    assert part_of("controller", "sb3:model.zip").options == {"source": "model.zip"}


def test_the_short_form_works_in_other_parts_and_in_environments(tmp_path, monkeypatch):
    pytest.importorskip("openai")
    set_environment(monkeypatch)
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        erring = FallibleBackbone("openai:first", 0)
        recording = ReplayBackbone(tmp_path / "talk.jsonl", "openai:second")
        assert [one.complete([ask()])[0].text for one in (erring, recording)] == ["dig", "dig"]
        env = make("Optimus-Wood-v0@symbolic", backbone="openai:third")
        env.reset(seed=0)
    assert [asked["model"] for asked in server.asked[:3]] == ["first", "second", "third"]
