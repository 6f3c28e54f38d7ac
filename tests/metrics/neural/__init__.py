"""Tests of neural metrics: small checkpoints of every class, and what the original packages say."""
