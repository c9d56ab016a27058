"""A model of the library transformers as a backbone: tiny, random, and told by its own arithmetic."""

import json
import os
import pickle
import re
import sys
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.backbones.transformers_local import TransformersBackbone
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.requests import Reply, Request
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.planner.ask import Ask
from optimus_gym.planner.hdkg import HdkgPlanner
from tests.planner.plans import plan_of, words
from tests.planner.situations import situation

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

SPECIAL = ["<pad>", "<s>", "</s>", "<image>"]
MARKS = 4
"""Tokens of a picture: 16 x 16 pixels in patches of 8."""
END = 2
ENDS = (END, *range(40, 60))
"""Tokens that end an answer: many, so that some answers end."""
MOST = 24
PARTS = (
    "{% for part in m['content'] %}{% if part['type'] == 'image' %}<image>{% else %}"
    "{{ part['text'] }}{% endif %}{% endfor %}"
)
TEMPLATES = {
    "chat": "{% for m in messages %}USER: " + PARTS + "{% endfor %}"
    "{% if add_generation_prompt %} ASSISTANT:{% endif %}",
    "begun": "<s>{% for m in messages %}[" + PARTS + "]{% endfor %}",
    "plain": None,
}


def tokenizer(begins):
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {name: n for n, name in enumerate([*SPECIAL, *letters])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    made.add_special_tokens(SPECIAL)
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    if begins:
        made.post_processor = tokenizers.processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 1)]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )


def pictures_reader():
    """The library's processor of pictures that needs no torchvision."""
    try:
        from transformers import CLIPImageProcessorPil as Reader
    except ImportError:  # its name before version 5
        from transformers import CLIPImageProcessor as Reader
    return Reader(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16})


def network(count):
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    seen = transformers.CLIPVisionConfig(**sizes, intermediate_size=16, image_size=16, patch_size=8)
    said = transformers.LlamaConfig(
        **sizes, intermediate_size=32, num_key_value_heads=2, vocab_size=count,
        max_position_embeddings=16_384, bos_token_id=1, eos_token_id=END, pad_token_id=0,
    )  # fmt: skip
    config = transformers.LlavaConfig(vision_config=seen, text_config=said, image_token_index=3)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        made = transformers.LlavaForConditionalGeneration(config)
        for weights in made.parameters():
            torch.nn.init.normal_(weights, std=0.5)
        made.get_output_embeddings().weight.data[3] = 0.0  # it writes no marks of pictures
    made.generation_config.eos_token_id = list(ENDS)
    return made.eval()


def saved(folder, template="chat"):
    reader = transformers.LlavaProcessor(
        image_processor=pictures_reader(),
        tokenizer=tokenizer(begins=True),
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATES[template],
    )
    made = network(len(reader.tokenizer))
    made.save_pretrained(folder)
    reader.save_pretrained(folder)
    return made, reader


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Threads that wait for each other take most of the time of a model so small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Folder, network and processor by the name of the template."""
    folders = {name: tmp_path_factory.mktemp(f"tiny-{name}") for name in TEMPLATES}
    return {name: (folder, *saved(folder, name)) for name, folder in folders.items()}


@pytest.fixture
def folder(models, tmp_path):
    """A copy that may be broken."""
    for file in models["chat"][0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def backbone(models, template="chat", **options):
    given = {"max_tokens": MOST, "device": "cpu", **options}
    return TransformersBackbone(models[template][0], **given)


def picture(seed):
    made = np.random.default_rng(seed).integers(0, 256, (6, 8, 3)).repeat(6, 0).repeat(8, 1)
    return made.astype(np.uint8)


def requests(count=10):
    """Of all lengths, with no, one and two pictures."""
    return [
        Request("plan", f"Question {n}: " + "why? " * (n % 4), tuple(map(picture, range(n % 3))))
        for n in range(count)
    ]


def in_words(template, request):
    marks = "<image>" * len(request.images)
    text = marks + request.text
    return {"chat": f"USER: {text} ASSISTANT:", "begun": f"<s>[{text}]", "plain": text}[template]


def by_hand(models, template, request):
    """The reply by the network alone, a token at a time, without a memory of the former ones."""
    from PIL import Image

    _, made, reader = models[template]
    text = in_words(template, request).removeprefix("<s>")
    shown = [Image.fromarray(one) for one in request.images]
    given = dict(reader(text=text, images=shown or None, return_tensors="pt"))
    asked = given["input_ids"].shape[1]
    assert given["input_ids"][0, :2].tolist().count(1) == 1
    new = []
    with torch.inference_mode():
        while len(new) < MOST and not set(new) & set(ENDS):
            new.append(int(made(**given).logits[0, -1].argmax()))
            given["input_ids"] = torch.cat([given["input_ids"], torch.tensor([new[-1:]])], 1)
            given["attention_mask"] = torch.ones_like(given["input_ids"])
    return reader.tokenizer.decode(new, skip_special_tokens=True), asked, len(new)


def told(reply):
    return reply.text, reply.prompt_tokens, reply.completion_tokens


@pytest.mark.parametrize("template", TEMPLATES)
def test_replies_are_the_networks_most_likely_words_and_tokens_are_counted(models, template):
    replies = backbone(models, template, batch=4).complete(requests())
    assert [told(reply) for reply in replies] == [
        by_hand(models, template, request) for request in requests()
    ]
    for request, reply in zip(requests(), replies, strict=True):
        letters = len(in_words(template, request).replace("<image>", "").replace("<s>", ""))
        assert reply.prompt_tokens == 1 + letters + MARKS * len(request.images)
        assert (reply.model, reply.cost, reply.faults) == (models[template][0].name, 0.0, ())
        assert reply.latency_s > 0
    counts = {reply.completion_tokens for reply in replies}
    assert MOST in counts, "some answers are cut"
    assert min(counts) < MOST, "some come to an end"
    assert len({reply.text for reply in replies}) > 5


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_a_row_alone_is_answered_as_among_others(models, batch):
    one = backbone(models, batch=batch)
    together = one.complete(requests(12))
    alone = [one.complete([request])[0] for request in requests(12)]
    assert [told(reply) for reply in alone] == [told(reply) for reply in together]
    turned = one.complete(requests(12)[::-1])
    assert [told(reply) for reply in turned[::-1]] == [told(reply) for reply in together]


def test_a_batch_has_one_latency_and_at_most_so_many_requests(models):
    replies = backbone(models, batch=4).complete([Request("plan", f"{n}") for n in range(10)])
    latencies = [reply.latency_s for reply in replies]
    assert [latencies.count(one) for one in dict.fromkeys(latencies)] == [4, 4, 2]


def test_pictures_and_their_order_are_seen(models):
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


def test_nothing_is_loaded_before_it_is_asked(models, monkeypatch):
    absent = TransformersBackbone("/nowhere/model", device="nowhere")
    assert absent.complete([]) == []
    with pytest.raises(BadValue, match="device: expected one that PyTorch can use here"):
        absent.complete(requests(1))
    one = backbone(models)
    first = one.complete(requests(1))
    monkeypatch.setattr(transformers.AutoProcessor, "from_pretrained", None)
    assert told(one.complete(requests(1))[0]) == told(first[0])


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_load_their_own(models, copied):
    original = backbone(models)
    replies = original.complete(requests(3))
    assert len(pickle.dumps(original)) < 1000
    copy = copied(original)
    assert copy._loaded is None
    assert list(map(told, copy.complete(requests(3)))) == list(map(told, replies))


def test_the_settings_of_the_folder_do_not_sample_or_punish(models, folder):
    plain = backbone(models).complete(requests())
    settings = json.loads((folder / "generation_config.json").read_text())
    settings |= {"do_sample": True, "temperature": 2.0, "top_p": 0.9, "top_k": 3, "min_p": 0.1}
    settings |= {"repetition_penalty": 9.0, "no_repeat_ngram_size": 1, "max_length": 3}
    settings |= {"num_beams": 3, "num_return_sequences": 2, "return_dict_in_generate": True}
    (folder / "generation_config.json").write_text(json.dumps(settings))
    one = TransformersBackbone(folder, max_tokens=MOST, device="cpu")
    assert list(map(told, one.complete(requests()))) == list(map(told, plain))


def test_a_tokenizer_without_padding_pads_with_its_end(models, folder):
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


def test_no_draws_of_others_are_used_up(models):
    before = torch.random.get_rng_state()
    backbone(models).complete(requests(2))
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_planner_gets_on_when_the_model_babbles(models):
    goal = task("Stone").goal
    planner = HdkgPlanner(backbone(models, max_tokens=8), full_graph())
    made = planner.plan([Ask(situation(goal)), Ask(situation(goal, {"oak_log": 2}, row=1))])
    for plan, held in zip(made, ({}, {"oak_log": 2}), strict=True):
        assert plan.taken_over
        assert plan.problems[-1] == "the rules took over"
        assert words(plan) == words(plan_of(goal, held))


@pytest.mark.parametrize("most", [1, 2, 5])
def test_where_memory_is_not_enough_the_batch_is_halved(models, most, monkeypatch):
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


def test_where_memory_is_not_enough_for_one_it_is_told(models, monkeypatch):
    one = backbone(models)
    one.complete(requests(1))

    def none(**given):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(one._loaded.network, "generate", none)
    with pytest.raises(BadValue, match="cpu has not the memory for one request of 12 characters"):
        one.complete(requests(3))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [(None, "float32"), ("float32", "float32"), ("bfloat16", "bfloat16"), ("auto", "bfloat16")],
)
def test_numbers_are_of_the_type_that_is_asked_for(models, folder, dtype, expected):
    made = models["chat"][1]
    deepcopy(made).to(torch.bfloat16).save_pretrained(folder)
    one = TransformersBackbone(folder, max_tokens=3, device="cpu", dtype=dtype)
    replies = one.complete(requests(4))
    assert one._loaded.network.dtype == getattr(torch, expected)
    assert all(isinstance(reply, Reply) and reply.completion_tokens for reply in replies)


def test_a_graphics_card_that_is_not_there_is_refused(models):
    if torch.cuda.is_available():
        pytest.skip("it is there")
    with pytest.raises(BadValue, match="such as 'cpu', got 'cuda'"):
        backbone(models, device="cuda").complete(requests(1))


@pytest.mark.parametrize("device", ["gpu", "", "meta", "cpu:99:1"])
def test_a_device_that_is_none_is_refused(models, device):
    one = backbone(models, device=device)
    if device == "":
        assert one.complete(requests(1)), "nothing is asked for"
        return
    with pytest.raises(BadValue, match="device: expected one that PyTorch can use here"):
        one.complete(requests(1))


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_without_the_libraries_the_extra_is_named(models, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    one = backbone(models)
    expected = r"backbone 'transformers' needs .*pip install 'optimus-gym\[mllm\]'"
    with pytest.raises(MissingExtra, match=expected):
        one.complete(requests(1))


def without(name):
    return lambda folder: (folder / name).unlink()


def changed(name, content):
    return lambda folder: (folder / name).write_bytes(content)


def of_another(folder):
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["num_hidden_layers"] = 3
    (folder / "config.json").write_text(json.dumps(config))


def of_another_size(folder):
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["intermediate_size"] = 64
    (folder / "config.json").write_text(json.dumps(config))


def only_of_texts(folder):
    for file in folder.iterdir():
        if "processor" in file.name:
            file.unlink()


BROKEN = {
    "empty": lambda folder: [file.unlink() for file in folder.iterdir()],
    "no config": without("config.json"),
    "no JSON": changed("config.json", b"{"),
    "another kind": changed("config.json", b'{"model_type": "bert"}'),
    "no weights": without("model.safetensors"),
    "damaged weights": changed("model.safetensors", b"\x00" * 100),
    "no words": without("tokenizer.json"),
    "a layer more": of_another,
    "other sizes": of_another_size,
    "no pictures": only_of_texts,
}


@pytest.mark.parametrize("damage", BROKEN)
def test_a_folder_that_is_broken_is_refused_with_the_cause(folder, damage):
    BROKEN[damage](folder)
    with pytest.raises(BadValue, match=r"model: .* cannot be loaded: \S+") as error:
        TransformersBackbone(folder, device="cpu").complete(requests(1))
    assert error.value.__cause__ is not None


def test_weights_that_are_lacking_are_named(folder):
    of_another(folder)
    with pytest.raises(BadValue, match=r"its files lack weights: .*layers\.2"):
        TransformersBackbone(folder, device="cpu").complete(requests(1))


def test_a_path_that_leads_nowhere_is_refused(tmp_path):
    with pytest.raises(BadValue, match="cannot be loaded"):
        TransformersBackbone(tmp_path / "none", device="cpu").complete(requests(1))


class Trap:
    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_nothing_is_unpickled(models, folder, tmp_path):
    trap = tmp_path / "sprung"
    (folder / "model.safetensors").unlink()
    torch.save({"trap": Trap(trap)}, folder / "pytorch_model.bin")
    with pytest.raises(BadValue, match="cannot be loaded"):
        TransformersBackbone(folder, device="cpu").complete(requests(1))
    assert not trap.exists()


@pytest.mark.parametrize("trust", [False, True])
def test_code_that_comes_along_is_run_only_where_it_is_trusted(
    folder, tmp_path, monkeypatch, trust
):
    monkeypatch.setattr(
        "transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "code")
    )
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\nfrom transformers import LlavaConfig as OwnConfig\n"
    (folder / "own.py").write_text(code)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.OwnConfig"}}
    (folder / "config.json").write_text(json.dumps(config))
    one = TransformersBackbone(folder, device="cpu", max_tokens=2, trust=trust)
    with suppress(BadValue) if trust else pytest.raises(BadValue, match="cannot be loaded"):
        one.complete(requests(2))
    assert ran.exists() == trust


def test_what_the_model_cannot_take_is_told(models):
    one = backbone(models)
    strange = Request("see", "an <image> that is not there", (picture(0),))
    with pytest.raises(BadValue, match=r"tiny-chat\d* cannot answer \(see\): \S+"):
        one.complete([strange])
    assert one.complete(requests(1))


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4, 3), np.float32),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        "file.png",
    ],
)
def test_what_is_no_picture_is_refused(models, image):
    with pytest.raises(BadValue, match=r"images: expected uint8\[H, W, 3\]"):
        backbone(models).complete([replace(requests(1)[0], images=(image,))])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"model": ""}, "model: expected a folder or a name, got ''"),
        ({"model": 3}, "model: expected a folder"),
        ({"dtype": "float64"}, "dtype: expected one of float32, bfloat16, float16, auto"),
        ({"dtype": torch.float32}, "dtype: expected one of"),
        ({"device": 0}, "device: expected a name or None, got 0"),
        ({"revision": 1}, "revision: expected a name or None, got 1"),
        ({"max_tokens": 0}, "max_tokens: expected an integer of at least 1, got 0"),
        ({"batch": 0.5}, "batch: expected an integer of at least 1"),
        ({"trust": 1}, "trust: expected True or False, got 1"),
    ],
)
def test_wrong_options_are_refused_at_once(options, expected):
    with pytest.raises(BadValue, match=re.escape(expected)):
        TransformersBackbone(**{"model": "folder", **options})
