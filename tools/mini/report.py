"""Write the model card of `mini`: fill in the template `card.md`."""

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any, Final

from optimus_gym.core.files import write_whole
from optimus_gym.vision.environments import ENVIRONMENTS

CARD: Final = Path(__file__).parents[2] / "docs" / "mini.md"
COLUMNS: Final = {"mini": "mini", "histogram": "colour histogram", "untrained": "untrained"}
ROWS: Final = {
    "all frames": "environment, all frames",
    "mean of environments": "environment, mean of environments",
    "frames that show little else": "environment, frames that show little else",
    "clips": "clips and sub-goals, area under ROC",
    "clips, overlay covered": "the same, overlay covered",
}


def write_card(facts: Mapping[str, Any], figures: Mapping[str, Mapping[str, float]]) -> None:
    """Write the card of `mini` from its template.

    Args:
        facts: the template's values, without the tables.
        figures: figures by network, then by measure.
    """
    head = "| | " + " | ".join(COLUMNS.values()) + " |\n| --- |" + " ---: |" * len(COLUMNS)
    lines = [
        f"| {words} | " + " | ".join(f"{figures[name][row]:.3f}" for name in COLUMNS) + " |"
        for row, words in ROWS.items()
    ]
    environments = [
        f"| {name.replace('_', ' ')} | "
        + " | ".join(f"{figures[column].get(name, float('nan')):.2f}" for column in COLUMNS)
        + " |"
        for name in ENVIRONMENTS
    ]
    text = Template(Path(__file__).with_name("card.md").read_text(encoding="utf-8"))
    tables = {
        "figures": "\n".join([head, *lines]),
        "environments": "\n".join([head, *environments]),
    }
    write_whole(CARD, text.substitute(facts, **tables).encode())
