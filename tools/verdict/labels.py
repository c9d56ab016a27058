"""Compare labels given in hindsight with labels that use the predicaments which the world reports.

    python -m tools.verdict.labels --work DIR [--episodes 60] [--workers 1]

An unreliable controller plays the episodes (`tools.verdict.play`), on training seeds of their own. One moment
of each second of a sub-goal (a look) gets a label in hindsight and a label with the world's help. The agent
reads a screen at the beginning of a sub-goal, every 200 ticks and at its end. The counts of an episode stay
in DIR: a later run reads them.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision, Outcome, Verdict
from optimus_gym.core.files import write_whole
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.intervals import DRAWS, PERCENTILES
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.minds.hindsight import Label, SubGoalState, labels_in
from optimus_gym.minds.reflecting import NoReflector
from tools.verdict.places import EVERY, Places
from tools.verdict.play import episode, switches

FIRST: Final = 434_000
"""First seed, in a part of the training range that nothing else uses."""
PERIOD: Final = 20
"""Ticks from one look at the screen to the next."""
SEEN: Final = ("in_water", "danger")
"""Predicaments that both the vitals and the world itself report."""


class Comparing(Optimus1):
    """Optimus-1 without reflections that counts how often both kinds of labels agree.

    Attributes:
        counts: numbers of looks and sub-goals, by name.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(labels="truth", eyes="none", **options)
        self.counts: Counter[str] = Counter()
        self._places: dict[int, Places] = {}

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment."""
        super().attach(setting)
        self.reflector = NoReflector()
        self.period = PERIOD

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Note a look before the next sub-goals."""
        for one in situations:
            self._places[one.row] = Places(self.aligner, EVERY // PERIOD)
            self._note(one, SubGoalState(one.tick))
        return super().decide(situations)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Note a look, and let all sub-goals continue."""
        for one in situations:
            self._note(one, SubGoalState(one.tick, one.gained, one.consumed))
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Count the looks of sub-goals that have ended."""
        super().ended(outcomes)
        for outcome in outcomes:
            self.counts += counted(outcome, self._places[outcome.row].end(outcome))

    def _note(self, one: Situation, look: SubGoalState) -> None:
        """Note a look, with vitals, height and the world's predicaments."""
        asked = self._setting.predicaments
        assert asked is not None, "the agent is privileged, and the world tells"
        look = look._replace(vitals=one.vitals, told=asked(one.row), height=one.height)
        self._places[one.row].add(look, one.pov)


def counted(outcome: Outcome, looks: Sequence[SubGoalState]) -> Counter[str]:
    """Return counts that compare both kinds of labels over a sub-goal's looks after the first."""
    counts: Counter[str] = Counter()
    blind = labels_in(outcome, [look._replace(told=None) for look in looks])
    true = labels_in(outcome, looks)
    failed = outcome.failure is not None
    counts["sub-goals"] += 1
    counts["failed sub-goals"] += failed
    decides = failed and true != blind
    counts["failed sub-goals that the world labels otherwise"] += decides
    for mine, whole, look in list(zip(blind, true, looks, strict=True))[1:]:
        told = look.told or frozenset()
        old: Label = Label("REPLAN") if failed else mine
        counts["looks"] += 1
        counts["labels agree"] += mine.judgement == whole.judgement
        counts["labels of old agree"] += old.judgement == whole.judgement
        if not failed:
            continue
        counts["failed: looks"] += 1
        counts["failed: labels agree"] += mine.judgement == whole.judgement
        counts["failed: labels of old agree"] += old.judgement == whole.judgement
        counts[f"failed: {whole.judgement} by the world"] += 1
        counts[f"failed: {mine.judgement} in hindsight"] += 1
        if "REPLAN" == mine.judgement == whole.judgement:
            counts["names"] += 1
            counts["names agree"] += mine.predicament == whole.predicament
            counts[f"name {whole.predicament} / {mine.predicament}"] += 1
            if whole.predicament in told:
                counts["names by the world"] += 1
                counts["names by the world agree"] += mine.predicament == whole.predicament
            if mine.predicament in SEEN:
                counts["seen names"] += 1
                counts["seen names that the world tells"] += mine.predicament in told
    return counts


def play(folder: Path, seed: int) -> None:
    """Play an episode and store its counts, unless they exist."""
    path = folder / f"{seed}.json"
    if not path.exists():
        agent = Comparing(switches=switches(seed))
        episode(agent, seed)
        write_whole(path, json.dumps(agent.counts).encode())


def interval(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of a share, by a bootstrap of whole episodes."""
    drawn = generator(0, "labels").integers(len(parts), size=(DRAWS, len(parts)))
    sums = np.array(parts)[drawn].sum(1), np.maximum(np.array(wholes)[drawn].sum(1), 1)
    low, high = np.percentile(sums[0] / sums[1], PERCENTILES)
    return float(low), float(high)


def report(episodes: Sequence[Counter[str]]) -> None:
    """Print shares with their 95 % intervals, and then all counts."""
    counts: Counter[str] = sum(episodes, Counter())
    for share, of in (
        ("labels agree", "looks"),
        ("labels of old agree", "looks"),
        ("failed: labels agree", "failed: looks"),
        ("failed: labels of old agree", "failed: looks"),
        ("names agree", "names"),
        ("names by the world agree", "names by the world"),
        ("seen names that the world tells", "seen names"),
    ):
        if counts[of]:
            low, high = interval([one[share] for one in episodes], [one[of] for one in episodes])
            part = counts[share] / counts[of]
            print(f"{share}: {part:.1%} of {counts[of]} {of} ({low:.1%} to {high:.1%})")
    for name, count in sorted(counts.items()):
        print(f"  {name}: {count}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parsed = parser.parse_args()
    parsed.work.mkdir(parents=True, exist_ok=True)
    seeds = range(FIRST, FIRST + parsed.episodes)
    with ProcessPoolExecutor(parsed.workers) as pool:
        for _ in pool.map(partial(play, parsed.work), seeds):
            pass
    files = [parsed.work / f"{seed}.json" for seed in seeds]
    report([Counter(json.loads(file.read_text("utf-8"))) for file in files])


if __name__ == "__main__":
    main()
