"""What a change of the product changes for users, by commands that a seed draws."""
