"""Floor 4: who carries the map out. Here: this process, batch after batch."""
