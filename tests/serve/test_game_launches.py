"""Command lines of java and xvfb-run, as the clients' launching scripts write them."""

from pathlib import Path

import pytest

from optimus_gym.serve.game_launches import command_under_display, launch_port

GRADLE = ("-Dorg.gradle.appname=gradlew", "-classpath", "/m/gradle/wrapper/gradle-wrapper.jar")
GRADLE = (*GRADLE, "org.gradle.wrapper.GradleWrapperMain")
MOD = ("-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", "../build/libs/MalmoMod-0.37.0-fat.jar")


@pytest.fixture
def run_folder(tmp_path):
    """The game's folder of MineRL 0.4.4, with the settings that its launching script writes."""
    run = tmp_path / "run"
    (run / "config").mkdir(parents=True)
    lines = ("malmoports {", "  I:portOverride=9123", "}", "malmoscore {", "  I:policy=0", "}")
    (run / "config/malmomodCLIENT.cfg").write_text("\n".join(lines))
    return run


@pytest.mark.parametrize("options", [("-Xmx4G",), ("-Xmx2G", "-XstartOnFirstThread"), ()])
def test_the_port_of_newer_games_is_an_option(options, tmp_path):
    command = [*options, "-jar", "build/libs/mcprec-6.13.jar", "--envPort=9001"]
    assert launch_port(command, tmp_path) == 9001


def test_the_port_of_a_built_old_game_is_in_its_settings(run_folder):
    assert launch_port(MOD, run_folder) == 9123
    assert launch_port(MOD, run_folder.parent) is None


def test_the_port_of_an_old_game_under_gradle_is_in_its_settings(run_folder):
    task = [*GRADLE, "runClient", "--stacktrace", "-Pjvm_debug_port=0"]
    assert launch_port([*task, f"-PrunDir={run_folder}"], Path("/")) == 9123
    assert launch_port([*task, "-PrunDir=run"], run_folder.parent) == 9123
    assert launch_port(task, run_folder.parent) == 9123


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("-version",),
        ("-jar", "other.jar"),
        (*GRADLE, "setupDecompWorkspace"),
        ("-jar", "mcprec-6.13.jar", "--envPort=sixty"),
        ("-jar", "mcprec-6.13.jar", "--envPort=65536"),
        ("-jar", "mcprec-6.13.jar", "--envPort="),
    ],
)
def test_other_command_lines_launch_no_game(command, run_folder):
    assert launch_port(command, run_folder) is None


@pytest.mark.parametrize("port", ["", "x", "-1", "99999", "123456", "9001 I:other=2"])
def test_settings_without_a_port_launch_no_game(port, run_folder):
    (run_folder / "config/malmomodCLIENT.cfg").write_text(f"  I:portOverride={port}\n")
    assert launch_port(MOD, run_folder) is None


def test_settings_that_are_no_text_launch_no_game(run_folder):
    (run_folder / "config/malmomodCLIENT.cfg").write_bytes(b"\xff\x00" * 99)
    assert launch_port(MOD, run_folder) is None
    (run_folder / "config/malmomodCLIENT.cfg").unlink()
    (run_folder / "config/malmomodCLIENT.cfg").mkdir()
    assert launch_port(MOD, run_folder) is None


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ("-a java -jar a.jar", "java -jar a.jar"),
        ("--server-num 7 -f x python a.py -s b", "python a.py -s b"),
        ("--server-args=-ac java", "java"),
        ("-a -- -odd", "-odd"),
        ("-a -s", ""),
        ("", ""),
    ],
)
def test_xvfb_runs_own_options_are_left_out(arguments, command):
    assert command_under_display(arguments.split()) == command.split()
