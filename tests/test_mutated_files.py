"""A sample of what `tools/mutate_files.py` tries: every changed file is refused or used without harm."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from tools.mutating.changes import change_bytes, change_json
from tools.mutating.kinds import KINDS
from tools.mutating.trial import changed_file, try_files

ROOT = Path(__file__).resolve().parents[1]
needs_proc = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="reads /proc")


SAMPLED = [name for name in KINDS if name not in ("vpt-options", "steve-1-prior", "mineclip")]
"""Kinds in the sample; the others are files of the same libraries."""


@needs_proc
def test_a_sample_of_changed_files_is_refused_or_used():
    asked = [word for name in SAMPLED for word in ("--kind", name)]
    run = subprocess.run(
        [sys.executable, "-m", "tools.mutate_files", *asked, "--count", "60"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    lines = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    assert list(lines) == SAMPLED
    for told in lines.values():
        assert told.startswith("60 files, ")
        assert " 0 findings; " in told
        assert " 0 refused" not in told
    unused = [name for name, told in lines.items() if " 0 accepted" in told]
    assert not unused, "some changes do not matter"


class Trap:
    """A kind of file with a faulty reader: each number causes a different harm."""

    def samples(self):
        return [b"whole 1", b"whole 2", b"whole 3", b"whole 4", b"whole 5"]

    def change(self, data, draws):
        return data.removeprefix(b"whole ")

    def use(self, path):
        data = path.read_bytes()
        harm = int(data) if len(data) == 1 else 0
        if harm == 1:
            raise ValueError("raw")
        if harm == 2:
            raise BadValue("own")
        if harm == 3:
            sum(range(10**8))
        if harm == 4:
            bytearray(b"x" * (300 * 2**20))
        if harm == 5:
            os.kill(os.getpid(), signal.SIGSEGV)


FOUND = {
    b"1": "raw error: ValueError: raw",
    b"2": "",
    b"3": r"takes \d+\.\d s",
    b"4": r"takes \d+ MB",
    b"5": "dies: SIGSEGV",
}


@needs_proc
def test_every_harm_is_found_and_the_remaining_files_are_tried():
    kind = Trap()
    outcomes = list(try_files(Trap, 0, range(10), 2))
    assert sorted(outcome.number for outcome in outcomes) == list(range(10))
    met = set()
    for outcome in outcomes:
        harm = changed_file(kind, kind.samples(), 0, outcome.number)
        met.add(harm)
        assert re.fullmatch(FOUND[harm], outcome.finding), (harm, outcome)
        assert outcome.answer == ("refused" if harm == b"2" else "accepted")
    assert met == set(FOUND)


def test_the_same_number_changes_a_file_in_the_same_way():
    kind = KINDS["suite"]()
    samples = kind.samples()
    files = [changed_file(kind, samples, 0, number) for number in range(30)]
    assert files == [changed_file(kind, samples, 0, number) for number in range(30)]
    assert len(set(files)) == 30
    assert files != [changed_file(kind, samples, 1, number) for number in range(30)]


def test_a_change_leaves_the_original_value_unchanged():
    value = {"a": [1, {"b": "text"}], "c": None}
    before = json.dumps(value)
    draws = np.random.default_rng(0)
    changed = {change_json(value, draws) for _ in range(200)}
    assert json.dumps(value) == before
    assert len(changed) > 150
    data = bytes(range(256))
    assert len({change_bytes(data, draws) for _ in range(200)}) > 150
