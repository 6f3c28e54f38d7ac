"""Texts: the corpus, the readers that fill it, and what becomes of a text before it is counted."""
