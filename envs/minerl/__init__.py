"""MineRL's tasks as the environments `MineRL/<Task>-v0`: spaces, rewards and ends of MineRL 0.4.4 and 1.0."""
