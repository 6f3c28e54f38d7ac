"""The command `understudy significance`."""
