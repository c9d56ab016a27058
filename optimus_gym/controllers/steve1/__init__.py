"""STEVE-1 (Lifshitz et al. 2023): VPT's network that goes where a text or a video says."""

from optimus_gym.controllers.steve1.prior import TextToVisualPrior

__all__ = ["TextToVisualPrior"]
