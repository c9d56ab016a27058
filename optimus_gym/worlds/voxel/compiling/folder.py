"""The folder for machine code, which only the user may change, because the user's processes run the code.

An attacker who could write to the folder, or replace it, could run any code as the user who starts a world.
So only the user or the system may own the folder and its parents, and other users must not have permission to
write to them. A folder with the sticky bit that all users may write to, such as `/tmp`, is allowed as a
parent only.
"""

import atexit
import os
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from optimus_gym.core.errors import BadValue

CACHE_VARIABLE = "OPTIMUS_GYM_CACHE"
"""Environment variable that names the folder in which machine code is stored instead of the user's cache
folder."""
FOLDER = "kernels"
"""Name of the subfolder, in the cache folder, that holds the machine code."""
_NAME = "optimus-gym"


@cache
def cache_root() -> Path:
    """Return the folder for machine code; make it if necessary, owned by this user and with the mode 0700.

    The folder is the subfolder `kernels` of `$OPTIMUS_GYM_CACHE`; without this variable, of the user's cache
    folder. If the subfolder is unusable, the function takes a folder of the user's in the system's temporary
    folder. A warning says why a folder is unusable. If all folders to try are unusable, the result is a new
    temporary folder that is removed at the end of this process.

    Raises:
        BadValue: no folder is usable, and a new temporary folder cannot be made.
    """
    faults: list[str] = []
    for place in _places(faults):
        try:
            folder = own_folder(place / FOLDER)
        except OSError as error:
            faults.append(str(error))
            continue
        if faults:
            _warn(f"machine code is kept in {folder}", faults)
        return folder
    folder = _passing_folder(faults)
    _warn(f"machine code is kept in {folder} until this process ends, no longer", faults)
    return folder


def _places(faults: list[str]) -> Iterator[Path]:
    """Yield the folders to try for machine code, best first; add to `faults` why a path cannot be found."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        yield Path(chosen).absolute()
    else:
        try:
            usual = user_cache_path(_NAME)
        except RuntimeError as error:  # HOME is not set and the user has no entry
            faults.append(str(error))
        else:
            if usual.is_absolute():
                yield usual
            else:
                faults.append(f"expected an absolute cache folder, got {usual}; is HOME set?")
    if sys.platform != "win32":  # On Windows the temporary folder lies in the user's own folder.
        try:
            yield Path(tempfile.gettempdir()).absolute() / f"{_NAME}-{os.getuid()}"
        except OSError as error:
            faults.append(str(error))


def own_folder(folder: Path) -> Path:
    """Make a folder and its missing parents for the user alone; return the folder.

    Raises:
        OSError: the folder cannot be made or written to, or other users could write to it; the message
            says what is wrong.
    """
    for place in reversed((folder, *folder.parents)):
        if not os.path.lexists(place):
            place.mkdir(mode=0o700, exist_ok=True)
        _check_place(place)
    if folder.is_symlink() or not folder.is_dir() or _others_write(folder.lstat()):
        raise PermissionError(
            f"expected a folder, not a link, that other users cannot write into: {folder}"
        )
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _check_place(place: Path) -> None:
    """Check owner and permissions of one folder or link on a path; also check the target of a link.

    Raises:
        OSError: another user owns the folder or may replace its contents, or the link leads nowhere or to
            itself.
    """
    found = place.lstat()
    if sys.platform != "win32" and found.st_uid not in {0, os.getuid(), Path("/").stat().st_uid}:
        raise PermissionError(f"expected a folder that this user or the system owns: {place}")
    if stat.S_ISLNK(found.st_mode):
        place.stat()  # the system refuses links that lead to themselves
        target = place.parent / place.readlink()
        for one in reversed((target, *target.parents)):
            _check_place(one)
    elif _others_write(found) and not found.st_mode & stat.S_ISVTX:
        mode = stat.S_IMODE(found.st_mode)
        raise PermissionError(
            f"expected a folder that other users cannot write into (mode {mode:o}): {place}"
        )


def _others_write(found: os.stat_result) -> bool:
    """Return whether a file's mode lets other users write; false on Windows, where modes do not show this."""
    return sys.platform != "win32" and bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _passing_folder(faults: list[str]) -> Path:
    """Return a new folder that is removed when this process ends."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{_NAME}-"))
    except OSError as error:
        tried = "; ".join([*faults, str(error)])
        raise BadValue(
            f"{CACHE_VARIABLE}: expected a folder for machine code that can be written; tried: {tried}"
        ) from error
    maker = os.getpid()

    def remove() -> None:
        if os.getpid() == maker:  # A forked child must not remove the folder.
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    made = folder / FOLDER
    made.mkdir(mode=0o700)
    return made


def _warn(what: str, faults: list[str]) -> None:
    warnings.warn(f"optimus-gym: {what}: {'; '.join(faults)}", RuntimeWarning, stacklevel=3)
