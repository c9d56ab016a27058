"""STEVE-1 (Lifshitz et al. 2023): VPT's network, trained to follow a goal from a text or a video."""

from typing import TYPE_CHECKING

from optimus_gym.core.exports import on_demand

if TYPE_CHECKING:
    from optimus_gym.controllers.steve1.prior import TextToVisualPrior

__all__ = ["TextToVisualPrior"]
__getattr__ = on_demand(__name__, dict.fromkeys(__all__, "prior"), "torch")
