"""The game's end of the wire: MineRL's clients play in worlds of this package.

`game_server` listens, `sessions` talks to a client, `seats` lends worlds to clients, `embedded_games` makes
the worlds. `shims` writes the programs `java` and `xvfb-run` that stand in for the real ones, and `stand_in`
is what these programs run.
"""
