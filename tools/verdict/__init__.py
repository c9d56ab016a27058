"""Calibrate and measure the rules' verdict on sub-goals (`optimus_gym.backbones.verdict`)."""
