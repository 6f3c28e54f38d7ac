"""NIST."""
