"""Laws that hold for every study, on generated test sets."""
