"""The helper by mouse: it opens the game's screens, moves the cursor and clicks, in worlds with a mouse."""
