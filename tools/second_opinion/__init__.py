"""Player physics and recipes beside those of PrismarineJS, which other people wrote for the same game."""
