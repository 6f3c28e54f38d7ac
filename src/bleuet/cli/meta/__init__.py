"""The command `bleuet meta`."""
