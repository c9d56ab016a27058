"""Import and export of experience: public memories of Optimus-1 and JARVIS-1, and a portable file."""
