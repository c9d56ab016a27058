"""Calibrates and measures the rules' verdict on sub-goals (`optimus_gym.backbones.verdict`)."""
