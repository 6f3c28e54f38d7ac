"""Metrics inside the frameworks of others, each in a module with the name of the framework."""
