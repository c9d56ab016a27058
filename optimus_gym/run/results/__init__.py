"""What evaluations leave behind: a row an episode, and the folder that they lie in."""
