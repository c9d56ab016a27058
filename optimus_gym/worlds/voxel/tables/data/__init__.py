"""Rules of the embedded world that are plain tables: JSON lists, each row with its source."""
