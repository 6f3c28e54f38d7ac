"""Questions asked of tables of statistics and scores: the answers are numbers and findings."""
