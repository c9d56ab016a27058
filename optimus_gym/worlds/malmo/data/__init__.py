"""Tables of the wire: JSON lists, each row with its source."""
