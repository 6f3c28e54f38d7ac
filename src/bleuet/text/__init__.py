"""Texts: segments and corpora, the readers of files, tokenizers and validation."""
