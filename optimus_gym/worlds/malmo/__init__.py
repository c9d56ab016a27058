"""The wire between MineRL's Python clients and the game: messages, missions, actions and reports, both ends.

MineRL 0.4.4, MineRL 1.0 and MineStudio talk to the game's Java process over TCP. `dialects` says how the
three differ. The world "minerl" speaks the client's part; `optimus_gym.serve` speaks the game's part.
"""
