"""Which backbone a command line names, and what of it is recorded or replayed."""

import argparse
from pathlib import Path
from typing import Any

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say who is asked."""
    asked = parser.add_argument_group("backbone")
    asked.add_argument("--backbone", metavar="NAME", help="who is asked (default rules)")
    asked.add_argument("--model", metavar="NAME", help="of backbones that have one")
    asked.add_argument(
        "--base-url", metavar="URL", help="of a server that speaks OpenAI's protocol"
    )
    asked.add_argument(
        "--error-scale",
        type=float,
        metavar="X",
        help="of the backbone's errors, 0 to 3 (default 0)",
    )
    asked.add_argument(
        "--record", type=Path, metavar="FILE", help="write all answers to a new file"
    )
    asked.add_argument("--replay", type=Path, metavar="FILE", help="answer from such a file")


def backbone_of(parsed: argparse.Namespace) -> Any:
    """Return the specification of the backbone that the arguments name; None if they name none.

    Raises:
        BadValue: two of them exclude each other.
    """
    options = {"model": parsed.model, "base_url": parsed.base_url}
    given = {name: value for name, value in options.items() if value is not None}
    if parsed.replay is not None:
        _refuse_beside_replay(parsed, given)
        return {"name": "replay", "source": str(check_path("replay", parsed.replay))}
    if given and parsed.backbone is None:
        raise BadValue(f"backbone: expected --backbone NAME for {', '.join(given)}, got none")
    wanted: Any = parsed.backbone
    if given:
        wanted = {"name": wanted, **given}
    if parsed.error_scale is not None:
        wanted = {"name": "fallible", "backbone": wanted or "rules", "scale": parsed.error_scale}
    if parsed.record is not None:
        source = str(check_path("record", parsed.record))
        wanted = {"name": "replay", "source": source, "backbone": wanted or "rules"}
    return wanted


def _refuse_beside_replay(parsed: argparse.Namespace, given: dict[str, Any]) -> None:
    others = {
        "backbone": parsed.backbone,
        "record": parsed.record,
        "error_scale": parsed.error_scale,
    }
    named = [name for name, value in {**others, **given}.items() if value is not None]
    if named:
        raise BadValue(f"replay: expected it without others, got {', '.join(named)} beside it")
