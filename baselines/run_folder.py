"""The folder of a training: its arguments, which a resumed training must share, and its results."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym
from filelock import FileLock, Timeout

import optimus_gym
from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.core.files import write_whole
from optimus_gym.core.plain import plain_value, read_json
from optimus_gym.seeds import TRAIN


@contextmanager
def training_folder(
    baseline: str, folder: Path, resume: bool, training: Mapping[str, Any],
    arguments: Mapping[str, Any],
) -> Iterator[None]:  # fmt: skip
    """Hold a training's folder, and write the arguments into its `config.json`.

    Args:
        baseline: the name of the baseline.
        folder: the folder; made if it does not exist.
        resume: whether an earlier training in the folder goes on.
        training: the arguments that a resumed training must have had from its beginning.
        arguments: all arguments.

    Raises:
        BadValue: the folder holds a training and `resume` is false, a resumed training is of another baseline
            or has other arguments than at its beginning, another process trains in the folder, or the folder
            is a file.
    """
    folder = check_path("out", folder)
    if folder.exists() and not folder.is_dir():
        raise BadValue(f"out: expected a folder, got the file '{folder}'")
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BadValue(f"out: another process trains in '{folder}'") from None
    try:
        config = folder / "config.json"
        resumed = config.exists()
        if resumed:
            if not resume:
                raise BadValue(
                    f"out: expected a folder without a training, or --resume, got '{folder}'"
                )
            _check_same(config, baseline, training)
        versions = {"optimus_gym": optimus_gym.__version__, "gymnasium": gym.__version__}
        told = {"baseline": baseline, "arguments": dict(arguments), "versions": versions}
        write(config, told)
        try:
            yield
        except MissingExtra:
            if not resumed:
                config.unlink()  # no training has begun
            raise
    finally:
        lock.release()


def _check_same(config: Path, baseline: str, training: Mapping[str, Any]) -> None:
    """Refuse a training of another baseline, or with other arguments."""
    told = read_json(config.read_bytes(), str(config))
    before = told.get("arguments") if isinstance(told, dict) else None
    if not isinstance(before, dict):
        raise BadValue(f"{config}: expected the arguments of a training, got {shown(told)}")
    if told.get("baseline") != baseline:
        other = shown(told.get("baseline"))
        raise BadValue(f"out: expected a training of {baseline!r} in {config}, got one of {other}")
    for name, value in training.items():
        if before.get(name) != plain_value(name, value):
            raise BadValue(f"{name}: expected {before.get(name)} as in {config}, got {value}")


def check_training_seeds(seeds: Sequence[int], steps: int) -> None:
    """Refuse seeds of trainings that are no seeds, come twice, or lead to worlds outside of `TRAIN`.

    Training k draws its worlds by `TRAIN.start + k * steps`.

    Raises:
        BadValue: as said.
    """
    most = (TRAIN.stop - TRAIN.start) // steps - 1
    if not seeds or len(set(seeds)) != len(seeds):
        raise BadValue(f"training_seeds: expected at least one seed, and each once, got {seeds}")
    for seed in seeds:
        check_count("training_seeds", seed, 0, most)


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write indented JSON, whole or not at all."""
    write_whole(path, (json.dumps(content, indent=2) + "\n").encode())


def read_state(path: Path, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the content of a file of `core.weights.write_tensors`, on the CPU; None if there is no file.

    Raises:
        BadValue: the file cannot be read, or does not hold exactly the entries `names`.
    """
    from optimus_gym.core.tensor_files import read_tensor_file  # torch takes a second to import

    if not path.exists():
        return None
    try:
        found = read_tensor_file(path)
    except BadValue as error:
        raise BadValue(f"state: {error}; delete the file to start again") from error
    if not isinstance(found, dict) or set(found) != set(names):
        raise BadValue(
            f"state: expected the entries {', '.join(names)} in '{path}'; delete the file to start again"
        )
    return found
