"""The page: its HTML, style and scripts, each in a file of its own, and what puts them together."""
