"""Inspection: what is wrong with the files before their scores are believed."""
