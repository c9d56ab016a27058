"""Machine code lies in folders that only their user can write, or in one that ends with the process."""

import os
import stat
import subprocess
import sys

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.compiling import folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
STRANGER = 54_321


@pytest.fixture
def give_away(monkeypatch):
    """Return a function that gives a folder to another user: really as root, else by a changed user id."""

    def give(path):
        if os.getuid() == 0:
            os.lchown(path, STRANGER, STRANGER)
        else:
            monkeypatch.setattr(folder.os, "getuid", lambda: STRANGER)

    return give


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Let `tmp_path` be the temporary folder, with the rights of /tmp."""
    place = tmp_path / "tmp"
    place.mkdir()
    place.chmod(0o1777)
    monkeypatch.setattr(folder.tempfile, "gettempdir", lambda: str(place))
    monkeypatch.setattr(folder.tempfile, "tempdir", str(place))
    return place


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_missing_folders_are_made_for_the_user_alone(tmp_path):
    old = os.umask(0)
    try:
        made = folder.own_folder(tmp_path / "a/b/c")
    finally:
        os.umask(old)
    for place in (made, *made.parents[:2]):
        assert mode(place) == 0o700, place


@pytest.mark.parametrize("links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "a/b"}])
def test_circular_links_are_rejected(tmp_path, temporary, monkeypatch, links):
    for name, target in links.items():
        (tmp_path / name).symlink_to(tmp_path / target)
    with pytest.raises(OSError, match=r"[Ss]ymbolic links"):
        folder.own_folder(tmp_path / "a" / folder.FOLDER)
    monkeypatch.setenv(folder.CACHE_VARIABLE, str(tmp_path / "a"))
    with pytest.warns(RuntimeWarning, match=f"{tmp_path}/a"):
        assert folder.cache_root.__wrapped__().is_relative_to(temporary)


def link_at_the_end(place, _):
    place.rename(place.parent / "elsewhere")
    place.symlink_to(place.parent / "elsewhere")


def link_to_what_others_write(place, _):
    place.rename(place.parent / "elsewhere")
    (place.parent / "elsewhere").chmod(0o777)
    place.symlink_to(place.parent / "elsewhere")


def group_may_write(place, _):
    place.chmod(0o770)


def others_may_write(place, _):
    place.chmod(0o707)


def stranger_has_it(place, give_away):
    give_away(place)


FAULTS = (link_to_what_others_write, group_may_write, others_may_write, stranger_has_it)


@pytest.mark.parametrize("fault", [*FAULTS, link_at_the_end])
def test_a_folder_that_others_could_fill_is_rejected(tmp_path, give_away, fault):
    place = folder.own_folder(tmp_path / "above/code")
    fault(place, give_away)
    with pytest.raises(OSError, match=r"code|elsewhere"):
        folder.own_folder(place)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_folder_that_others_could_replace_is_rejected(tmp_path, give_away, fault):
    place = folder.own_folder(tmp_path / "above/code")
    fault(place.parent, give_away)
    with pytest.raises(OSError, match=r"above|elsewhere"):
        folder.own_folder(place)


def test_the_users_own_link_in_the_path_is_followed(tmp_path):
    place = folder.own_folder(tmp_path / "above/code")
    link_at_the_end(place.parent, None)
    assert folder.own_folder(place) == place


def test_a_folder_that_all_can_write_may_hold_the_cache_but_not_be_the_cache(tmp_path, temporary):
    assert folder.own_folder(temporary / "code").is_dir()
    with pytest.raises(PermissionError, match="other users cannot write"):
        folder.own_folder(temporary)


def test_a_file_in_place_of_the_folder_is_rejected(tmp_path):
    (tmp_path / "code").write_text("no folder")
    with pytest.raises(OSError, match="code"):
        folder.own_folder(tmp_path / "code")


def test_an_unsafe_chosen_folder_gives_way_to_a_temporary_one_with_a_warning(
    tmp_path, temporary, monkeypatch
):
    monkeypatch.setenv(folder.CACHE_VARIABLE, str(folder.own_folder(tmp_path / "chosen")))
    (tmp_path / "chosen").chmod(0o777)
    with pytest.warns(RuntimeWarning, match=r"kept in .*mode 777.*chosen"):
        root = folder.cache_root.__wrapped__()
    assert root == temporary / f"optimus-gym-{os.getuid()}" / folder.FOLDER
    assert mode(root) == 0o700


def test_a_safe_chosen_folder_is_used_without_a_warning(tmp_path, monkeypatch, recwarn):
    monkeypatch.setenv(folder.CACHE_VARIABLE, str(tmp_path / "chosen"))
    assert folder.cache_root.__wrapped__() == tmp_path / "chosen" / folder.FOLDER
    assert not recwarn


PASSING = """
from optimus_gym.worlds.voxel.compiling.folder import cache_root
root = cache_root()
(root / "file").write_text("code")
print(root)
"""


def run(code, tmp_path, **variables):
    """Return a finished process that ran some code; None removes a variable."""
    wanted = {**os.environ, "TMPDIR": str(tmp_path), **variables}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={name: value for name, value in wanted.items() if value is not None},
        capture_output=True,
        text=True,
        check=True,
    )


def test_a_planted_temporary_folder_gives_way_to_one_that_ends_with_the_process(
    tmp_path,
):
    planted = tmp_path / f"optimus-gym-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    (tmp_path / "chosen").write_text("no folder")
    done = run(PASSING, tmp_path, OPTIMUS_GYM_CACHE=str(tmp_path / "chosen"))
    assert "until this process ends" in done.stderr
    assert str(planted) in done.stderr
    assert done.stdout.startswith(str(tmp_path / "optimus-gym-"))
    assert not list(planted.iterdir())
    assert sorted(tmp_path.iterdir()) == sorted((planted, tmp_path / "chosen"))


UNKNOWN_USER = """
import pwd
def unknown(number):
    raise KeyError(number)
pwd.getpwuid = unknown
"""


def test_a_user_without_home_and_password_entry_gets_the_temporary_folder(tmp_path):
    nothing = {"HOME": None, "XDG_CACHE_HOME": None, "OPTIMUS_GYM_CACHE": None}
    done = run(UNKNOWN_USER + PASSING, tmp_path, **nothing)
    assert done.stdout.strip() == str(tmp_path / f"optimus-gym-{os.getuid()}" / folder.FOLDER)
    assert "machine code is kept in" in done.stderr


def test_an_error_says_that_no_folder_can_be_written(tmp_path, temporary, monkeypatch):
    taken = tmp_path / "file"
    taken.write_text("no folder")
    monkeypatch.setenv(folder.CACHE_VARIABLE, str(taken))
    monkeypatch.setattr(folder.tempfile, "gettempdir", lambda: str(taken))
    monkeypatch.setattr(folder.tempfile, "tempdir", str(taken))
    with pytest.raises(BadValue, match="expected a folder for machine code that can be written"):
        folder.cache_root.__wrapped__()
