"""The network of VPT and STEVE-1: it loads official checkpoints and acts for many rows at once."""

from typing import TYPE_CHECKING

from optimus_gym.core.exports import on_demand

if TYPE_CHECKING:
    from optimus_gym.controllers.vpt.policy import VPTOutput, VPTPolicy

__all__ = ["VPTOutput", "VPTPolicy"]
__getattr__ = on_demand(__name__, dict.fromkeys(__all__, "policy"), "torch")
