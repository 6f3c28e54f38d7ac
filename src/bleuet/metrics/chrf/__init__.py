"""chrF and chrF++."""
