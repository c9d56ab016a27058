"""Compare all agents on equal terms: `python -m benchmarks.side_by_side --work DIR`.

All agents play the same tasks and validation seeds with the same controller, backbone and budgets. The
command prints a table and writes it to DIR/side_by_side.md, and with `--page` a page (`optimus-gym report`).
The backbone is the rules with errors (`fallible`), unless `--backbone` names another one. The same command
with a model's backbone and the same DIR adds the model's rows to the table:

    python -m benchmarks.side_by_side --work DIR --backbone '{"name": "openai", "model": "NAME"}'

The same command resumes an interrupted run.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.arms import SENTENCE, WORLDS, Rung, agents, memory_of, played, success_interval
from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import clustered_interval
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.report.command import write_report
from optimus_gym.run.results.figures import figures
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import EpisodeRow

SEEDS: Final = 84_000
"""First seed of the episodes; nothing is tuned on these seeds."""
SUITE: Final = "optimus-ablation-18"
RULES: Final = "rules"
HEAD: Final = (
    "| agent | backbone | success | requests | tokens | new plans | ticks of a success |\n"
    "| --- | --- | --- | --- | --- | --- | --- |"
)
NOTE: Final = (
    "Means are for an episode, intervals are 95 %. The tokens of the rules are the words of requests and "
    "answers; a model's rows have the tokens that its server counts."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play all agents and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of all results")
    parser.add_argument("--agents", nargs="*", choices=agents(), default=agents())
    parser.add_argument("--suite", default=SUITE)
    parser.add_argument("--tasks", nargs="*", default=(), help="some of the suite's tasks")
    parser.add_argument("--world", choices=WORLDS, default=WORLDS[0])
    parser.add_argument("--episodes", type=int, default=10, help="seeds of each task")
    parser.add_argument("--failures", type=float, default=0.2, help="share of failing sub-goals")
    parser.add_argument("--error-scale", type=float, default=2.0, help="errors of the rules")
    parser.add_argument("--backbone", help="a model's backbone, as a name or JSON")
    parser.add_argument("--remember", action="store_true", help="give agents a filled memory")
    parser.add_argument("--page", type=Path, help="HTML page of all results, with plots")
    asked = parser.parse_args(arguments)
    home = asked.work / "side-by-side" / asked.suite
    for agent in asked.agents:
        try:
            rows = _rows(agent, home, asked)
        except BadValue as error:
            print(f"{agent} is left out: {error}", flush=True)
            continue
        won = sum(row.success for row in rows)
        print(f"{agent}: {won} of {len(rows)}", flush=True)
    told = table(home)
    print(told)
    (asked.work / "side_by_side.md").write_text(told + "\n", "utf-8")
    if asked.page is not None:
        write_report([str(folder) for folder in folders(home)], asked.page)


def _rows(agent: str, home: Path, asked: argparse.Namespace) -> list[EpisodeRow]:
    parts = Rung(asked.failures, asked.error_scale).parts(asked.world)
    name = RULES
    if asked.backbone is not None:
        given = asked.backbone
        parts["backbone"] = json.loads(given) if given.startswith("{") else given
        name = re.sub(r"\W+", "-", given).strip("-")
    evaluation = Evaluation(
        suite=asked.suite,
        tasks=tuple(asked.tasks),
        agent=agent,
        memory=memory_of(agent, asked.work) if asked.remember else None,
        seed=SEEDS,
        episodes=asked.episodes,
        settings={"resolution": [1, 1]} if asked.world == "symbolic" else {},
        **parts,
    )
    return played(evaluation, home / f"{agent}-{name}")


def folders(home: Path) -> list[Path]:
    """Return the folders of all results, in the order of the registered agents."""
    found = [one.parent for one in sorted(home.glob("*/evaluation.json"))]
    order = list(agents())
    return sorted(found, key=lambda one: (order.index(_agent(one)), one.name))


def _agent(folder: Path) -> str:
    """Return the longest agent's name with which a folder's name begins."""
    return max((name for name in agents() if folder.name.startswith(f"{name}-")), key=len)


def table(home: Path) -> str:
    """Return a table of all results in a folder."""
    lines = [SENTENCE + " " + NOTE, "", HEAD]
    for folder in folders(home):
        rows = read_results(folder).rows
        own = figures(folder.name, rows)
        asked = folder.name.removeprefix(f"{_agent(folder)}-")
        low, high = success_interval(rows)
        ticks = "" if own.ticks is None else f"{own.ticks:,.0f}"
        cells = [
            f"`{_agent(folder)}`",
            ", ".join(own.replies.models) if asked != RULES and own.replies.models else asked,
            f"{own.rate:.1%} ({low:.1%} to {high:.1%})",
            _mean([row.calls for row in rows], rows),
            _mean([row.prompt_tokens + row.completion_tokens for row in rows], rows, ",.0f"),
            _mean([row.replans for row in rows], rows),
            ticks,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _mean(values: Sequence[float], rows: Sequence[EpisodeRow], form: str = ".2f") -> str:
    """Return a mean with its interval, which counts each seed once."""
    many = np.array(values, np.float64)
    low, high = clustered_interval(many, [row.seed for row in rows])
    return f"{many.mean():{form}} ({low:{form}} to {high:{form}})"


if __name__ == "__main__":
    main()
