"""Documents and the formats they are written in; files are written whole or not at all."""
