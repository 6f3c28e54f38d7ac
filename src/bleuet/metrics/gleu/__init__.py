"""GLEU."""
