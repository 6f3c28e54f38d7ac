"""SARI."""
