"""The command `understudy gate`."""
