"""Prompts that agents have in common, one file each."""
