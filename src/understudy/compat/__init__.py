"""Floor 6: understudy under the names and flags of other tools."""
