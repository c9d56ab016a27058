"""The command line of a baseline: its options from a dataclass, one line for an error, an exit status."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from optimus_gym.core.errors import BadValue
from optimus_gym.terminal.dataclass_options import add_options
from optimus_gym.terminal.parser import Parser
from optimus_gym.terminal.running import carry_out
from optimus_gym.terminal.watchdog import start_guard


class Command(NamedTuple):
    """A baseline's command, `python -m optimus_gym.baselines.<name>`.

    Attributes:
        name: the name of the baseline's module.
        args: the dataclass of the arguments.
        work: does the work for such arguments.
        description: a sentence for the help.
        examples: whole command lines for the help.
        goes_on: the message after Ctrl-C.
    """

    name: str
    args: Any
    work: Callable[[Any], None]
    description: str
    examples: tuple[str, ...]
    goes_on: str

    def entry(self) -> int:
        """Run the command with a guard that kills a hanging process, and return the exit status."""
        start_guard()
        return self.main()

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Work by the command line's arguments; return an exit status as `optimus-gym` does."""
        return carry_out(self.name, partial(self._run, arguments), self.goes_on)

    def _run(self, arguments: Sequence[str] | None) -> int:
        self.work(self.parse(arguments))
        return 0

    def parser(self) -> Parser:
        """Return the parser of the command line."""
        parser = Parser(
            prog=f"python -m optimus_gym.baselines.{self.name}",
            description=self.description,
            examples=self.examples,
        )
        add_options(parser, self.args)
        if not parser.get_default("out"):
            parser.set_defaults(out=f"runs/{self.name}")
        return parser

    def parse(self, arguments: Sequence[str] | None) -> Any:
        """Return the arguments that a command line gives.

        Raises:
            BadValue: an argument cannot be used.
        """
        given = vars(self.parser().parse_args(arguments))
        if not given["out"]:
            raise BadValue("out: expected a folder, got ''")
        return self.args(**given)
