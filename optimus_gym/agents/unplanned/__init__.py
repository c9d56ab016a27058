"""No planner: the simplest rival of every planner."""
