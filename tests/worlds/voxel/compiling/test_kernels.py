"""Processes share compiled kernels; damaged code is compiled again and never run."""

import os
import resource
import subprocess
import sys

import pytest

ONE_KERNEL = """
from optimus_gym.worlds.voxel.compiling.first_use import listening
compiled = []
with listening(compiled.append):
    from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
    assert 0.49 < sine(30.0) < 0.51
    assert 0.86 < cosine(30.0) < 0.87
print(sum(name.startswith("optimus_gym.") for name in compiled))
"""


def start(cache, before="", **options):
    return subprocess.Popen(
        [sys.executable, "-c", before + ONE_KERNEL],
        env={**os.environ, "OPTIMUS_GYM_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def compiled_in(process, warning=""):
    """Return how many kernels a process compiled; its only message contains `warning`."""
    output, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert warning in error
    assert bool(warning) == bool(error), error
    return int(output)


def code_files(cache):
    return sorted(cache.rglob("*.code"))


def test_parallel_processes_fill_one_cache_and_later_ones_compile_nothing(tmp_path):
    first = [start(tmp_path) for _ in range(3)]
    assert all(compiled_in(process) in (0, 1, 2) for process in first)
    assert compiled_in(start(tmp_path)) == 0
    assert len(code_files(tmp_path)) == 2


def test_earlier_use_of_numba_leaves_the_machine_code_the_same(tmp_path):
    used = "import numba; numba.njit(lambda: 1)()"
    assert compiled_in(start(tmp_path, before=used)) > 0
    assert compiled_in(start(tmp_path)) == 0


def flip(cosine, _sine):
    content = bytearray(cosine.read_bytes())
    for place in range(0, len(content), 1000):
        content[place] ^= 4
    cosine.write_bytes(content)


def swap(cosine, sine):
    content = cosine.read_bytes()
    cosine.write_bytes(sine.read_bytes())
    sine.write_bytes(content)


def zero(cosine, _sine):
    cosine.write_bytes(bytes(cosine.stat().st_size))


def empty(cosine, _sine):
    cosine.write_bytes(b"")


@pytest.mark.parametrize(("damage", "again"), [(flip, 1), (swap, 2), (zero, 1), (empty, 1)])
def test_damaged_code_is_compiled_again(tmp_path, damage, again):
    assert compiled_in(start(tmp_path)) == 2
    damage(*code_files(tmp_path))
    assert compiled_in(start(tmp_path)) == again
    assert compiled_in(start(tmp_path)) == 0


def no_room():
    """Let a process write no byte into any file, as on a full disk."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def test_kernels_run_on_a_full_disk_with_a_warning(tmp_path):
    process = start(tmp_path, preexec_fn=no_room)
    assert compiled_in(process, warning="compiled code cannot be kept for later starts") == 2
    assert not code_files(tmp_path)
    assert compiled_in(start(tmp_path)) == 2
