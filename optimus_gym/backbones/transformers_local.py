"""The backbone `transformers`: a local model of texts and pictures, run by the library transformers."""

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from optimus_gym.backbones.parse.thoughts import is_mark, opens_thought
from optimus_gym.core.arrays import Pixels
from optimus_gym.core.checks import check_count, check_flag
from optimus_gym.core.errors import BadValue, MissingExtra, reason_of, shown
from optimus_gym.core.requests import Reply, Request, request_parts

MODEL_DTYPES: Final = ("float32", "bfloat16", "float16", "auto")
SAMPLING: Final = ("temperature", "top_k", "top_p", "min_p", "typical_p", "penalty_alpha")
PENALTIES: Final = ("repetition_penalty", "no_repeat_ngram_size")
"""Generation settings that take the padding into account, so that an answer would depend on its batch."""


class TransformersBackbone:
    """Asks a local image-text-to-text model of the library transformers, with greedy decoding.

    The model is loaded at the first request; a copied or unpickled backbone loads its own model. Weights are
    read only from safetensors; nothing is unpickled.

    Marks of thoughts stay in the text: special tokens, and the mark at a prompt's end if the chat template
    opens a thought there. A text that ends at `max_tokens` is marked as cut off.

    In a chat template a request is one message of the role "user". Each picture follows its mark in the text;
    without marks all pictures precede the text. The model's chat template writes the prompt, and some
    templates move all pictures to the front. If a model has no template, its own picture token marks a
    picture in the text. Requests with and without pictures go through the model separately, at most `batch`
    at once. If the device runs out of memory, the batch is halved and tried again; the reply's `faults`
    report it. A reply's latency is the latency of its whole batch, without loading.

    Args:
        model: a folder with model and processor, or a model's name on the Hugging Face hub, which the library
            downloads and caches.
        device: the device of the model; None takes "cuda" if PyTorch has it here, else the CPU.
        dtype: "float32", "bfloat16", "float16" or "auto" (as the weights are stored); None: "float32" on the
            CPU, which is slow with half precision, "auto" elsewhere.
        max_tokens: most tokens of an answer.
        batch: most requests in one batch.
        revision: the revision of a model on the hub; None takes the newest.
        trust: whether code that comes with the model may run.

    Raises:
        BadValue: an argument has the wrong type or value.
    """

    name = "transformers"
    takes_pictures = True

    def __init__(
        self,
        model: str | os.PathLike[str],
        *,
        device: str | None = None,
        dtype: str | None = None,
        max_tokens: int = 1000,
        batch: int = 8,
        revision: str | None = None,
        trust: bool = False,
    ) -> None:
        if not isinstance(model, str | os.PathLike) or not os.fspath(model):
            raise BadValue(f"model: expected a folder or the name of a model, got {shown(model)}")
        if dtype is not None and dtype not in MODEL_DTYPES:
            raise BadValue(f"dtype: expected one of {', '.join(MODEL_DTYPES)}, got {shown(dtype)}")
        for name, value in (("device", device), ("revision", revision)):
            if value is not None and not isinstance(value, str):
                raise BadValue(f"{name}: expected a text or None, got {shown(value)}")
        check_flag("trust", trust)
        self.model = str(os.fspath(model))
        self.max_tokens = check_count("max_tokens", max_tokens, 1)
        self.batch = check_count("batch", batch, 1)
        self._device = device
        self._dtype = dtype
        self._revision = revision
        self._trust = trust
        self._loaded: _Model | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request; the same request always gets the same text, whatever the other requests.

        In exact arithmetic, a request's text does not depend on the other requests in its batch. If two words
        are equally likely up to rounding, the batch can decide between them, more often in half precision
        than in float32.

        Raises:
            MissingExtra: the libraries are not installed.
            BadValue: the model cannot be loaded, the device cannot be used or lacks the memory for one
                request, or the model cannot take a request.
        """
        if not requests:
            return []
        for request in requests:
            _check_images(request)
        model = self._loaded = self._loaded or self._load()
        replies: dict[int, Reply] = {}
        for rows in _batches(requests, self.batch):
            found = self._answers(model, [requests[row] for row in rows])
            replies.update(zip(rows, found, strict=True))
        return [replies[row] for row in range(len(requests))]

    def _load(self) -> "_Model":
        torch, library = _libraries()
        from optimus_gym.core.devices import device_named

        device = device_named(self._device or None)
        dtype = self._dtype or ("float32" if device.type == "cpu" else "auto")
        local = os.path.isdir(self.model)
        given = {
            "revision": self._revision or "main",
            "local_files_only": local,
            "trust_remote_code": self._trust,
        }
        named = os.path.basename(os.path.realpath(self.model)) if local else self.model
        named += f"@{self._revision}" if self._revision else ""
        try:
            processor = library.AutoProcessor.from_pretrained(self.model, **given)
            with torch.random.fork_rng(devices=[]):
                network, told = library.AutoModelForImageTextToText.from_pretrained(
                    self.model, dtype=dtype, use_safetensors=True, output_loading_info=True, **given
                )
            if told["missing_keys"]:
                raise ValueError(
                    f"the model's files lack weights: {shown(sorted(told['missing_keys']))}"
                )
            network = network.eval().requires_grad_(False).to(device)
            return _Model(named, torch, processor, network)
        except Exception as error:
            raise BadValue(f"model: {self.model!r} cannot be loaded: {reason_of(error)}") from error

    def _answers(
        self, model: "_Model", requests: Sequence[Request], faults: tuple[str, ...] = ()
    ) -> list[Reply]:
        """Return the replies to a batch; halve the batch if memory runs out."""
        try:
            return model.answers(requests, self.max_tokens, faults)
        except model.torch.cuda.OutOfMemoryError as error:
            if len(requests) == 1:
                raise BadValue(
                    f"device: {model.network.device} has too little memory for one request of "
                    f"{len(requests[0].text)} characters and {len(requests[0].images)} pictures"
                ) from error
        model.torch.cuda.empty_cache()  # only now has the failed attempt released its arrays
        faults = (*faults, f"out of memory with {len(requests)} requests at once")
        half = len(requests) // 2
        parts = (requests[:half], requests[half:])
        return [reply for part in parts for reply in self._answers(model, part, faults)]


class _Model:
    """A loaded model.

    Args:
        name: the model's name in replies.
        torch: the module torch.
        processor: the library's processor of texts and pictures.
        network: the library's network.

    Raises:
        ValueError: the processor takes no pictures, or cannot pad.
    """

    def __init__(self, name: str, torch: Any, processor: Any, network: Any) -> None:
        tokenizer = getattr(processor, "tokenizer", None)
        if tokenizer is None or getattr(processor, "image_processor", None) is None:
            raise ValueError(
                "expected a model with a processor of texts and pictures, got one without"
            )
        if tokenizer.pad_token is None:
            if tokenizer.eos_token is None:
                raise ValueError(
                    "expected a tokenizer with a token for padding or for the end, got neither"
                )
            tokenizer.pad_token = tokenizer.eos_token
        tokenizer.padding_side = "left"
        self.name = name
        self.torch = torch
        self.network = network
        self._processor = processor
        self._tokenizer = tokenizer
        self._ends = self._settle()

    def _settle(self) -> frozenset[int]:
        """Set the network's generation to greedy decoding; return the tokens that end an answer."""
        settings = self.network.generation_config
        for name in (*SAMPLING, *PENALTIES, "max_length"):
            setattr(settings, name, None)
        settings.do_sample = settings.return_dict_in_generate = False
        settings.num_beams = settings.num_return_sequences = 1
        settings.pad_token_id = self._tokenizer.pad_token_id
        if settings.eos_token_id is None:
            settings.eos_token_id = self._tokenizer.eos_token_id
        ends = settings.eos_token_id
        return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])

    def answers(
        self, requests: Sequence[Request], max_tokens: int, faults: tuple[str, ...]
    ) -> list[Reply]:
        """Return the replies to requests that go through the network in one batch.

        Raises:
            BadValue: the model cannot take the requests.
            torch.cuda.OutOfMemoryError: the device runs out of memory.
        """
        begun = time.perf_counter()
        try:
            with self.torch.inference_mode():
                given = self._prepared(requests)
                made = self.network.generate(**given, max_new_tokens=max_tokens)
                rows = self._new(given["input_ids"], made).tolist()
        except self.torch.cuda.OutOfMemoryError:
            raise
        except Exception as error:
            kinds = ", ".join(sorted({request.kind for request in requests}))
            raise BadValue(
                f"model: {self.name} cannot answer ({kinds}): {reason_of(error)}"
            ) from error
        asked = given["attention_mask"].sum(1).tolist()
        seconds = time.perf_counter() - begun
        replies = []
        for request, row, tokens in zip(requests, rows, asked, strict=True):
            end = next((k for k, token in enumerate(row, 1) if token in self._ends), None)
            text = opens_thought(self._prompt(request)) + self._text(row[:end])
            cut = end is None and len(row) >= max_tokens
            replies.append(
                Reply(text, seconds, self.name, tokens, end or len(row), faults=faults, cut=cut)
            )
        return replies

    def _text(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens, without special tokens except the marks of thoughts."""
        special = set(self._tokenizer.all_special_ids)
        kept = [
            token
            for token in tokens
            if token not in special or is_mark(self._tokenizer.convert_ids_to_tokens(token) or "")
        ]
        text = self._tokenizer.decode(
            kept, skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return str(text)

    def _prepared(self, requests: Sequence[Request]) -> Any:
        """Return the network's inputs for a batch of requests, on the network's device."""
        prompts = [self._prompt(request) for request in requests]
        given: dict[str, Any] = {"text": prompts, "padding": True, "return_tensors": "pt"}
        begins = self._tokenizer.bos_token
        if begins is not None and prompts[0].startswith(begins):
            given["add_special_tokens"] = False  # the template has written them
        if requests[0].images:
            given["images"] = [[_picture(image) for image in one.images] for one in requests]
        made = self._processor(**given)
        return made.to(device=self.network.device, dtype=self.network.dtype)

    def _prompt(self, request: Request) -> str:
        """Return a request in the model's chat template, or as plain text if the model has none."""
        parts = request_parts(request)
        if getattr(self._processor, "chat_template", None) is not None:
            content = [
                {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"}
                for part in parts
            ]
            prompt = self._processor.apply_chat_template(
                [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
            )
            return str(prompt)
        token = str(getattr(self._processor, "image_token", None) or "")
        return "".join(part if isinstance(part, str) else token for part in parts)

    def _new(self, asked: Any, made: Any) -> Any:
        """Return the newly generated tokens: some networks repeat the prompt before them."""
        length = asked.shape[1]
        if self.network.config.is_encoder_decoder:
            return made[:, 1:]  # without the token with which a decoder begins
        repeated = made.shape[1] >= length and self.torch.equal(made[:, :length], asked)
        return made[:, length:] if repeated else made


def _batches(requests: Sequence[Request], most: int) -> Iterator[list[int]]:
    """Yield the indices of the requests in each batch."""
    for pictured in (False, True):
        rows = [k for k, request in enumerate(requests) if bool(request.images) == pictured]
        for start in range(0, len(rows), most):
            yield rows[start : start + most]


def _check_images(request: Request) -> None:
    for image in request.images:
        array = np.asarray(image)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or not array.size:
            raise BadValue(
                f"images: expected uint8[H, W, 3], got {array.dtype}{list(array.shape)} "
                f"(request of kind {request.kind!r})"
            )


def _picture(image: Pixels) -> Any:
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(image))


def _libraries() -> tuple[Any, Any]:
    """Return PyTorch and transformers.

    Raises:
        MissingExtra: a library is not installed, or transformers is too old.
    """
    try:
        import torch
        import transformers
        from transformers import AutoModelForImageTextToText, AutoProcessor  # noqa: F401
    except ImportError as error:
        raise MissingExtra("backbone 'transformers'", "mllm") from error
    return torch, transformers
