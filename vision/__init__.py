"""From pictures to readings of cards and observations of a table."""
