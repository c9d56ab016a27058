"""STEVE-1 (Lifshitz et al. 2023): VPT's network that goes where a text or a video says."""

from typing import TYPE_CHECKING, Any

from optimus_gym.core.errors import MissingExtra

if TYPE_CHECKING:
    from optimus_gym.controllers.steve1.prior import TextToVisualPrior

__all__ = ["TextToVisualPrior"]


def __getattr__(name: str) -> Any:
    """Import the prior when it is asked for: the controller beside it is there without torch.

    Raises:
        MissingExtra: torch is not installed.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from optimus_gym.controllers.steve1.prior import TextToVisualPrior
    except ImportError as error:
        raise MissingExtra(f"{__name__}.{name}", "torch") from error
    return TextToVisualPrior
