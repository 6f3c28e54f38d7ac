"""Studies: what the tables of statistics of one or more systems show."""
