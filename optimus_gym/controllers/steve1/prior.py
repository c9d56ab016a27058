"""STEVE-1's prior (Lifshitz et al. 2023, section 3.3), which turns a text's features into a video's.

The prior is a conditional variational autoencoder over MineCLIP's features. The network's modules have the
names that the official checkpoint uses.
"""

import os

import torch
from torch import Tensor, nn

from optimus_gym.controllers.steve1.goal_videos import FEATURES
from optimus_gym.core.errors import BadValue
from optimus_gym.core.weights import fill_network, read_tensors


def _layers(out: int) -> nn.Sequential:
    """Return two layers with norms and a last layer, which map two joined vectors to `out` features."""
    return nn.Sequential(
        nn.Linear(2 * FEATURES, FEATURES),
        nn.LayerNorm(FEATURES),
        nn.ReLU(),
        nn.Linear(FEATURES, FEATURES),
        nn.LayerNorm(FEATURES),
        nn.ReLU(),
        nn.Linear(FEATURES, out),
    )


class TextToVisualPrior(nn.Module):
    """Turns MineCLIP's features of texts into features of videos that fit the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = _layers(2 * FEATURES)
        self.decoder = _layers(FEATURES)

    def forward(self, text: Tensor, latent: Tensor | None = None) -> Tensor:
        """Return features of videos that fit the texts (float[n, 512]); each can serve as a goal.

        Args:
            text: features of texts (float[n, 512]), not normalised.
            latent: variables for what a text leaves open about its video (float[n, 512]), drawn from a
                standard normal distribution; None: zeros, the distribution's mean.

        Raises:
            BadValue: a shape is wrong.
        """
        _check("text", text, text)
        latent = torch.zeros_like(text) if latent is None else latent
        _check("latent", latent, text)
        out: Tensor = self.decoder(torch.cat([latent, text], -1))
        return out

    def posterior(self, video: Tensor, text: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log-variance of the latent variables for videos and texts (float[n, 512] each).

        Args:
            video: features of the video (float[n, 512]).
            text: features of the video's text (float[n, 512]).

        Raises:
            BadValue: a shape is wrong.
        """
        _check("text", text, text)
        _check("video", video, text)
        mean, variance = self.encoder(torch.cat([video, text], -1)).chunk(2, -1)
        return mean, variance


def load_prior(path: str | os.PathLike[str]) -> TextToVisualPrior:
    """Return the prior of an official checkpoint, on the CPU.

    Raises:
        BadValue: the file cannot be read, or belongs to another network; the message names missing and
            unexpected weights.
    """
    prior = TextToVisualPrior()
    fill_network(prior, read_tensors(path), path)
    return prior.eval()


def _check(name: str, given: Tensor, like: Tensor) -> None:
    if given.ndim != 2 or given.shape[1] != FEATURES or given.shape != like.shape:
        wanted = f"({len(like)}, {FEATURES})" if like.ndim == 2 else f"(n, {FEATURES})"
        raise BadValue(f"{name}: expected float {wanted}, got {tuple(given.shape)}")
