"""WER, and the rates that are computed from the same edits."""
