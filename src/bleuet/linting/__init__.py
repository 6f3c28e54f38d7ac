"""Lint: problems in files that make the scores wrong."""
