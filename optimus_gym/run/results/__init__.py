"""The results of evaluations: a row an episode, and the folder that stores the rows."""
