"""The command `bleuet significance`."""
