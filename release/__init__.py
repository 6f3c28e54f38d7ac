"""Builds what a release consists of, and checks it before it is published."""
