"""Test sets in many files, counted file by file in processes, on Ray or on Spark."""
