"""The unmodified clients of MineRL 0.4.4 and MineStudio 1.1.6: their environments, and programs that play."""
