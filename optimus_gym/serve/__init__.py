"""Servers: MineRL's clients and outside minds play in worlds of this package.

For MineRL's clients, `game_server` listens, `sessions` talks to a client, `seats` lends worlds to clients,
`embedded_games` makes the worlds, `memory_pool` lets the threads share memory. `shims` writes the programs
`java` and `xvfb-run` that stand in for the real ones, and `stand_in` is what these programs run.

For outside minds, `mcp_tools` and `openenv_tools` offer the tools of `wrappers.tool_env` by two protocols.
`tool_calls` has the tools' forms and calls, `tool_seats` lends worlds to clients, and `door_guard` turns
foreign pages away.
"""
