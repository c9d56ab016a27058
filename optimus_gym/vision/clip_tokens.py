"""Converts texts to CLIP's tokens, which MineCLIP's text tower reads.

A text becomes a token for the beginning, up to 75 tokens, a token for the end, and zeros up to
a length of 77.
"""

import gzip
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, MissingExtra, shown

CONTEXT: Final = 77
BEGIN: Final = 49_406
END: Final = 49_407
"""The token for a text's end, the largest token; the text tower's output at this token is the text's
features."""
WORD_END: Final = "</w>"
TEXT_PARTS: Final = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
"""Pattern of the parts into which a text is split before byte-pair merging."""


def tokens_of(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the tokens of texts (int64[n, 77]); tokens after a text's 75th are left out.

    Raises:
        BadValue: the list is empty, or an entry is empty or no string.
        MissingExtra: the tokenizer's library is not installed.
    """
    if isinstance(texts, str) or not texts:
        raise BadValue(f"texts: expected a list of at least one text, got {shown(texts)}")
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise BadValue(f"text: expected words, got {shown(text)}")
    found = np.zeros((len(texts), CONTEXT), np.int64)
    for row, encoded in zip(found, encoder().encode_batch(list(texts)), strict=True):
        ids = [BEGIN, *encoded.ids[: CONTEXT - 2], END]
        row[: len(ids)] = ids
    return found


@cache
def encoder() -> Any:
    """Return the tokenizer, which is made at the first call.

    Raises:
        MissingExtra: the tokenizer's library is not installed.
    """
    try:
        from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
    except ImportError as error:
        raise MissingExtra("CLIP's tokenizer", "torch") from error
    packed = files("optimus_gym.vision.data").joinpath("clip_merges.txt.gz").read_bytes()
    pairs = [line.split(" ") for line in gzip.decompress(packed).decode().splitlines()]
    merges = [(first, second) for first, second in pairs]
    signs = list(_byte_signs())
    words = [*signs, *(f"{sign}{WORD_END}" for sign in signs), *(a + b for a, b in merges)]
    model = models.BPE(
        vocab={word: k for k, word in enumerate(words)},
        merges=merges,
        end_of_word_suffix=WORD_END,
    )
    made = Tokenizer(model)
    made.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(TEXT_PARTS), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return made


def _byte_signs() -> Sequence[str]:
    """Return the characters that stand for bytes, in the order of their tokens: visible characters first."""
    seen = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    others = [byte for byte in range(256) if byte not in seen]
    return [*map(chr, seen), *(chr(256 + k) for k in range(len(others)))]
