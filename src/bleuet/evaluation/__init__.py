"""What systems score: their tables of statistics, external scores, scores of all segments."""
