"""VPT's network and STEVE-1's: what official checkpoints hold, and how they act for many rows at once."""

from typing import TYPE_CHECKING, Any

from optimus_gym.core.errors import MissingExtra

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTOutput, VPTPolicy

__all__ = ["VPTOutput", "VPTPolicy"]


def __getattr__(name: str) -> Any:
    """Import the network when it is asked for: the controller beside it is there without torch.

    Raises:
        MissingExtra: torch is not installed.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from optimus_gym.controllers.vpt import policy
    except ImportError as error:
        raise MissingExtra(f"{__name__}.{name}", "torch") from error
    return getattr(policy, name)
