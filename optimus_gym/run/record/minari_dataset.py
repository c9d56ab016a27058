"""A Minari dataset that appears under its name only when it is complete.

An unfinished dataset is stored next to its final folder, in a folder whose name begins with a dot. A list of
played seeds in the unfinished dataset's folder lets an interrupted recording resume. A recording that played
no episode leaves no files. Every episode is read back and compared with the environment's output. Pictures
are stored exactly, without Minari's JPEG.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np
from filelock import FileLock, Timeout

from optimus_gym import __version__
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.files import write_whole
from optimus_gym.core.plain import read_json
from optimus_gym.run.evaluate.identity import code_hash
from optimus_gym.run.record.playing import PlayedEpisode
from optimus_gym.run.record.recording_setup import Recording
from optimus_gym.run.results.results_folder import refuse_differences

ROOT: Final = "MINARI_DATASETS_PATH"
"""Minari's environment variable for the folder of its datasets."""
_FORMAT: Final = "parquet"
"""Minari's format: compressed without loss, each episode in a folder of its own."""
PROGRESS: Final = "progress.json"


class Growing:
    """A dataset that is being recorded.

    Attributes:
        played: seeds of all played episodes, kept or not.
        kept: the number of kept episodes.
    """

    def __init__(self, place: Path, storage: Any, progress: dict[str, Any]) -> None:
        self._place = place
        self._storage = storage
        self._progress = progress

    @property
    def played(self) -> tuple[int, ...]:
        """Return the seeds that were played."""
        return tuple(self._progress["played"])

    @property
    def kept(self) -> int:
        """Return how many episodes are kept."""
        return int(self._progress["kept"])

    def add(self, episode: PlayedEpisode) -> None:
        """Store an episode, read the stored episode back, and compare both.

        Raises:
            BadValue: the stored episode differs from the played one.
            OSError: the episode cannot be written.
        """
        from minari.data_collector import EpisodeBuffer

        buffer = EpisodeBuffer(
            id=self.kept,
            seed=episode.seed,
            observations=dict(episode.observations),
            actions=episode.actions,
            rewards=list(episode.rewards),
            terminations=list(episode.terminated),
            truncations=list(episode.truncated),
        )
        self._storage.update_episodes([buffer])
        (read,) = self._storage.get_episodes([self.kept])
        _compare(episode, read)
        self._note(episode.seed, 1)

    def leave_out(self, seed: int) -> None:
        """Note the seed of an episode that was played but is not kept.

        Raises:
            OSError: the list of seeds cannot be written.
        """
        self._note(seed, 0)

    def _note(self, seed: int, kept: int) -> None:
        self._progress["played"].append(seed)
        self._progress["kept"] += kept
        write_whole(self._place / PROGRESS, json.dumps(self._progress).encode())

    def finish(self, target: Path) -> None:
        """Move the finished dataset to its final folder `target`.

        Raises:
            BadValue: no episode was kept.
            OSError: the folder cannot be moved.
        """
        (self._place / PROGRESS).unlink()
        if not self.kept:
            raise BadValue("record: expected an episode to keep, got none; nothing was recorded")
        _make_namespace(target)
        os.replace(self._place, target)


@contextmanager
def growing(
    target: Path, dataset: str, recording: Recording, env: gym.Env[Any, Any]
) -> Iterator[Growing]:
    """Open a new or unfinished dataset for recording; remove the dataset if no episode was played.

    Args:
        target: the final folder of the dataset, see `target_of`.
        dataset: Minari's name of the dataset, "namespace/name-v0".
        recording: the configuration of the recording.
        env: the recording's environment.

    Raises:
        BadValue: the unfinished dataset is damaged or belongs to another recording, or another process is
            recording the dataset.
        OSError: the dataset cannot be written.
    """
    place = target.parent / f".{target.name}.part"
    with _made(target.parent):
        lock = FileLock(target.parent / f".{target.name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise BadValue(f"record: another process records '{dataset}'") from None
        try:
            progress = _progress(place, recording)
            kept = progress["kept"]
            place.mkdir(exist_ok=True)
            storage = _opened(place, kept) if kept else _begun(place, dataset, recording, env)
            yield Growing(place, storage, progress)
        finally:
            if not (place / PROGRESS).exists():
                shutil.rmtree(place, ignore_errors=True)
            lock.release()
            Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder and its parents; when the `with` block ends, remove the new folders that are empty.

    Raises:
        OSError: a folder cannot be made.
    """
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with suppress(OSError):  # the folder is not empty
            for one in new:
                one.rmdir()


def target_of(dataset: str) -> Path:
    """Return the absolute path for a new dataset, without making the folder.

    Raises:
        BadValue: the name has another form, or a dataset of that name exists.
        MissingExtra: Minari is not installed.
    """
    try:
        from minari.dataset.minari_dataset import parse_dataset_id
    except ImportError as error:
        raise MissingExtra("record", "record") from error
    try:
        parse_dataset_id(dataset)
    except (ValueError, TypeError) as error:
        raise BadValue(
            f"dataset: expected a name such as 'optimus/wood-v0', got '{dataset}'"
        ) from error
    given = os.environ.get(ROOT)
    root = Path.home() / ".minari" / "datasets" if given is None else Path(given)
    target = root.absolute() / dataset  # Minari would join a relative path with itself
    if target.exists():
        raise BadValue(f"dataset: expected a new name, got '{dataset}', which exists: '{target}'")
    return target


def _make_namespace(target: Path) -> None:
    """Register the namespace of a new dataset with Minari, if Minari does not know it."""
    from minari.namespace import create_namespace, list_local_namespaces
    from minari.storage import get_dataset_path

    namespace = target.parent.relative_to(Path(get_dataset_path()).absolute()).as_posix()
    if namespace != "." and namespace not in list_local_namespaces():
        create_namespace(namespace)


def _progress(place: Path, recording: Recording) -> dict[str, Any]:
    """Return a recording's stored progress; empty progress if the folder `place` has no progress file.

    Raises:
        BadValue: the progress file belongs to another recording; the message names the fields that differ.
    """
    told = {**recording.plain(), "code": code_hash()}
    file = place / PROGRESS
    if not file.exists():
        return {"recording": told, "played": [], "kept": 0}
    found = read_json(file.read_bytes(), str(file))
    refuse_differences(
        place, found["recording"], {**told, "episodes": found["recording"]["episodes"]}
    )
    return dict(found)


def _begun(place: Path, dataset: str, recording: Recording, env: gym.Env[Any, Any]) -> Any:
    """Return a new Minari storage in the folder `place`."""
    import minari
    from minari.dataset.minari_storage import MinariStorage

    data = place / "data"
    shutil.rmtree(data, ignore_errors=True)
    storage = MinariStorage.new(
        data,
        observation_space=env.observation_space,
        action_space=env.action_space,
        env_spec=env.spec,
        data_format=_FORMAT,
        jpeg_encoding=False,
    )
    player = recording.config.name_of("controller")
    storage.update_metadata(
        {
            "dataset_id": dataset,
            "minari_version": minari.__version__,
            "algorithm_name": f"{recording.config.name_of('agent')} with {player}",
            "description": json.dumps({**recording.plain(), "code": code_hash()}),
            "requirements": [f"optimus-gym=={__version__}"],
        }
    )
    return storage


def _opened(place: Path, kept: int) -> Any:
    """Return the storage of an interrupted recording, without an episode that was written only in part.

    Args:
        place: the folder of the unfinished dataset.
        kept: the number of episodes in the progress file.

    Raises:
        BadValue: the storage is damaged.
    """
    from minari.dataset.minari_storage import MinariStorage

    try:
        storage = MinariStorage.read(place / "data")
        steps = sum(int(one["total_steps"]) for one in storage.get_episode_metadata(range(kept)))
        storage.update_metadata({"total_episodes": kept, "total_steps": steps})
        shutil.rmtree(place / "data" / str(kept), ignore_errors=True)
        return storage
    except Exception as error:
        raise BadValue(
            f"record: the unfinished dataset in '{place}' is damaged; delete it to start again: {error}"
        ) from error


def _compare(episode: PlayedEpisode, read: Mapping[str, Any]) -> None:
    """Compare a played episode with the stored episode that was read back.

    Raises:
        BadValue: an array of the episode differs; the message names the array.
    """
    pairs = {
        **{
            f"observations {k}": (v, read["observations"][k])
            for k, v in episode.observations.items()
        },
        "actions": (episode.actions, read["actions"]),
        "rewards": (episode.rewards, read["rewards"]),
        "terminations": (episode.terminated, read["terminations"]),
        "truncations": (episode.truncated, read["truncations"]),
    }
    for name, (written, found) in pairs.items():
        if not np.array_equal(written, np.asarray(found)):
            raise BadValue(
                f"record: seed {episode.seed}: the stored {name} differ from the played episode's"
            )
