"""Lint: problems of files that make their scores wrong."""
