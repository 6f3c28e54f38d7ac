"""The page and its HTTP API: the calculator of one sentence, and the browser of systems."""
