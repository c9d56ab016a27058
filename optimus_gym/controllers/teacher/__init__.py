"""The controller `teacher`: gives the right action for any state, for policies that learn by imitation."""
