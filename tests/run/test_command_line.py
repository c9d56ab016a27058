"""Every option has a help text, one meaning in all commands, and examples can be parsed."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from optimus_gym.baselines import behaviour_cloning, dqn_subgoals, ppo_flat
from optimus_gym.run.cli import make_parser
from optimus_gym.run.settings import asked

OWN_TEXT = {
    "--out": "each command writes something else",
    "--seed": "`run` plays one episode, `ppo_flat` validates",
    "--episodes": "of each task, of each policy, or in all",
    "--steps": "of a measurement, or of a training",
    "--discount": "of a step, which is a tick in `dqn_subgoals`",
    "--rows": "in each process, or in a training",
    "--learning-rate": "the two algorithms have different schedules",
    "--batch": "steps, or lanes",
    "--suite": "`evaluate` plays it, `list` lists it",
    "--epochs": "of self-evolution, or passes of an algorithm",
    "--rounds": "of a measurement",
    "--tasks": "`evaluate` plays them, `learn` chooses among them",
    "--count": "pieces of an item, or experiences",
    "--item": "`teach` adds the ways to it, `search` searches for them",
    "--aligner": "of a memory's vectors, or of a training's goals",
    "--worlds": "clients at the same time, or of a training",
    "--world": "of the episodes, or of a trial",
    "--backbone": "of the agent that plays, or of the agent on trial",
}
"""Options of several commands whose texts may differ, and why."""


def within(name, parser):
    """Yield the name and parser of a command and of its verbs."""
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb, one in action.choices.items():
                yield from within(f"{name} {verb}", one)


def parsers():
    """Yield the name and parser of each command."""
    yield from within("optimus-gym", make_parser())
    for module in (ppo_flat, behaviour_cloning, dqn_subgoals):
        yield f"python -m {module.__name__}", module.COMMAND.parser()


PARSERS = dict(parsers())
each_parser = pytest.mark.parametrize("name", PARSERS)


def arguments_of(parser):
    """Return the arguments of a parser other than --help, --version and its commands."""
    return [
        one
        for one in parser._actions
        if one.dest not in ("help", "version") and not isinstance(one, argparse._SubParsersAction)
    ]


def text_of(argument):
    """Return an argument's help without its default."""
    return re.sub(r" \(default: .*", "", argument.help)


@each_parser
def test_every_argument_has_a_help_text_with_its_default(name):
    for argument in arguments_of(PARSERS[name]):
        assert argument.help, argument.dest
        assert len(argument.help.split()) > 2, argument.dest
        assert argument.help[0].islower() or argument.help[:4] == "VPT'", argument.help
        assert not argument.help.endswith("."), argument.help
        if argument.option_strings:
            assert re.search(r"\((default: .*|required)\)$", argument.help), argument.help


@each_parser
def test_the_default_in_a_help_text_is_the_parsers_default(name):
    for argument in arguments_of(PARSERS[name]):
        told = re.search(r"\(default: (-?\d[\d.,e-]*)\)$", argument.help or "")
        if told and argument.default is not None:
            found = argument.default
            shown = ",".join(map(str, found)) if isinstance(found, tuple) else str(found)
            assert told[1] == shown, argument.help


def test_an_option_has_the_same_form_in_all_commands():
    known = {}
    for name, parser in PARSERS.items():
        for argument in arguments_of(parser):
            for option in argument.option_strings:
                form = (argument.dest, type(argument), argument.nargs)
                kind = re.sub(r"\..*", "", str(argument.metavar))
                same = known.setdefault(option, (name, argument, form))
                assert form == same[2], (option, name, same[0])
                if option != "--out":
                    assert kind == re.sub(r"\..*", "", str(same[1].metavar)), (option, name)
                    read = {argument.type, same[1].type} - {None, str, Path}
                    assert len(read) < 2, (option, name)
                if option not in OWN_TEXT:
                    assert text_of(argument) == text_of(same[1]), (option, name, same[0])


@each_parser
def test_every_example_can_be_parsed(name):
    parser = PARSERS[name]
    assert parser.examples
    assert "examples:" in parser.format_help()
    for example in parser.examples:
        words = shlex.split(example.replace("\\\n", ""))
        head = name.split()
        assert words[: len(head)] == head, example
        if head[0] == "python":
            parser.parse_args(words[len(head) :])
        else:
            parsed = make_parser().parse_args(words[1:])
            if hasattr(parsed, "settings"):
                asked(parsed)


def test_two_options_have_different_help_texts():
    known = {}
    for parser in PARSERS.values():
        for argument in arguments_of(parser):
            if argument.option_strings and argument.help:
                name = known.setdefault(text_of(argument), argument.option_strings[0])
                assert name == argument.option_strings[0], argument.help
