"""The command `understudy compare`."""
