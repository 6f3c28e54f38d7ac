"""The command `understudy meta`."""
