"""Parsers: errors in the package's own form, examples, and lists with blanks."""

import pytest

from optimus_gym.core.errors import OptimusError
from optimus_gym.terminal.parser import Parser, listed, number, whole, wholes


def made():
    parser = Parser(prog="tool", examples=("tool 3 --seed 1 \\\n    --fast",))
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--seed", type=whole)
    parser.add_argument("--error-scale", type=number)
    parser.add_argument("--seeds", type=wholes)
    parser.add_argument("--again", choices=("crashed",))
    parser.add_argument("--fast", action="store_true")
    return parser


BAD = [
    ((), "expected ID, got none; --help shows examples"),
    (("a", "b"), "expected no further argument, got 'b'"),
    (("a", "--sed", "3"), "unknown option '--sed'; did you mean '--seed', '--seeds'?"),
    (("a", "--see=3"), "unknown option '--see'; did you mean '--seed', '--seeds'?"),
    (("a", "--seed"), "seed: expected a value, got none"),
    (("a", "--seed", "x"), "seed: expected an integer, got 'x'"),
    (("a", "--seed", "9" * 5000), "seed: expected an integer, got '99"),
    (("a", "--error-scale", "x"), "error_scale: expected a number, got 'x'"),
    (("a", "--seeds", "1,x"), "seeds: expected an integer, got 'x'"),
    (("a", "--again", "crashd"), "again: expected one of 'crashed', got 'crashd'"),
    (("a", "--fast=3"), "fast: expected no value, got '3'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[" ".join(a)[:40] for a, _ in BAD])
def test_an_error_begins_with_the_arguments_name(arguments, message):
    with pytest.raises(OptimusError) as caught:
        made().parse_args(arguments)
    assert str(caught.value).startswith(message)


def test_the_error_for_an_unknown_command_or_option_suggests_the_nearest():
    parser = Parser(prog="tool")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("record").add_argument("--seed", type=whole)
    with pytest.raises(OptimusError, match="unknown command 'recrod'; did you mean 'record'"):
        parser.parse_args(["recrod"])
    with pytest.raises(OptimusError, match="unknown option '--seeds'; did you mean '--seed'"):
        parser.parse_args(["record", "--seeds", "1"])
    with pytest.raises(OptimusError, match="expected COMMAND, got none"):
        parser.parse_args([])


def test_help_ends_with_the_examples():
    lines = made().format_help().splitlines()
    assert lines[-3:] == ["examples:", "  tool 3 --seed 1 \\", "      --fast"]


def test_lists_may_contain_blanks():
    assert listed(" Wood,Stone , Iron") == ("Wood", "Stone", "Iron")
    assert listed(" , ") == ()
    assert wholes("1, 2 ,3") == (1, 2, 3)
