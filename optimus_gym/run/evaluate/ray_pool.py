"""Workers on the nodes of a Ray cluster that runs already; needs the extra "ray"."""

import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import Any, Final

from optimus_gym.core.checks import is_number
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.memory.memory_folders import memory_folder
from optimus_gym.run.evaluate.process_pool import END_S
from optimus_gym.run.evaluate.ray_node import (
    BROUGHT,
    NODE_AND_HERE,
    TAKEN_PICTURES,
    Node,
    NodeMessage,
    below,
    code_here,
    read_files,
    write_files,
)
from optimus_gym.run.evaluate.worker_pool import Message, Worker, WorkerPool
from optimus_gym.run.results.results_folder import differences

AUTO: Final = "auto"
"""Address of the cluster that runs on this machine, or that Ray's variable `RAY_ADDRESS` names."""
_CLIENT: Final = "ray://"
_ANSWERS_S: Final = 10.0
"""Seconds that an address has to answer."""
_CHECKED_S: Final = 120.0
"""Seconds that a node has to tell its versions: Ray may have to start a process."""
_SETTINGS: Final = 4
"""Type of an HTTP/2 frame of settings, the first frame of each side (RFC 9113, sections 3.4 and 6.5)."""
_FRAME: Final = 9
"""Length of an HTTP/2 frame's head in bytes (RFC 9113, section 4.1); the fourth byte is the type."""
_GREETING: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0))
"""A client's first bytes in HTTP/2 (RFC 9113, section 3.4): the preface and an empty frame of settings."""
_LANES: Final = {"orders": 1, "messages": 1}
"""Ray's groups of an actor's methods, with the number of methods of each that may run at once."""


class RayWorker(Worker):
    """A process on a node of the cluster, behind an actor.

    Args:
        heard: the queue for the worker's messages.
        actor: the actor, a `Node`.
        shared: returns Ray's reference to the files of a memory's folder, from the folder and its hash.
    """

    def __init__(
        self, heard: "SimpleQueue[Message]", actor: Any, shared: Callable[[Path, str], Any]
    ) -> None:
        super().__init__(heard)
        self._actor = actor
        self._shared = shared
        self._places: dict[str, Path] = {}
        """Where the files of finished episodes go, by the name of their folder on the node."""
        self._ending = ""
        self._killed = False
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def say(self, kind: str, what: Any) -> None:
        """Send the worker an order; a worker that has ended hears nothing, and "gone" follows."""
        if kind == "stage":
            self._begin(what)
        else:
            self._actor.say.remote(kind, what)

    def _begin(self, told: Mapping[str, Any]) -> None:
        evaluation, pictures = told["evaluation"], told["pictures"]
        self._places = {}
        if evaluation.get("learn_into") is not None:
            self._places[BROUGHT] = Path(evaluation["learn_into"])
        if pictures is not None:
            self._places[TAKEN_PICTURES] = Path(pictures["folder"])
        memory = evaluation.get("memory")
        files = None
        if memory is not None:
            files = self._shared(memory_folder(memory), told["identity"]["memory"])
        self._actor.begin.remote(dict(told), files)

    def _listen(self) -> None:
        """Pass on the node's messages until the worker ends."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        kind = ""
        while kind != "gone":
            try:
                heard: NodeMessage = ray.get(self._actor.hear.remote())
            except RayError as error:
                heard = NodeMessage(self.turn, "gone", f"was lost: {_last_line(error)}", {})
                self._killed = not isinstance(error, RayTaskError)
            turn, kind, what, files = heard
            if kind == "gone":
                self._ending = what
            try:
                self._keep(files)
            except OSError as error:
                kind, what = "refused", f"files of an episode cannot be written: {error}"
            self.heard.put(Message(self, turn, kind, what))

    def _keep(self, files: Mapping[str, bytes]) -> None:
        """Write the files of an episode that has ended."""
        for name, place in self._places.items():
            own = below(files, name)
            if own:
                write_files(place, own)

    def end(self) -> None:
        """End the actor, its process, and all processes that this one started."""
        import ray
        from ray.exceptions import RayError

        with suppress(RayError):
            ray.get(self._actor.close.remote(), timeout=END_S)
        with suppress(RayError):
            ray.kill(self._actor)
        self._listener.join(END_S)  # Ray must not be left while a thread still asks it

    @property
    def has_ended(self) -> bool:
        """Return whether the worker is known to have ended."""
        return bool(self._ending)

    @property
    def ending(self) -> str:
        """Return in words how the worker ended."""
        return self._ending

    @property
    def was_killed(self) -> bool:
        """Return whether node or actor ended, rather than the process that plays."""
        return self._killed


class RayPool(WorkerPool):
    """Workers on the nodes of a Ray cluster.

    Args:
        address: the cluster's address as Ray knows it: "auto", "HOST:PORT" or "ray://HOST:PORT".
        gpus: number of GPUs that Ray reserves for each worker, 0 or more; it may be a fraction.

    Raises:
        MissingExtra: Ray is not installed.
        BadValue: no cluster answers, a node lacks the package or has other code or versions, or no node has
            a CPU and so many GPUs.
    """

    def __init__(self, address: str = AUTO, gpus: float = 0) -> None:
        super().__init__()
        if not is_number(gpus) or not gpus >= 0:
            raise BadValue(f"ray_gpus: expected a number, 0 or more, got {shown(gpus)}")
        _connect(address)
        try:
            _check_nodes(gpus)
        except BadValue:
            self.close()
            raise
        import ray

        lanes = ray.remote(num_cpus=1, num_gpus=gpus, concurrency_groups=_LANES)
        self._actors: Any = lanes(_in_lanes())
        self._memories: dict[str, Any] = {}

    def _started(self, heard: "SimpleQueue[Message]") -> RayWorker:
        return RayWorker(heard, self._actors.remote(), self._shared)

    def _shared(self, folder: Path, content: str) -> Any:
        """Return Ray's reference to the files of a memory; `content` is the memory's hash."""
        import ray

        if content not in self._memories:
            self._memories = {content: ray.put(read_files(folder))}
        return self._memories[content]

    def close(self) -> None:
        """End the workers that are kept, and leave the cluster, which goes on."""
        import ray

        super().close()
        with termination_kept():
            ray.shutdown()


def _in_lanes() -> type[Node]:
    """Return the class of the actors: `hear` waits in a lane of its own."""
    import ray

    class Actor(Node):
        begin = ray.method(concurrency_group="orders")(Node.begin)
        say = ray.method(concurrency_group="orders")(Node.say)
        close = ray.method(concurrency_group="orders")(Node.close)
        hear = ray.method(concurrency_group="messages")(Node.hear)

    return Actor


def _connect(address: str) -> None:
    """Join a cluster that runs already.

    Raises:
        MissingExtra: Ray is not installed.
        BadValue: no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "ray") from error
    told = "the address of a Ray cluster that runs, or 'auto' for one on this machine"
    try:
        if address != AUTO:
            _knock(address)
        with termination_kept():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:  # ConnectionError is an OSError
        raise BadValue(f"ray: expected {told}, got {shown(address)} ({error})") from error


@contextmanager
def termination_kept() -> Iterator[None]:
    """Keep this process's handling of SIGTERM: Ray replaces it as it begins, and resets it as it ends."""
    if current_thread() is not main_thread():  # where neither Ray nor Python sets handlers
        yield
        return
    former = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def _knock(address: str) -> None:
    """Greet an address as gRPC does, since Ray itself waits for minutes until a cluster answers.

    Raises:
        OSError: nothing answers, or something else than gRPC.
        ValueError: the address has no port.
    """
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    with socket.create_connection((host, int(port)), _ANSWERS_S) as connection:
        if os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
            connection.sendall(_GREETING)
            answer = connection.recv(_FRAME, socket.MSG_WAITALL)
            if len(answer) < _FRAME or answer[3] != _SETTINGS:
                raise ConnectionError("what answers there is no Ray cluster")


def _check_nodes(gpus: float) -> None:
    """Ask each node of the cluster for its code and versions.

    Raises:
        BadValue: a node lacks the package or has other code or versions, or no node has a CPU and so many
            GPUs.
    """
    import ray
    from ray.exceptions import NodeDiedError, RayError, TaskUnschedulableError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(num_cpus=0)(code_here)
    own = dict(zip(("code", "versions"), code_here(), strict=True))
    alive = [node for node in ray.nodes() if node["Alive"]]
    if not any(_has(node, CPU=1, GPU=gpus) for node in alive):
        raise BadValue(
            f"ray: expected a node with a CPU and {gpus:g} GPUs for each worker, found none"
        )
    for node in alive:
        where = f"node {node['NodeManagerAddress']} ({node['NodeID'][:8]})"
        pinned = ask.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], False)
        )
        try:
            code, packages = ray.get(pinned.remote(), timeout=_CHECKED_S)
        except (NodeDiedError, TaskUnschedulableError):
            continue  # Ray has not yet noticed until now that the node is gone
        except RayError as error:
            raise BadValue(
                f"ray: expected this package on {where}, got: {_last_line(error)}"
            ) from error
        found = {"code": code, "versions": packages}
        differing = list(differences("", found, own, NODE_AND_HERE))
        if differing:
            listed = "\n  ".join(differing)
            raise BadValue(
                f"ray: expected the same code and versions on {where} as here\n  {listed}"
            )


def _has(node: Mapping[str, Any], **wanted: float) -> bool:
    """Return whether a node has the resources that are wanted, free or in use."""
    return all(node["Resources"].get(name, 0) >= count for name, count in wanted.items())


def _last_line(error: Exception) -> str:
    """Return the end of an error's text, which tells most in a traceback."""
    return str(error).strip().splitlines()[-1].strip()
