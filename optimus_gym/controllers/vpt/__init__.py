"""VPT's network and STEVE-1's: what official checkpoints hold, and how they act for many rows at once."""

from optimus_gym.controllers.vpt.policy import VPTOutput, VPTPolicy

__all__ = ["VPTOutput", "VPTPolicy"]
