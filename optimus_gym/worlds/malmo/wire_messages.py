"""Commands, tokens and short answers: all messages apart from missions, actions and reports.

Source: `_multiagent.py` and `malmo.py` of MineRL 0.4.4 and MineStudio 1.1.6.
"""

import math
import re
import struct
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from optimus_gym.worlds.malmo.framing import WireFault

VERSION: Final = "0.37.0"
"""Version of Malmo that every client names in its first message."""
HELLO: Final = f"<MalmoEnv{VERSION}/>".encode()
QUIT: Final = b"<Quit/>"
PEEK: Final = b"<Peek/>"
STEP_SERVER: Final = b"<StepServer></StepServer>"
DISCONNECT: Final = b"<Disconnect/>"
EXIT: Final = b"<Exit>NOW</Exit>"
MOST_SEED: Final = 2**63 - 1
"""Largest seed of a land: the game keeps seeds as signed numbers of 64 bits."""

CommandName: TypeAlias = Literal[
    "hello", "quit", "mission", "peek", "step", "step server", "find", "disconnect", "exit", "close",
    "echo", "status", "init", "interact",
]  # fmt: skip
_PREFIXES: Final[tuple[tuple[bytes, CommandName], ...]] = (
    (b"<StepClient", "step"),
    (b"<StepServer", "step server"),
    (b"<Peek", "peek"),
    (b"<MissionInit", "mission"),
    (b"<MalmoEnv", "hello"),
    (b"<Quit", "quit"),
    (b"<Find", "find"),
    (b"<Disconnect", "disconnect"),
    (b"<Exit", "exit"),
    (b"<Close", "close"),
    (b"<Echo", "echo"),
    (b"<Status", "status"),
    (b"<Init", "init"),
    (b"<Interact", "interact"),
)
"""Beginning of a client's message, and what the message means; the game looks at the beginning alone."""
_STEP: Final = re.compile(r"\s*<StepClient[0-9]>(.*)</StepClient[0-9] ?>\s*", re.DOTALL)
_TOKEN: Final = re.compile(
    r"([^:]{1,200}):([0-9]{1,4}):[0-9]{1,9}:([0-9]{1,4}):(?:true|false)(?::(-?[0-9]{1,19}))?"
)
_HELLO: Final = re.compile(r"<MalmoEnv([^/<>]{1,16})/>")
_STEP_REPLY: Final = struct.Struct("!dbb")
_NUMBER: Final = struct.Struct("!I")
_FLAG: Final = struct.Struct("!b")
_MOST_QUOTED: Final = 60


def command_of(message: bytes) -> CommandName:
    """Return what a client's message means.

    Raises:
        WireFault: the message begins like no command.

    >>> command_of(b"<StepClient0>jump 1</StepClient0 >")
    'step'
    """
    for prefix, name in _PREFIXES:
        if message.startswith(prefix):
            return name
    known = ", ".join(prefix.decode() for prefix, _ in _PREFIXES)
    raise WireFault(f"expected a message that begins with one of {known}, got {_quoted(message)}")


def version_in(message: bytes) -> str:
    """Return the version that a client's first message names.

    Raises:
        WireFault: the message is no greeting.

    >>> version_in(HELLO)
    '0.37.0'
    """
    found = _HELLO.fullmatch(_text(message))
    if found is None:
        raise WireFault(f"expected <MalmoEnv{VERSION}/>, got {_quoted(message)}")
    return found[1]


def step_message(lines: str) -> bytes:
    """Return the message of a step with its lines (`wire_actions`).

    >>> step_message("jump 1")
    b'<StepClient0>jump 1</StepClient0 >'
    """
    return f"<StepClient0>{lines}</StepClient0 >".encode()


def lines_in(message: bytes) -> str:
    """Return the lines of a step's message.

    Raises:
        WireFault: the message is no step.

    >>> lines_in(step_message("jump 1"))
    'jump 1'
    """
    found = _STEP.fullmatch(_text(message))
    if found is None:
        raise WireFault(f"expected <StepClient0>...</StepClient0 >, got {_quoted(message)}")
    return found[1]


@dataclass(frozen=True, slots=True)
class EpisodeToken:
    """The message behind a mission: names the episode, and tells the seed.

    Attributes:
        episode: the episode's name without colons, 1 to 200 characters; a UUID in MineRL.
        role: the number of the agent, 0 for the only one.
        agents: the number of agents.
        seed: the land's seed, -2**63 to 2**63 - 1, or None if the client names none.
    """

    episode: str
    role: int = 0
    agents: int = 1
    seed: int | None = None

    def write(self) -> bytes:
        """Return the token as a message.

        >>> EpisodeToken("e", seed=7).write()
        b'e:0:0:1:true:7'
        """
        seed = "" if self.seed is None else f":{self.seed}"
        return f"{self.episode}:{self.role}:0:{self.agents}:true{seed}".encode()


def read_token(message: bytes) -> EpisodeToken:
    """Return the token that a message holds.

    Raises:
        WireFault: the message is no token.

    >>> read_token(b"e:0:0:1:true")
    EpisodeToken(episode='e', role=0, agents=1, seed=None)
    """
    found = _TOKEN.fullmatch(_text(message))
    if found is None:
        raise WireFault(f"expected a token name:role:0:agents:true[:seed], got {_quoted(message)}")
    episode, role, agents, said = found.groups()
    seed = None if said is None else int(said)
    if seed is not None and not -MOST_SEED - 1 <= seed <= MOST_SEED:
        raise WireFault(f"expected a seed of -2**63 to 2**63 - 1, got {seed}")
    return EpisodeToken(episode, int(role), int(agents), seed)


@dataclass(frozen=True, slots=True)
class StepReply:
    """The second message of a step's answer: the reward, and whether the episode is over."""

    reward: float
    done: bool

    def write(self) -> bytes:
        """Return the answer as a message of 10 bytes."""
        return _STEP_REPLY.pack(self.reward, self.done, 1)


def read_step_reply(message: bytes) -> StepReply:
    """Return the reward and end that a step's answer tells.

    Raises:
        WireFault: the message has another length than 10 bytes, or the reward is no finite number.
    """
    if len(message) != _STEP_REPLY.size:
        raise WireFault(f"expected {_STEP_REPLY.size} bytes of reward and end, got {len(message)}")
    reward, done, _ = _STEP_REPLY.unpack(message)
    if not math.isfinite(reward):
        raise WireFault(f"expected a finite reward, got {reward}")
    return StepReply(reward, done != 0)


def number_message(number: int) -> bytes:
    r"""Return a number from 0 to 2**32 - 1 as a message.

    >>> number_message(1)
    b'\x00\x00\x00\x01'
    """
    return _NUMBER.pack(number)


def read_number(message: bytes) -> int:
    """Return the number that a message holds.

    Raises:
        WireFault: the message has another length than 4 bytes.
    """
    if len(message) != _NUMBER.size:
        raise WireFault(f"expected a number of 4 bytes, got {len(message)} bytes")
    return int(_NUMBER.unpack(message)[0])


def flag_message(flag: bool) -> bytes:
    """Return the third message of the answer to `PEEK`: whether the episode is over already."""
    return _FLAG.pack(flag)


def read_flag(message: bytes) -> bool:
    """Return whether the episode is over, by the third message of the answer to `PEEK`.

    Raises:
        WireFault: the message has another length than 1 byte.
    """
    if len(message) != _FLAG.size:
        raise WireFault(f"expected a flag of 1 byte, got {len(message)} bytes")
    return bool(_FLAG.unpack(message)[0])


def _text(message: bytes) -> str:
    return message.decode("utf-8", "replace")


def _quoted(message: bytes) -> str:
    return repr(_text(message[:_MOST_QUOTED]))
