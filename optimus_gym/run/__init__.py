"""The command line: play, evaluate, record, compare, report."""
