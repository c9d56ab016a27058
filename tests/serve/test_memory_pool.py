"""All threads of a server take memory from one pool."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pools are glibc's")
COUNT_POOLS = """
import threading
from optimus_gym.serve.memory_pool import share_memory_pool
if {shares} and not share_memory_pool():
    raise SystemExit("another C library")
begun, held = threading.Barrier(9), []
def work():
    held.append([bytes(5_000) for _ in range(1_000)])
    begun.wait()
    begun.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
begun.wait()
starts = [int(line.split("-")[0], 16) for line in open("/proc/self/maps") if len(line.split()) == 5]
begun.wait()
print(sum(start % (64 << 20) == 0 for start in starts))
"""
"""Prints how many pools the threads have: each begins at a multiple of 64 MiB (glibc, `arena.c`)."""


def pools(shares):
    run = subprocess.run(
        [sys.executable, "-c", COUNT_POOLS.format(shares=shares)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "another C library" in run.stderr:
        pytest.skip("pools are glibc's")
    assert run.returncode == 0, run.stderr
    return int(run.stdout)


def test_threads_share_one_pool():
    assert pools(False) > 0
    assert pools(True) == 0
