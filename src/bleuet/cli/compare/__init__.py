"""The command `bleuet compare`."""
