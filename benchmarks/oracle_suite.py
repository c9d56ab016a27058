"""Play the tasks of a suite with the oracle in the embedded world; a row an episode, a table by group.

    python benchmarks/oracle_suite.py [--suite optimus-67] [--seeds 3] [--first 10000] [--protocol vanilla]
        [--time night] [--workers 2] [--tasks Diamond Wood ...] [--headlines] [--out FILE.jsonl]

Seeds are validation seeds unless `--first` names others; test seeds are refused.

The table's last column has what the player died of, and how often (where a protocol lets it go on, more
than once an episode).

The oracle is privileged: it reads the world itself. Episodes that the file has already are not played
again, so that a run may be stopped and continued. Ticks / 20 is game time; seconds are wall time, and
a worker's first episode loads the kernels.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path

import gymnasium as gym
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import wilson
from optimus_gym.game.conditions import TIMES
from optimus_gym.game.protocols import protocols
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.seeds import VALIDATION, refuse_test_seeds


@dataclass(frozen=True, slots=True)
class Job:
    """One episode to play."""

    task: str
    group: str
    seed: int
    protocol: str
    time: str
    """When it begins, a word of `optimus_gym.game.conditions.TIMES`; "" takes the protocol's."""


@dataclass(frozen=True, slots=True)
class Row:
    """One episode that was played."""

    task: str
    group: str
    seed: int
    protocol: str
    time: str
    status: str
    ticks: int
    replans: int
    seconds: float
    failures: tuple[str, ...]
    """Why sub-goals failed, in words, in their order."""
    deaths: tuple[str, ...]
    """What the player died of, each time."""

    @property
    def job(self) -> Job:
        """Return what was to be played."""
        return Job(self.task, self.group, self.seed, self.protocol, self.time)


def play(job: Job) -> Row:
    """Play one episode by following the plan to its end."""
    env = gym.make(f"Optimus-{job.task}-v0", protocol=job.protocol, resolution=(8, 8))
    begun = time.perf_counter()
    _, info = env.reset(seed=job.seed, options={"time": job.time} if job.time else None)
    failures, deaths = [], []
    over = info["status"] != "running"
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        deaths += [subject for kind, subject, _ in info["events"] if kind == "died"]
        if info["outcome"] != "reached":
            failures.append(f"{info['subgoal']}: {info['outcome']}")
    env.close()
    seconds = round(time.perf_counter() - begun, 2)
    played = (info["status"], info["ticks"], info["replans"], seconds)
    return Row(*asdict(job).values(), *played, tuple(failures), tuple(deaths))


def read(path: Path) -> list[Row]:
    """Return the rows of a file; none if there is no file.

    Raises:
        SystemExit: its rows are not of this version.
    """
    if not path.exists():
        return []
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    expected = {field.name for field in fields(Row)}
    for number, row in enumerate(found, 1):
        if set(row) != expected:
            told = f"expected the fields {sorted(expected)}, got {sorted(row)}"
            raise SystemExit(f"{path}, line {number}: {told}; name another file with --out")
    words = ("failures", "deaths")
    return [Row(**{**row, **{name: tuple(row[name]) for name in words}}) for row in found]


def play_all(jobs: Sequence[Job], workers: int) -> Iterator[Row]:
    """Yield the episodes as they end, with a bar of how many are left and how long they take."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
    )
    with Progress(*columns) as progress:
        bar = progress.add_task("episodes", total=len(jobs))
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        try:
            for future in as_completed([pool.submit(play, job) for job in jobs]):
                row = future.result()
                if row.status != "success":
                    why = "; ".join(row.failures) or "no sub-goal failed"
                    progress.console.print(f"{row.task} {row.seed} {row.status}: {why}")
                progress.advance(bar)
                yield row
        finally:
            pool.shutdown(cancel_futures=True)


def print_table(rows: Sequence[Row]) -> None:
    """Print a line a group: episodes, success rate with its interval, mean ticks over successes, deaths."""
    print(
        f"{'group':12} {'episodes':>8} {'success':>8}  {'95 % interval':17} {'ticks':>7} {'died':>5}"
        "  of"
    )
    for group in (*dict.fromkeys(row.group for row in rows), "all"):
        own = [row for row in rows if group in (row.group, "all")]
        done = [row.ticks for row in own if row.status == "success"]
        died = sum(row.status == "died" for row in own)
        low, high = wilson(len(done), len(own))
        mean = f"{sum(done) / len(done):7.0f}" if done else "      -"
        share = len(done) / len(own)
        line = f"{group:12} {len(own):8} {share:8.1%}  {low:6.1%} to {high:6.1%}  {mean} {died:5}"
        print(f"{line}  {causes(own)}".rstrip())


def causes(rows: Sequence[Row]) -> str:
    """Return what was died of and how often, the most frequent first."""
    counted = Counter(cause for row in rows for cause in row.deaths)
    return ", ".join(f"{cause} {count}" for cause, count in counted.most_common())


def main() -> None:
    """Play what the file lacks and print the table of all that was asked for."""
    parser = argparse.ArgumentParser(description="A suite with the oracle in the embedded world.")
    parser.add_argument("--suite", default=SUITES[0], choices=SUITES)
    parser.add_argument("--seeds", type=int, default=3, help="how many (default 3)")
    parser.add_argument("--first", type=int, default=VALIDATION.start, help="the first of them")
    parser.add_argument("--protocol", default="vanilla", choices=protocols())
    parser.add_argument("--time", default="", choices=TIMES, help="when episodes begin")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tasks", nargs="+", metavar="TASK", help="only these of the suite")
    parser.add_argument("--headlines", action="store_true", help="only the groups' headlines")
    parser.add_argument("--out", type=Path, help="default runs/SUITE-PROTOCOL.jsonl")
    parsed = parser.parse_args()
    seeds = range(parsed.first, parsed.first + parsed.seeds)
    try:
        refuse_test_seeds(seeds)
    except BadValue as error:
        parser.error(f"--first: {error}")
    known = tasks(parsed.suite)
    for name in parsed.tasks or ():
        if name not in known:
            parser.error(f"--tasks: {name!r} is no task of {parsed.suite}")
    chosen = [
        found
        for found in known.values()
        if (not parsed.tasks or found.id in parsed.tasks)
        and (found.headline or not parsed.headlines)
    ]
    jobs = [
        Job(found.id, found.group, seed, parsed.protocol, parsed.time)
        for seed in seeds
        for found in chosen
    ]
    out = parsed.out or Path("runs", f"{parsed.suite}-{parsed.protocol}.jsonl")
    out.parent.mkdir(parents=True, exist_ok=True)
    played = {row.job: row for row in read(out)}
    with out.open("a", encoding="utf-8") as file:
        for row in play_all([job for job in jobs if job not in played], parsed.workers):
            played[row.job] = row
            file.write(json.dumps(asdict(row)) + "\n")
            file.flush()
    order = {found.group: number for number, found in enumerate(chosen)}
    print_table(sorted((played[job] for job in jobs), key=lambda row: order[row.group]))


if __name__ == "__main__":
    main()
