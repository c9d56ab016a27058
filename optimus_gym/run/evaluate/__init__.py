"""Play the tasks of a suite and store a row of results for each episode."""

from optimus_gym.run.evaluate.distributing import evaluate
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.key_frames import Pictures
from optimus_gym.run.results.row import EpisodeRow

__all__ = ["EpisodeRow", "Evaluation", "Pictures", "evaluate"]
