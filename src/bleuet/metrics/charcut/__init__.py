"""CharCut."""
