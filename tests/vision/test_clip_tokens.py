"""CLIP's tokens agree with published examples, and bad texts are refused."""

import gzip
import hashlib
from importlib.resources import files

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.game.items import items
from optimus_gym.game.tasks import SUITES, tasks

pytest.importorskip("tokenizers")
from optimus_gym.vision.clip_tokens import BEGIN, CONTEXT, END, tokens_of


def test_tokens_agree_with_published_examples():
    """As in the examples of CLIP's own notebook and of Hugging Face's documentation."""
    (row,) = tokens_of(["hello world"])
    assert row[:4].tolist() == [BEGIN, 3306, 1002, END]
    assert (row[4:] == 0).all()
    (photo,) = tokens_of(["a photo of a cat"])
    assert photo[:7].tolist() == [BEGIN, 320, 1125, 539, 320, 2368, END]


def test_case_and_spaces_do_not_count():
    first, second = tokens_of(["Chop  a\ttree", "chop a tree"])
    assert np.array_equal(first, second)


def test_a_long_text_ends_at_its_75th_token():
    (row,) = tokens_of(["a " * 200])
    assert row.shape == (CONTEXT,)
    assert row[-1] == END
    assert (row[1:-1] == 320).all()


def test_the_tokens_of_all_names_and_instructions_stay_the_same():
    texts = [name.replace("_", " ") for name in items()]
    texts += [task.instruction for suite in SUITES for task in tasks(suite).values()]
    texts += ["ÀÉ 12 日本 😀", "don't (x2)!", "1234567 §$%&"]
    found = tokens_of(texts)
    assert (found.argmax(1) == (found != 0).sum(1) - 1).all()
    assert hashlib.sha256(found.tobytes()).hexdigest() == GOLDEN


def test_the_merges_have_clips_number_and_first_line():
    packed = files("optimus_gym.vision.data").joinpath("clip_merges.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    assert len(lines) == len(set(lines)) == 49_408 - 512 - 2
    assert lines[0] == "i n"


@pytest.mark.parametrize("texts", [[], "a tree", [""], ["a tree", "  "], [3]])
def test_bad_texts_are_refused(texts):
    with pytest.raises(BadValue, match="text"):
        tokens_of(texts)


GOLDEN = "57cd4f88879cd4d4b413c91ef908f95205ba4486cc8246804a002cfea51ed764"
"""Hash of the tokens that CLIP's own code makes of the texts."""
