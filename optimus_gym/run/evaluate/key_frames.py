"""Take pictures while episodes are played: key frames of each episode, and films of chosen episodes."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.powers import powers_of
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.run.episode import TICKS_A_FRAME, Recorder
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.panel import WIDTH as PANEL_WIDTH
from optimus_gym.run.results.results_folder import FRAMES, VIDEOS
from optimus_gym.run.results.sheets import DRAWN, Sheet, sheet_name
from optimus_gym.terminal.parser import listed
from optimus_gym.wrappers.exposure import Exposure
from optimus_gym.wrappers.video import VideoWriter

FILMED: Final = ("none", "first", "failed", "all")
"""Choices of episodes to film: no episode, each task's first one, the unsuccessful ones, or all."""
_SIZE: Final = (640, 360)
"""Width and height of a film's picture in pixels, without the panel on its right."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The settings for pictures: which key frames and films an evaluation keeps.

    Raises:
        BadValue: a value cannot be used.
    """

    frames: bool = True
    """Whether each episode's key frames are kept."""
    videos: str = "none"
    """Which episodes are filmed: one of `FILMED`, or "TASK:EPISODE,..."."""
    every: int = TICKS_A_FRAME
    """Ticks from one picture of a film to the next."""
    true_light: bool = False
    """Whether films show dark places as the player sees them; otherwise dark places are brightened."""

    def __post_init__(self) -> None:
        check_count("every", self.every, 1)
        if self.videos not in FILMED:
            _named(self.videos)

    @property
    def are_asked(self) -> bool:
        """Return whether any pictures are kept."""
        return self.frames or self.videos != "none"

    def may_film(self, job: Job) -> bool:
        """Return whether to film an episode; `keeps` decides at the end whether the film stays."""
        if self.videos in FILMED:
            return self.videos in ("failed", "all") or (self.videos == "first" and job.episode == 0)
        return (job.task, job.episode) in _named(self.videos)

    def keeps(self, success: bool) -> bool:
        """Return whether to keep the film of a finished episode."""
        return not (self.videos == "failed" and success)

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values, from which `Pictures(**values)` makes an equal object."""
        return asdict(self)


KEY_FRAMES: Final = Pictures()
"""Default settings: key frames of each episode, and no films."""


def _named(videos: str) -> Collection[tuple[str, int]]:
    """Return the episodes that the text "TASK:EPISODE,..." names.

    Raises:
        BadValue: the text has another form.
    """
    found = []
    for text in listed(videos) or ("",):
        task, colon, episode = text.partition(":")
        if not task or not colon or not episode.isdecimal():
            raise BadValue(
                f"videos: expected {', '.join(map(repr, FILMED))} or TASK:EPISODE,..., "
                f"got {shown(videos)}"
            )
        found.append((task, int(episode)))
    return found


def fitting(pictures: Pictures, evaluation: Evaluation) -> Pictures:
    """Return `pictures`, or settings without key frames if the world lacks the power "pictures".

    Raises:
        BadValue: `videos` asks for films although the world draws no pictures, or names an episode that is
            not evaluated.
    """
    if pictures.videos not in FILMED:
        played = {(job.task, job.episode) for job in evaluation.jobs}
        for task, episode in _named(pictures.videos):
            if (task, episode) not in played:
                raise BadValue(
                    f"videos: expected an episode that is evaluated, got {task}:{episode}"
                )
    if "pictures" in powers_of(evaluation.config):
        return pictures
    if pictures.videos != "none":
        world = evaluation.config.name_of("world")
        raise BadValue(f"videos: expected a world that draws pictures, got {world!r}")
    return Pictures(frames=False)


class Unwritable(BadValue):
    """Error: a picture cannot be written; the episode is not at fault."""


class Camera:
    """Takes pictures of the episodes that the rows of an environment play; methods may raise `Unwritable`.

    Args:
        pictures: which pictures to keep.
        folder: the evaluation's folder.
        view: the sub-goal view whose rows play the episodes.
    """

    def __init__(self, pictures: Pictures, folder: Path, view: SubGoalView) -> None:
        self._pictures = pictures
        self._folder = folder
        self._view = view
        self._sheets: dict[int, Sheet] = {}
        self._films: dict[int, tuple[VideoWriter, Recorder]] = {}
        view.watch_ends(self._ended)

    def begin(self, row: int, job: Job) -> None:
        """Start taking pictures of an episode that has begun in `row`."""
        if self._pictures.frames:
            self._sheets[row] = Sheet()
            self._snap(row)
        if self._pictures.may_film(job):
            with _writing():
                path = self._folder / _film_of(job)
                path.parent.mkdir(exist_ok=True)
                writer = VideoWriter(path, _SIZE[0] + PANEL_WIDTH, _SIZE[1])
                recorder = Recorder(self._exposure(row), writer, self._pictures.every)
                self._films[row] = writer, recorder
                recorder.take(self._view.progress(row))

    def tick(self, row: int) -> None:
        """Add a picture to the film of `row` if this tick is due for a picture."""
        if row in self._films:
            _, recorder = self._films[row]
            if recorder.due():
                with _writing():
                    recorder.tick(self._view.progress(row))
            else:
                recorder.skip()

    def _ended(self, outcome: Outcome) -> None:
        """Take a key frame at a sub-goal's end, and note the sub-goal's outcome in the film."""
        if outcome.row in self._sheets:
            self._snap(outcome.row)
        if outcome.row in self._films:
            self._films[outcome.row][1].ended(str(outcome))

    def finish(self, row: int, job: Job, status: str) -> None:
        """Write the pictures of a finished episode."""
        with _writing():
            sheet = self._sheets.pop(row, None)
            if sheet is not None:
                path = self._folder / _sheet_of(job)
                path.parent.mkdir(exist_ok=True)
                sheet.write(path)
            if row in self._films:
                writer, recorder = self._films.pop(row)
                if self._pictures.keeps(status == "success"):
                    recorder.finish(self._view.progress(row), status)
                    writer.close()
                else:
                    writer.discard()

    def close(self) -> None:
        """Discard the unfinished films."""
        for writer, _ in self._films.values():
            writer.discard()
        self._films.clear()

    def _exposure(self, row: int) -> Exposure:
        """Return the object that draws a film's pictures of `row`, brightened if dark unless `true_light`."""
        runtime = self._view.runtime
        can_brighten = not self._pictures.true_light and "night_vision" in runtime.can
        bright = partial(runtime.bright_frame, row, _SIZE)
        return Exposure(partial(runtime.frame, row, _SIZE), bright if can_brighten else None)

    def _snap(self, row: int) -> None:
        self._sheets[row].add(self._view.runtime.frame(row, DRAWN))


def _film_of(job: Job) -> str:
    return f"{VIDEOS}/{job.task}_{job.episode}.mp4"


def _sheet_of(job: Job) -> str:
    return f"{FRAMES}/{sheet_name(job.task, job.episode)}"


def picture_files(job: Job) -> tuple[str, ...]:
    """Return the paths, in the evaluation's folder, of the pictures that an episode may leave."""
    return _sheet_of(job), _film_of(job)


@contextmanager
def _writing() -> Iterator[None]:
    """Turn write errors into `Unwritable`, so that callers can tell them from errors of the episode.

    Raises:
        Unwritable: a picture or its folder cannot be written.
    """
    try:
        yield
    except (OSError, BadValue) as error:
        raise Unwritable(f"pictures cannot be written: {error}") from error


def camera_of(told: Mapping[str, Any] | None, view: SubGoalView) -> Camera | None:
    """Return the camera that the settings `told` describe; None if `told` is None."""
    if told is None:
        return None
    return Camera(Pictures(**told["pictures"]), Path(told["folder"]), view)
