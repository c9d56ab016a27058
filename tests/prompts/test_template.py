"""A prompt takes exactly the values that its places name."""

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.prompts.template import render


def test_a_prompt_with_a_missing_or_spare_value_is_an_error():
    with pytest.raises(BadValue, match="expected values for answer, problems, request"):
        render(MIND_PROMPTS, "correct", {"request": "", "answer": ""})
    with pytest.raises(BadValue, match="got answer, extra"):
        render(
            MIND_PROMPTS, "correct", dict.fromkeys(("request", "answer", "problems", "extra"), "")
        )
    with pytest.raises(UnknownName, match="unknown prompt 'plna'"):
        render(MIND_PROMPTS, "plna", {})
