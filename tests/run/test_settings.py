"""One parser of options for all commands: parts by name or JSON, `--set`, near names in errors."""

import pytest

from optimus_gym.core.errors import BadValue, OptimusError
from optimus_gym.envs.config import EnvConfig
from optimus_gym.run import cli
from optimus_gym.run.options import add_reply_options, add_setting_options
from optimus_gym.run.settings import asked, check_id, subgoal_id
from optimus_gym.terminal.parser import Parser


def told(*arguments):
    parser = Parser()
    add_setting_options(parser)
    add_reply_options(parser)
    return asked(parser.parse_args(arguments))


OPENAI = {"name": "openai", "model": "m", "timeout": 20}
SAME = {
    "JSON": ("--backbone", '{"name": "openai", "model": "m", "timeout": 20}'),
    "a name and options": ("--backbone", "openai", "--model", "m", "--set", "backbone.timeout=20"),
    "a name with its source": ("--backbone", "openai:m", "--set", "backbone.timeout=20"),
    "JSON and options": ("--backbone", '{"name": "openai", "timeout": 20}', "--model", "m"),
}


@pytest.mark.parametrize("arguments", SAME.values(), ids=SAME)
def test_several_ways_of_naming_a_part_mean_the_same(arguments):
    assert told(*arguments).given == {"backbone": OPENAI}


def test_no_arguments_give_no_settings():
    nothing = told()
    assert (nothing.given, nothing.settings, nothing.start) == ({}, {}, {})


def test_options_without_a_part_belong_to_the_default_part():
    aligner = {"name": "mini", "threads": 2}
    assert told("--set", 'agent.aligner={"name": "mini", "threads": 2}').given == {
        "agent": {"name": EnvConfig.agent, "aligner": aligner}
    }


def test_error_scale_and_record_wrap_the_backbone():
    given = told(*SAME["a name and options"], "--error-scale", "2", "--record", "a.jsonl").given
    erring = {"name": "fallible", "backbone": OPENAI, "scale": 2.0}
    assert given["backbone"] == {"name": "replay", "source": "a.jsonl", "backbone": erring}
    assert told("--error-scale", "1").given["backbone"]["backbone"] == "rules"


def test_values_are_json_or_texts():
    found = told(
        "--set", "resolution=[64, 48]", "--set", "biome=plains", "--set", "discount=0.5",
        "--set", "device=NaN", "--start", "time=night", "--memory", "a folder",
    )  # fmt: skip
    assert found.settings == {
        "resolution": [64, 48], "biome": "plains", "discount": 0.5, "device": "NaN",
    }  # fmt: skip
    assert found.start == {"time": "night"}
    assert found.given == {"memory": "a folder"}


BAD = [
    (("--set", "agnt.every=20"), "unknown part 'agnt'; did you mean 'agent'?"),
    (("--set", "aligner.threads=2"), "unknown part 'aligner'; expected one of 'agent', 'backbone'"),
    (("--set", "resolutoin=3"), "unknown setting 'resolutoin'; did you mean 'resolution'?"),
    (("--set", "world=symbolic"), "set: world: expected --world 'symbolic'"),
    (("--set", "memory=x"), "set: memory: expected --memory 'x'"),
    (("--set", "ticks"), "set: expected NAME=VALUE, got 'ticks'"),
    (("--set", "ticks=1", "--set", "ticks=2"), "ticks: expected a value once, got it twice"),
    (("--set", "resolution=[64, 48"), "expected a whole JSON text: .* .resolution."),
    (("--agent", '{"name": "optimus-1"'), "expected a whole JSON text: .* .agent."),
    (("--agent", '{"every": 20}'), 'agent: expected {"name": …, option: value, …}, got'),
    (("--world", "voxl"), "unknown world 'voxl'; did you mean 'voxel'?"),
    (("--backbone", "openai:m", "--model", "n"), "model: expected a value once, got it twice"),
    (("--model", "m"), "expected --backbone NAME with model, got none"),
    (
        ("--replay", "a", "--error-scale", "1"),
        "replay: expected --replay without error_scale, got both",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[" ".join(a) for a, _ in BAD])
def test_errors_for_bad_settings_suggest_the_nearest_name(arguments, message):
    with pytest.raises(OptimusError, match=message):
        told(*arguments)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("diamnd", "'Optimus-Diamond-v0'"),
        ("CraftStoneSwrd", "'Optimus-CraftStoneSword-v0'"),
        ("Optimus-Diamnd-v0", "'Optimus-Diamond-v0'"),
        ("Optimus-Diamond", "'Optimus-Diamond-v0'"),
    ],
)
def test_the_error_for_a_misspelt_environment_suggests_the_nearest(name, meant):
    with pytest.raises(ValueError, match=f"unknown environment '{name}'; did you mean .*{meant}"):
        check_id(name)


def test_run_takes_a_tasks_name_and_record_needs_a_view():
    assert subgoal_id("Diamond") == subgoal_id("Optimus-Diamond-v0") == "Optimus-Diamond-v0"
    assert subgoal_id("Optimus-v0") == "Optimus-v0"
    with pytest.raises(BadValue, match="the sub-goal view, 'Optimus-Wood-v0', got 'OptimusFlat-"):
        subgoal_id("OptimusFlat-Wood-v0")
    assert check_id("OptimusFlat-Wood-v0") == "OptimusFlat-Wood-v0"
    with pytest.raises(
        BadValue, match=r"expected a view of the task, .*'OptimusControl-Diamond-v0'"
    ):
        check_id("Diamond")


def test_an_argument_given_twice_is_refused(capsys):
    wood = ("run", "Optimus-Wood-v0", "--world", "symbolic")
    for given, why in (
        (
            ("--set", "info=numbers"),
            "set: info: expected another argument; `run` sets this one itself",
        ),
        (("--ticks", "9", "--set", "ticks=9"), "ticks: expected --ticks or --set ticks="),
        (
            ("--resolution", "9x9", "--set", "resolution=[9,9]"),
            "resolution: expected --resolution or --set resolution=",
        ),
        (("--set", "start={}"), "set: start: expected --start NAME=VALUE"),
    ):
        assert cli.main([*wood, *given]) == 2
        assert why in capsys.readouterr().err


def test_evaluate_and_record_take_size_and_budget_as_run_does():
    found = told("--resolution", "64x48", "--ticks", "9", "--crafting", "gui")
    assert found.settings == {"resolution": (64, 48), "ticks": 9, "crafting": "gui"}


def test_run_takes_settings_reset_options_and_options_of_parts(capsys):
    status = cli.main(
        ["run", "Optimus-v0", "--world", '{"name": "symbolic", "failures": 0.0}',
         "--set", 'task={"item": "crafting_table"}', "--set", "agent.max_replans=0",
         "--start", 'inventory={"oak_log": 1}']
    )  # fmt: skip
    out = capsys.readouterr().out
    assert status == 0
    assert "plan, 2 sub-goals:" in out
    assert "mine" not in out


def test_a_setting_without_a_name_raises_bad_value():
    with pytest.raises(BadValue):
        told("--set", "=3")
