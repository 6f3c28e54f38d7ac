"""The command `bleuet gate`."""
