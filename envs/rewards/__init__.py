"""Rewards: named parts that pay for the change of each tick, and what asks them."""
