"""A tiny random model of the library transformers works as a backbone."""

import json
import pickle
import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.backbones import transformers_local
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.backbones.transformers_local import TransformersBackbone
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.requests import Reply, Request
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.planning import Ask
from optimus_gym.testing.situations import situation
from tests.minds.plans import plan_of, planner_of, plans_by, words

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from tests.backbones.tiny import (  # noqa: E402
    END,
    MARKS,
    MOST,
    TEMPLATES,
    by_hand,
    in_words,
    picture,
    requests,
    saved,
    tokenizer,
    told,
)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Use one thread, as a model so small spends most of its time on waiting threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Return folder, network and processor by the name of the template."""
    folders = {name: tmp_path_factory.mktemp(f"tiny-{name}") for name in TEMPLATES}
    return {name: (folder, *saved(folder, name)) for name, folder in folders.items()}


@pytest.fixture
def folder(models, tmp_path):
    """Return a copy of the folder that a test may damage."""
    for file in models["chat"][0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def backbone(models, template="chat", **options):
    given = {"max_tokens": MOST, "device": "cpu", **options}
    return TransformersBackbone(models[template][0], **given)


@pytest.mark.parametrize("template", TEMPLATES)
def test_replies_are_the_networks_most_likely_words_with_token_counts(models, template):
    replies = backbone(models, template, batch=4).complete(requests())
    assert [told(reply) for reply in replies] == [
        by_hand(models, template, request) for request in requests()
    ]
    for request, reply in zip(requests(), replies, strict=True):
        letters = len(in_words(template, request).replace("<image>", "").replace("<s>", ""))
        assert reply.prompt_tokens == 1 + letters + MARKS * len(request.images)
        assert (reply.model, reply.cost, reply.faults) == (models[template][0].name, 0.0, ())
        assert reply.latency_s > 0
    assert len({reply.text for reply in replies}) > 5


def test_some_answers_are_cut_and_others_end(models):
    asked = requests(20)
    replies = [reply for name in TEMPLATES for reply in backbone(models, name).complete(asked)]
    counts = [reply.completion_tokens for reply in replies]
    assert min(counts) < MOST == max(counts)
    assert not any(reply.cut for reply in replies if reply.completion_tokens < MOST)
    assert any(reply.cut for reply in replies)


def test_a_thought_that_the_template_begins_is_marked_in_the_reply(folder):
    template = folder / "chat_template.jinja"
    template.write_text(template.read_text("utf-8") + "<think>", encoding="utf-8")
    (reply,) = TransformersBackbone(folder, max_tokens=8, device="cpu").complete(requests(1))
    assert reply.text.startswith("<think>")
    assert parse_plan(reply.text).problems[0].startswith("expected an answer after the thoughts")


def test_special_tokens_that_mark_thoughts_stay_and_others_are_removed():
    made = tokenizer(begins=True)
    made.add_special_tokens({"additional_special_tokens": ["[THINK]", "[/THINK]", "<|im_end|>"]})
    model = object.__new__(transformers_local._Model)
    model._tokenizer = made
    said = made("[THINK]hm[/THINK]dig<|im_end|>").input_ids
    assert model._text([*said, END]) == "[THINK]hm[/THINK]dig"


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_the_reply_to_a_row_does_not_depend_on_its_batch(models, batch):
    one = backbone(models, batch=batch)
    together = one.complete(requests(12))
    alone = [one.complete([request])[0] for request in requests(12)]
    assert [told(reply) for reply in alone] == [told(reply) for reply in together]
    turned = one.complete(requests(12)[::-1])
    assert [told(reply) for reply in turned[::-1]] == [told(reply) for reply in together]


def test_a_batch_has_one_latency_and_a_bounded_size(models):
    replies = backbone(models, batch=4).complete([Request("plan", f"{n}") for n in range(10)])
    latencies = [reply.latency_s for reply in replies]
    assert [latencies.count(one) for one in dict.fromkeys(latencies)] == [4, 4, 2]


def test_pictures_and_their_order_change_the_reply(models):
    one = backbone(models)
    shown = [(), (0,), (1,), (0, 1), (1, 0)]
    asked = [
        [Request("plan", text, tuple(map(picture, seeds))) for text in ("What?", "Where?", "How?")]
        for seeds in shown
    ]
    replies = [tuple(map(told, one.complete(batch))) for batch in asked]
    assert len({tuple(text for text, *_ in batch) for batch in replies}) == 5
    turned = [replace(r, images=(np.asfortranarray(picture(0)),)) for r in asked[0]]
    assert tuple(map(told, one.complete(turned))) == replies[1]


@pytest.mark.parametrize("template", TEMPLATES)
def test_pictures_stand_behind_their_marks(models, template):
    one = backbone(models, template)
    two, shown = tuple(map(picture, (0, 1))), []
    asked = [
        Request("plan", "before [picture 1], now [picture 2]. What now?", two),
        Request("plan", "before [picture 1], now [picture 2]", two[::-1]),
        Request("plan", "all of [picture 2][picture 1]", two),
    ]
    one.complete(asked)
    reader = one._loaded._processor
    one._loaded._processor = lambda **given: shown.append(given) or reader(**given)
    for name in ("chat_template", "apply_chat_template", "image_token"):
        setattr(one._loaded._processor, name, getattr(reader, name))
    replies = one.complete(asked)
    expected = [by_hand(models, template, request) for request in asked[:2]]
    assert [told(reply) for reply in replies[:2]] == expected
    (given,) = shown
    words = [
        "before [picture 1]<image>, now [picture 2]<image>. What now?",
        "before [picture 1]<image>, now [picture 2]<image>",
        "<image><image>all of [picture 2][picture 1]",
    ]
    around = {"chat": "USER: {} ASSISTANT:", "begun": "<s>[{}]", "plain": "{}"}[template]
    assert given["text"] == [around.format(text) for text in words]
    for request, images in zip(asked, given["images"], strict=True):
        assert all(map(np.array_equal, map(np.asarray, images), request.images))
        assert len(images) == 2


def test_the_model_is_loaded_at_the_first_request(models, monkeypatch):
    absent = TransformersBackbone("/nowhere/model", device="nowhere")
    assert absent.complete([]) == []
    with pytest.raises(BadValue, match="device: expected a device that PyTorch can use here"):
        absent.complete(requests(1))
    one = backbone(models)
    first = one.complete(requests(1))
    monkeypatch.setattr(transformers.AutoProcessor, "from_pretrained", None)
    assert told(one.complete(requests(1))[0]) == told(first[0])


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_load_their_own_model(models, copied):
    original = backbone(models)
    replies = original.complete(requests(3))
    assert len(pickle.dumps(original)) < 1000
    copy = copied(original)
    assert copy._loaded is None
    assert list(map(told, copy.complete(requests(3)))) == list(map(told, replies))


def test_the_generation_settings_of_the_folder_are_ignored(models, folder):
    plain = backbone(models).complete(requests())
    settings = json.loads((folder / "generation_config.json").read_text())
    settings |= {"do_sample": True, "temperature": 2.0, "top_p": 0.9, "top_k": 3, "min_p": 0.1}
    settings |= {"repetition_penalty": 9.0, "no_repeat_ngram_size": 1, "max_length": 3}
    settings |= {"num_beams": 3, "num_return_sequences": 2, "return_dict_in_generate": True}
    (folder / "generation_config.json").write_text(json.dumps(settings))
    one = TransformersBackbone(folder, max_tokens=MOST, device="cpu")
    assert list(map(told, one.complete(requests()))) == list(map(told, plain))


def test_a_tokenizer_without_padding_pads_with_its_end_token(models, folder):
    for name in ("tokenizer_config.json", "generation_config.json"):
        held = json.loads((folder / name).read_text())
        held = {
            key: value for key, value in held.items() if key not in ("pad_token", "pad_token_id")
        }
        (folder / name).write_text(json.dumps(held))
    one = TransformersBackbone(folder, max_tokens=MOST, device="cpu")
    assert list(map(told, one.complete(requests()))) == [
        by_hand(models, "chat", request) for request in requests()
    ]


def test_torchs_global_generator_is_left_unchanged(models):
    before = torch.random.get_rng_state()
    backbone(models).complete(requests(2))
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_planner_uses_the_rules_if_the_model_babbles(models):
    goal = task("Stone").goal
    planner = planner_of(backbone(models, max_tokens=8), full_graph(), instead="rules")
    made = plans_by(planner, [Ask(situation(goal)), Ask(situation(goal, {"oak_log": 2}, row=1))])
    for plan, held in zip(made, ({}, {"oak_log": 2}), strict=True):
        assert plan.planned_by == "rules"
        assert plan.problems[-1] == "the rules took over"
        assert words(plan) == words(plan_of(goal, held))


def test_networks_that_do_not_repeat_the_prompt_are_supported(models, monkeypatch):
    one = backbone(models)
    expected = list(map(told, one.complete(requests())))
    network = one._loaded.network
    generate = network.generate

    def alone(**given):
        return generate(**given)[:, given["input_ids"].shape[1] :]

    def after_a_beginning(**given):
        network.config.is_encoder_decoder = False
        made = alone(**given)
        network.config.is_encoder_decoder = True
        return torch.cat([torch.full_like(made[:, :1], 2), made], 1)

    for otherwise in (alone, after_a_beginning):
        monkeypatch.setattr(network, "generate", otherwise)
        assert list(map(told, one.complete(requests()))) == expected


@pytest.mark.parametrize("most", [1, 2, 5])
def test_the_batch_is_halved_if_memory_runs_out(models, most, monkeypatch):
    one = backbone(models)
    expected = one.complete(requests(12))
    generate, sizes = one._loaded.network.generate, []

    def tight(**given):
        sizes.append(len(given["input_ids"]))
        if sizes[-1] > most:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return generate(**given)

    monkeypatch.setattr(one._loaded.network, "generate", tight)
    replies = one.complete(requests(12))
    assert list(map(told, replies)) == list(map(told, expected))
    assert max(sizes) == 8
    for request, reply in zip(requests(12), replies, strict=True):
        if request.images:
            assert reply.faults[0] == "out of memory with 8 requests at once"
            assert len(reply.faults) == {5: 1, 2: 2, 1: 3}[most]
    if most < 4:
        assert {reply.faults for reply in replies[::3]} != {()}


def test_too_little_memory_for_one_request_is_reported(models, monkeypatch):
    one = backbone(models)
    one.complete(requests(1))

    def none(**given):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(one._loaded.network, "generate", none)
    with pytest.raises(
        BadValue, match="cpu has too little memory for one request of 12 characters"
    ):
        one.complete(requests(3))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [(None, "float32"), ("float32", "float32"), ("bfloat16", "bfloat16"), ("auto", "bfloat16")],
)
def test_numbers_have_the_requested_type(models, folder, dtype, expected, monkeypatch):
    made = models["chat"][1]
    deepcopy(made).to(torch.bfloat16).save_pretrained(folder)
    one = TransformersBackbone(folder, max_tokens=3, device="cpu", dtype=dtype)
    one.complete(requests(1))
    network, types = one._loaded.network, set()
    generate = network.generate

    def noted(**given):
        types.update(array.dtype for name, array in given.items() if "pixel" in name)
        return generate(**given)

    monkeypatch.setattr(network, "generate", noted)
    replies = one.complete(requests(4))
    assert types == {network.dtype} == {getattr(torch, expected)}
    assert all(isinstance(reply, Reply) and reply.completion_tokens for reply in replies)


def test_a_missing_graphics_card_is_rejected(models):
    if torch.cuda.is_available():
        pytest.skip("it is there")
    with pytest.raises(BadValue, match="such as 'cpu', got 'cuda'"):
        backbone(models, device="cuda").complete(requests(1))


@pytest.mark.parametrize("device", ["gpu", "", "meta", "cpu:99:1"])
def test_an_unknown_device_is_rejected_and_an_empty_name_accepted(models, device):
    one = backbone(models, device=device)
    if device == "":
        assert one.complete(requests(1)), "nothing is asked for"
        return
    with pytest.raises(BadValue, match="device: expected a device that PyTorch can use here"):
        one.complete(requests(1))


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_a_missing_library_is_reported_with_its_extra(models, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    one = backbone(models)
    expected = r"backbone .transformers. needs .*pip install -e .\.\[mllm\]."
    with pytest.raises(MissingExtra, match=expected):
        one.complete(requests(1))
