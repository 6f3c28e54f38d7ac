"""RIBES."""
