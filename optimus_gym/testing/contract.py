"""The contract of a kind of part: a list of rules, and how a part is tried by each rule."""

import inspect
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

from optimus_gym.core.errors import OptimusError, reason_of, shown

HERE: Final = Path(__file__).resolve().parent
LIBRARIES: Final = frozenset({"site-packages", "dist-packages"})
"""Names of the folders in which Python installs packages."""
RuleVerdict = Literal["passed", "failed", "not applicable", "not tried"]


class RuleBroken(OptimusError, AssertionError):
    """A part breaks a rule; the message holds the expected value, the actual value and the line of code."""


class NotApplicable(OptimusError):
    """A rule does not apply to a part; the message holds the reason."""


@dataclass
class PartCase:
    """A part under test, in the form that a contract's rules receive.

    Attributes:
        make: a function that makes the part, the same each time.
        owner: the part's class, for the file name in error messages; None if unknown.
    """

    make: Callable[..., Any]
    owner: Any = None

    @classmethod
    def of(cls, subject: Any) -> Self:
        """Wrap a function that makes a part in this class; return an object of this class unchanged."""
        if isinstance(subject, cls):
            return subject
        return cls(subject, owner=subject if inspect.isclass(subject) else None)


@dataclass(frozen=True)
class Rule:
    """One rule of a contract.

    Attributes:
        name: the rule's name.
        sentence: the rule in one sentence.
        check: a function that tries the rule on a `case` and may raise `RuleBroken` or `NotApplicable`.
        case: the class that wraps the part under test for `check` (`PartCase` or a subclass).
        basic: whether the contract's later rules are not tried on a part that breaks this rule.
    """

    name: str
    sentence: str
    check: Callable[[Any], None]
    case: type[PartCase]
    basic: bool = False

    def __call__(self, subject: Any) -> str:
        """Try the rule on a part.

        Args:
            subject: a function that makes the part, or an object of the class `case`.

        Returns:
            why the rule does not apply; "" if the part keeps the rule.

        Raises:
            RuleBroken: the part breaks the rule.
        """
        try:
            self.check(self.case.of(subject))
        except NotApplicable as reason:
            return str(reason)
        return ""

    def __str__(self) -> str:
        return self.name

    def finding(self, case: PartCase) -> "Finding":
        """Try the rule and return the result; an error that the part raises counts as a broken rule."""
        try:
            reason = self(case)
        except RuleBroken as broken:
            return Finding(self, "failed", str(broken))
        except (Exception, SystemExit) as error:  # noqa: BLE001  a part may raise anything
            return Finding(self, "failed", f"expected no error, got {describe(error, case.owner)}")
        return Finding(self, "not applicable" if reason else "passed", reason)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of trying one rule: the verdict, and what is wrong or why the rule was not tried."""

    rule: Rule
    verdict: RuleVerdict
    detail: str = ""


class Contract:
    """The rules of a kind of part, in the order in which they are tried on a part.

    Args:
        case: the class that wraps the part under test for the rules (`PartCase` or a subclass).
    """

    def __init__(self, case: type[PartCase]) -> None:
        self.case = case
        self._rules: list[Rule] = []

    @property
    def rules(self) -> Sequence[Rule]:
        """Return the contract's rules in the order in which they are tried."""
        return tuple(self._rules)

    def rule(self, check: Callable[[Any], None]) -> Callable[[Any], None]:
        """Add a function as a rule; the first line of its docstring is the rule's sentence."""
        return self._add(check, False)

    def basic(self, check: Callable[[Any], None]) -> Callable[[Any], None]:
        """Add a function as a basic rule: if a part breaks a basic rule, the later rules are not tried."""
        return self._add(check, True)

    def _add(self, check: Callable[[Any], None], basic: bool) -> Callable[[Any], None]:
        sentence = inspect.getdoc(check) or check.__name__  # `python -OO` removes docstrings
        name = check.__name__
        self._rules.append(Rule(name, sentence.split("\n\n")[0], check, self.case, basic))
        return check

    def followed_by(self, other: "Contract") -> "Contract":
        """Return a contract with this contract's rules, then the rules of `other` for the same `case`."""
        joined = Contract(self.case)
        joined._rules = [*self._rules, *other._rules]
        return joined

    def without(self, names: Sequence[str]) -> "Contract":
        """Return a copy of the contract without the rules that `names` lists."""
        fewer = Contract(self.case)
        fewer._rules = [rule for rule in self._rules if rule.name not in names]
        return fewer

    def findings(self, subject: Any) -> Iterator[Finding]:
        """Try each rule on a part; yield each rule's result before the next rule is tried."""
        case = self.case.of(subject)
        broken = ""
        for rule in self._rules:
            finding = rule.finding(case) if not broken else Finding(rule, "not tried", broken)
            yield finding
            if rule.basic and finding.verdict == "failed":
                broken = f"the part breaks the rule {rule.name}"


def expect(holds: object, expected: str, got: object, part: Any, member: str = "") -> None:
    """Raise RuleBroken unless a condition of a rule holds.

    Args:
        holds: the condition, as true or false.
        expected: the expected value, in words.
        got: the actual value; a text is a description and is not quoted.
        part: the part or its class.
        member: the method or attribute concerned.

    Raises:
        RuleBroken: the condition does not hold.
    """
    if not holds:
        came = got if isinstance(got, str) else shown(got)
        raise RuleBroken(f"expected {expected}, got {came} ({place_in_code(part, member)})")


def expect_refusal(
    call: Callable[[], Any], kinds: tuple[type[Exception], ...], what: str, part: Any, member: str
) -> None:
    """Raise RuleBroken unless a call raises an error of one of the types `kinds`.

    Raises:
        RuleBroken: the call raises no error, or an error of another type.
    """
    wanted = f"{' or '.join(kind.__name__ for kind in kinds)} for {what}"
    try:
        call()
    except kinds:
        return
    except Exception as error:
        raise RuleBroken(
            f"expected {wanted}, got {describe(error, part)} ({place_in_code(part, member)})"
        ) from error
    expect(False, wanted, "no error", part, member)


def member_names(protocol: type) -> list[str]:
    """Return the names of a protocol's attributes, properties and methods."""
    return [
        *protocol.__annotations__,
        *(
            name
            for name, value in vars(protocol).items()
            if not name.startswith("_") and (callable(value) or isinstance(value, property))
        ),
    ]


def expect_members(part: Any, protocol: type) -> None:
    """Raise RuleBroken if a part lacks an attribute, property or method of a protocol.

    Raises:
        RuleBroken: the part lacks members; the message lists the missing members.
    """
    lacking = [name for name in member_names(protocol) if not hasattr(part, name)]
    methods = [name for name in member_names(protocol) if callable(getattr(protocol, name, None))]
    idle = [name for name in methods if name not in lacking and not callable(getattr(part, name))]
    expect(
        not lacking and not idle,
        f"all members of `{protocol.__module__}.{protocol.__name__}`",
        f"no {', '.join(lacking)}" if lacking else f"{', '.join(idle)} that cannot be called",
        part,
    )


def place_in_code(part: Any, member: str = "") -> str:
    """Return the name, file and line of a class or of its method.

    >>> place_in_code(NotApplicable).startswith("NotApplicable, contract.py line ")
    True
    """
    kind = part if inspect.isclass(part) else type(part)
    name = f"{kind.__name__}.{member}" if member else kind.__name__
    for target in (getattr(kind, member, None) if member else None, kind):
        if not callable(target):
            continue
        code = inspect.unwrap(target)
        try:
            file, (_, line) = inspect.getsourcefile(code), inspect.getsourcelines(code)
        except (TypeError, OSError):  # not written in Python, or the file was deleted
            continue
        return f"{name}, {Path(file or '').name} line {line}"
    return name


def describe(error: BaseException, owner: Any = None) -> str:
    """Return an error's type and first line, and the place in the part's own code that raised the error.

    Args:
        error: the error.
        owner: the part or its class, or None.
    """
    said = f"{type(error).__name__}: {reason_of(error)}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve().parent != HERE and not frame.filename.startswith("<")
    ]
    own = [frame for frame in frames if _is_own(frame.filename, owner)]
    if own:
        return f"{said} ({Path(own[-1].filename).name} line {own[-1].lineno}, in {own[-1].name})"
    return said if owner is None else f"{said} ({place_in_code(owner)})"


def _is_own(file: str, owner: Any) -> bool:
    """Return whether a file belongs to a part: it lies at or below the folder of the part's class."""
    path = Path(file).resolve()
    kind = owner if inspect.isclass(owner) else type(owner)
    try:
        home = Path(inspect.getfile(kind)).resolve().parent
    except (TypeError, OSError):
        return not LIBRARIES & set(path.parts)
    installed = LIBRARIES & set(path.parts) and not LIBRARIES & set(home.parts)
    return path.is_relative_to(home) and not installed
