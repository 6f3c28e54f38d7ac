"""CharacTER."""
