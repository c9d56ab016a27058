"""A request without one of its facts, to see whether the rules read the fact."""

from optimus_gym.backbones.rules import answer_to
from optimus_gym.prompts.lines import FACTS, facts_in


def without(text, name):
    """Return a request's text without the lines of one fact."""
    fact, lines = FACTS[name], text.split("\n")
    (place,) = (n for n, line in enumerate(lines) if line.startswith(fact.label))
    end = lines.index("", place) if fact.block else place + 1
    return "\n".join(lines[:place] + lines[end:])


def unread_facts(request):
    """Return the names of the request's facts whose removal leaves the rules' answer unchanged."""
    answer = answer_to(request.text)
    names = facts_in(request.text)
    return [name for name in names if answer_to(without(request.text, name)) == answer]
