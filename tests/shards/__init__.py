"""Test sets in shards."""
