"""The rules of Minecraft 1.16.5 and the task suites, as typed frozen tables."""
