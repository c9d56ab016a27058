"""Change valid files at random, and report each file that is neither rejected nor used properly.

    python -m tools.mutate_files --count 1600             # this many files of every kind
    python -m tools.mutate_files --kind graph --only 17   # one file again, with its traceback

A finding is an error that is not the package's own, a hang, a wrong picture, or a process that dies or takes
too much memory. A file's number and the seed decide how it is changed. The exit status is 1 if there is a
finding. Needs Linux (`/proc`). The kinds of files are in `tools/mutating/kinds.py`.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tools.mutating.kinds import KINDS
from tools.mutating.trial import changed_file, try_files

SHOWN = 20
"""Largest number of findings that are printed for each kind of file."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Try files and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--kind", choices=tuple(KINDS), action="append", help="damage only files of this kind"
    )
    parser.add_argument("--count", type=int, default=100, help="files of each kind (default 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="number of processes (default 2)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="try one file, in this process")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="write the files with findings into FOLDER"
    )
    parsed = parser.parse_args(arguments)
    kinds = parsed.kind or list(KINDS)
    if parsed.only is not None:
        for name in kinds:
            _try_here(name, parsed.seed, parsed.only)
        return 0
    found = sum(
        _try_kind(name, parsed.seed, parsed.count, parsed.workers, parsed.keep) for name in kinds
    )
    return 1 if found else 0


def _try_here(name: str, seed: int, number: int) -> None:
    kind = KINDS[name]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(changed_file(kind, kind.samples(), seed, number))
        kind.use(path)
    print(f"{name} {number}: accepted")


def _try_kind(name: str, seed: int, count: int, workers: int, keep: Path | None) -> int:
    outcomes = list(try_files(KINDS[name], seed, range(count), workers))
    answers = Counter(outcome.answer for outcome in outcomes)
    found = sorted((o for o in outcomes if o.finding), key=lambda outcome: outcome.number)
    slowest = max(outcome.seconds for outcome in outcomes)
    largest = max(outcome.growth for outcome in outcomes) / 2**20
    print(
        f"{name}: {len(outcomes)} files, {answers['refused']} refused, {answers['accepted']} accepted, "
        f"{len(found)} findings; at most {slowest:.2f} s and {largest:.0f} MB"
    )
    for outcome in found[:SHOWN]:
        print(f"  {outcome.number}: {outcome.finding}")
    if keep is not None and found:
        kind = KINDS[name]()
        samples = kind.samples()
        keep.mkdir(parents=True, exist_ok=True)
        for outcome in found:
            data = changed_file(kind, samples, seed, outcome.number)
            (keep / f"{name}-{seed}-{outcome.number}").write_bytes(data)
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
