"""A tiny random model of pictures and texts, and its replies computed step by step."""

import re

import numpy as np
import tokenizers
import torch
import transformers

from optimus_gym.core.requests import Request

SPECIAL = ["<pad>", "<s>", "</s>", "<image>"]
MARKS = 4
"""Number of tokens of a picture: 16 x 16 pixels in patches of 8."""
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
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        model_input_names=["input_ids", "attention_mask"],
    )


def pictures_reader():
    """Return the library's processor of pictures that needs no torchvision."""
    try:
        from transformers import CLIPImageProcessorPil as Reader
    except ImportError:  # the name before version 5
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
        made.get_output_embeddings().weight.data[3] = 0.0  # the network writes no marks of pictures
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


def picture(seed):
    made = np.random.default_rng(seed).integers(0, 256, (6, 8, 3)).repeat(6, 0).repeat(8, 1)
    return made.astype(np.uint8)


def requests(count=10):
    """Return requests of all lengths, with no, one and two pictures."""
    return [
        Request("plan", f"Question {n}: " + "why? " * (n % 4), tuple(map(picture, range(n % 3))))
        for n in range(count)
    ]


def in_words(template, request):
    text = re.sub(r"(\[picture \d\])", r"\1<image>", request.text)
    if text == request.text:
        text = "<image>" * len(request.images) + text
    return {"chat": f"USER: {text} ASSISTANT:", "begun": f"<s>[{text}]", "plain": text}[template]


def by_hand(models, template, request):
    """Return the network's reply, computed token by token without a cache."""
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
