"""The results of evaluations: a row for each episode, and the folder of the rows."""
