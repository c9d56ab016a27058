"""VPT's heads: joint buttons, the camera's bins, and the value with its running scale."""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

BUTTONS: Final = 8641
CAMERA: Final = 121
LEAST_VARIANCE: Final = 1e-2
LEAST_WEIGHT: Final = 1e-5


class CategoricalHead(nn.Module):
    """Log-probabilities of some values."""

    def __init__(self, hidsize: int, values: int) -> None:
        super().__init__()
        self.linear_layer = nn.Linear(hidsize, values)

    def forward(self, latent: Tensor, temperature: float) -> Tensor:
        """Return log-probabilities (float32[..., values])."""
        return functional.log_softmax(self.linear_layer(latent).float() / temperature, -1)


class ActionHeads(nn.Module):
    """Buttons and camera, drawn independently of each other."""

    def __init__(self, hidsize: int, temperature: float) -> None:
        super().__init__()
        self._temperature = temperature
        self.camera = CategoricalHead(hidsize, CAMERA)
        self.buttons = CategoricalHead(hidsize, BUTTONS)

    def forward(self, latent: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of buttons (float32[..., 8641]) and camera (float32[..., 121])."""
        return self.buttons(latent, self._temperature), self.camera(latent, self._temperature)


class Normalizer(nn.Module):
    """The running mean and variance that scaled the values in training."""

    def __init__(self) -> None:
        super().__init__()
        self.running_mean = nn.Parameter(torch.zeros(1), requires_grad=False)
        self.running_mean_sq = nn.Parameter(torch.zeros(1), requires_grad=False)
        self.debiasing_term = nn.Parameter(torch.tensor(0.0), requires_grad=False)

    def forward(self, scaled: Tensor) -> Tensor:
        """Return values in their own unit."""
        weight = self.debiasing_term.clamp(min=LEAST_WEIGHT)
        mean = self.running_mean / weight
        variance = (self.running_mean_sq / weight - mean**2).clamp(min=LEAST_VARIANCE)
        return scaled * variance.sqrt() + mean


class ValueHead(nn.Module):
    """The value of a tick."""

    def __init__(self, hidsize: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidsize, 1)
        self.normalizer = Normalizer()

    def forward(self, latent: Tensor) -> Tensor:
        """Return values (float32[...])."""
        out: Tensor = self.normalizer(self.linear(latent).float())
        return out.squeeze(-1)
