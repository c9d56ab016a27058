"""The task suites, one file each."""
