"""Floor 4: how a corpus is counted. Here: in this process, batch after batch."""
