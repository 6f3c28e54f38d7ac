"""What systems score: evaluations of texts, saved tables and external scores; all segments."""
