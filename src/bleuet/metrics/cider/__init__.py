"""CIDEr."""
