"""The command `optimus-gym check`: test a part (such as a world) against its rules without a test library."""

import argparse
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from rich.console import Console

from optimus_gym.core.errors import BadValue, OptimusError, UnknownName
from optimus_gym.core.parts import Part, part_of
from optimus_gym.core.plain import read_json
from optimus_gym.terminal.printing import words
from optimus_gym.testing import KINDS, contract_of
from optimus_gym.testing.contract import Contract, Finding

EXIT_FITS, EXIT_BREAKS = 0, 1
EXAMPLES: Final = (
    "optimus-gym check controller mine:Mine",
    'optimus-gym check controller \'{"name": "mine:Mine", "weights": "mine.pt"}\'',
    "optimus-gym check agent mine:Planner --backbone mine:Model",
    "optimus-gym check world mine:World",
)
_VIEW_DISTANCE: Final = 32
"""View distance in blocks of the frames that a world under test draws."""
_MARGIN: Final = 16
"""Width in characters of the printed column with the verdict on each rule."""
_GIVEN: Final = {"controller": "world", "helper": "world", "agent": "backbone"}
"""Kind of the second part that the user may choose for the test, by the kind of the part under test."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.description = (
        "Try a part by each rule of its kind. The exit status is 0 if the part keeps all rules that apply, "
        "and 1 if the part breaks one."
    )
    parser.add_argument(
        "kind", choices=KINDS, metavar="KIND", help=f"kind of the part: {', '.join(KINDS)}"
    )
    parser.add_argument(
        "part",
        metavar="PART",
        help="part to check: a name, module:Class, or JSON with name and options",
    )
    parser.add_argument(
        "--world",
        metavar="NAME|JSON",
        help="world for a controller that reads the world (default: voxel)",
    )
    parser.add_argument(
        "--backbone",
        metavar="NAME|JSON",
        help="backbone that the checked agent asks (default: rules)",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="RULE",
        help="name of a rule that is not tested; may be repeated (default: none)",
    )


def check(parsed: argparse.Namespace) -> int:
    """Test a part against each rule, print a line for each rule, and return 0, or 1 if a rule is broken.

    Raises:
        BadValue, UnknownName: the part, its world or backbone, or a rule cannot be found, a part rejects its
            options, or a part of this kind takes no `--world` or no `--backbone`.
    """
    contract = _chosen(contract_of(parsed.kind), parsed.without)
    part = _part(parsed.kind, parsed.part)
    make = _maker(part)
    given = {}
    for kind in ("world", "backbone"):
        written = getattr(parsed, kind)
        if written is None:
            continue
        if _GIVEN.get(parsed.kind) != kind:
            takers = " or ".join(one for one in _GIVEN if _GIVEN[one] == kind)
            raise BadValue(
                f"{kind}: expected --{kind} only for KIND {takers}, got KIND {parsed.kind}"
            )
        given[f"make_{kind}"] = _maker(_part(kind, written))
    case = contract.case(make, owner=part.maker, **given)
    found: Counter[str] = Counter()
    broken = []
    console = Console(highlight=False)
    for finding in contract.findings(case):
        found[finding.verdict] += 1
        if finding.verdict == "failed":
            broken.append(finding.rule.name)
        if finding.verdict != "not tried":
            console.print(words(_line(finding)), soft_wrap=True)
    console.print(words(_sum(part, found, broken)), soft_wrap=True)
    return EXIT_BREAKS if broken else EXIT_FITS


def _chosen(contract: Contract, without: list[str]) -> Contract:
    names = [rule.name for rule in contract.rules]
    for name in without:
        if name not in names:
            raise UnknownName("rule", name, names)
    return contract.without(without)


def _part(kind: str, written: str) -> Part:
    """Return the part that a name or JSON specifies; a class named "module:Class" must be importable."""
    wanted = read_json(written, kind) if written.lstrip().startswith("{") else written
    part = part_of(kind, wanted)
    if part is None:
        raise BadValue(f"{kind}: expected a name or JSON with a name, got {written!r}")
    return part


def _maker(part: Part) -> Callable[..., Any]:
    """Return a function that makes a part; a function that makes a world takes the batch size as argument.

    Raises:
        BadValue, UnknownName: the part's class does not exist, or refuses its options.
        MissingExtra: the part needs an optional dependency that is not installed.
    """

    def make(*count: int) -> Any:
        if part.kind == "world":
            return part.build(*count, view_distance=_VIEW_DISTANCE, threads=1)
        return part.build()

    try:
        make(*((1,) if part.kind == "world" else ()))
    except OptimusError:
        raise
    except (Exception, SystemExit):  # noqa: BLE001  the first rule reports the error
        return make
    return make


def _line(finding: Finding) -> str:
    """Return the report on a rule: verdict, the rule's sentence, and for a broken rule the fault."""
    line = f"{finding.verdict:<{_MARGIN}}{finding.rule.sentence}"
    if finding.verdict == "failed":
        return f"{line}\n{'':{_MARGIN}}{finding.rule.name}: {finding.detail}"
    return f"{line} ({finding.detail})" if finding.detail else line


def _sum(part: Part, found: Counter[str], broken: list[str]) -> str:
    """Return the report's last line, which counts the rules that the part obeys and breaks."""
    told = f"{part.kind} {part}"
    tried = found["passed"] + found["failed"]
    rest = f"; {found['not applicable']} do not apply" if found["not applicable"] else ""
    rest += f"; {found['not tried']} need the broken rule" if found["not tried"] else ""
    if broken:
        return f"{told} breaks {len(broken)} of {tried} rules: {', '.join(broken)}{rest}"
    return f"{told} keeps all {tried} rules that apply{rest}"
