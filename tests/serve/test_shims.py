"""The folder of shims: what is written, what is refused, and how a shell finds it."""

import os
import subprocess
from pathlib import Path

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.serve.shims import SHIM_MARK, shell_lines, write_shims

JAR = "minestudio/engine/build/libs/mcprec-6.13.jar"
FILES = ["bin/java", "java", JAR, "xvfb-run"]


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_shims_are_whole_and_may_be_written_again(tmp_path):
    root = write_shims(tmp_path / "new" / "shims")
    assert files_below(root) == FILES
    for name in FILES:
        runs = name != JAR
        assert (SHIM_MARK in (root / name).read_text()) is runs
        assert os.access(root / name, os.X_OK) is runs
    before = {name: (root / name).stat().st_mtime_ns for name in FILES}
    assert write_shims(root) == root
    assert {name: (root / name).stat().st_mtime_ns for name in FILES} == before


@pytest.mark.parametrize("name", ["shims", 'it\'s a "folder" $HOME'])
def test_a_shell_finds_the_shims(tmp_path, name):
    root = write_shims(tmp_path / name)
    asked = (
        "command -v java",
        "command -v xvfb-run",
        'echo "$JAVA_HOME"',
        'echo "$MINESTUDIO_DIR"',
    )
    script = "\n".join((*shell_lines(root), *asked))
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    places = [root / "java", root / "xvfb-run", root, root / "minestudio"]
    assert done.stdout.splitlines() == list(map(str, places))
    assert Path(places[3], "engine/build/libs/mcprec-6.13.jar").exists()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_nothing_is_overwritten(tmp_path, name, kind):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    if kind == "file":
        path.write_text("mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(elsewhere)
    with pytest.raises(
        BadValue, match=f"folder: expected no file {path}, got one of other content"
    ):
        write_shims(tmp_path)
    assert elsewhere.read_text() == "mine"
    assert path.is_dir() or path.read_text() == "mine"


def test_a_program_that_differs_in_one_letter_is_not_ours(tmp_path):
    root = write_shims(tmp_path)
    (root / "java").write_text((root / "java").read_text().replace("#!/bin/sh", "#!/bin/rc"))
    with pytest.raises(
        BadValue, match=r"folder: expected no file .*java, got one of other content"
    ):
        write_shims(root)
    assert (root / "java").read_text().startswith("#!/bin/rc")


def test_folders_that_cannot_hold_shims_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadValue, match="folder: expected a folder to write to"):
        write_shims(tmp_path / "file")
    with pytest.raises(BadValue, match=r"folder: expected a path without ':', got '.*a:b'"):
        write_shims(tmp_path / "a:b")
    assert files_below(tmp_path) == ["file"]


def test_a_relative_folder_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert write_shims("shims") == tmp_path / "shims"
