"""The command `optimus-gym transcript`: print a backbone's recorded requests and answers as readable text."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from optimus_gym.backbones.recording import Recorded, recorded
from optimus_gym.core.checks import check_path
from optimus_gym.core.requests import Reply
from optimus_gym.terminal.printing import printable

EXAMPLES: Final = (
    "optimus-gym transcript talk.jsonl",
    "optimus-gym transcript talk.jsonl --kind plan",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="recording of `run --record`")
    parser.add_argument(
        "--kind",
        metavar="WORD",
        help="print only requests of this kind, such as plan or reflect (default: all)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Print a recording's questions and answers and return 0.

    Raises:
        BadValue: the file holds no recording or a damaged one; the message names the line.
    """
    for number, one in enumerate(recorded(check_path("file", parsed.file)), 1):
        if parsed.kind in (None, one.kind):
            sys.stdout.write(printable("\n".join(told(number, one)), lines=True) + "\n\n")
    return 0


def told(number: int, one: Recorded) -> Iterator[str]:
    """Yield the lines of a recorded question and its answer, as Markdown."""
    yield f"# {number}. {one.kind} ({_cost(one.reply)})"
    yield ""
    yield one.prompt.strip()
    yield ""
    yield "## Answer"
    yield ""
    for fault in one.reply.faults:
        yield f"(fault: {fault})"
    yield one.reply.text.strip() or "(none)"


def _cost(reply: Reply) -> str:
    """Return an answer's model, seconds, tokens and cost in words."""
    parts = [reply.model or "no model", f"{reply.latency_s:.2f} s"]
    if reply.prompt_tokens or reply.completion_tokens:
        parts.append(f"{reply.prompt_tokens:,} + {reply.completion_tokens:,} tokens")
    if reply.cost:
        parts.append(f"cost {reply.cost:.4f}")
    return ", ".join(parts)
