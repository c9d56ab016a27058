"""Show a training's progress with a bar (rate and time left), and save its model regularly."""

import os
from pathlib import Path
from types import TracebackType

from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import safe_mean

from optimus_gym.terminal.bars import bars


def save(model: BaseAlgorithm, path: Path) -> None:
    """Save a model in one step, so that the file `path` always holds a whole model."""
    unfinished = path.with_name(f"unfinished_{path.name}")
    model.save(unfinished)
    os.replace(unfinished, path)


class Watch(BaseCallback):
    """Show a training's progress; save the model every `every` updates, at the end and at an interruption.

    Args:
        name: the bar's name.
        steps: steps of the whole training.
        path: the model's file.
        every: updates between two saves, at least 1.
    """

    def __init__(self, name: str, steps: int, path: Path, every: int = 10) -> None:
        super().__init__()
        self._name, self._path, self._every, self._updates = name, path, every, 0
        self._bars = bars()
        self._bar = self._bars.add_task(name, total=steps)

    def __enter__(self) -> "Watch":
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()
        if getattr(self, "model", None) is not None:
            save(self.model, self._path)

    def _on_training_start(self) -> None:
        self._bars.update(self._bar, kept=self.model.num_timesteps)
        self._show()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self._updates += 1
        if self._updates % self._every == 0:
            save(self.model, self._path)
        self._show()

    def _show(self) -> None:
        recent = self.model.ep_success_buffer
        told = f"{self._name}, success {safe_mean(recent):.2f}" if recent else self._name
        self._bars.update(self._bar, completed=self.model.num_timesteps, description=told)
