"""The task suites, a file each."""
