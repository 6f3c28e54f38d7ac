"""bleuet under the names and flags of other tools."""
