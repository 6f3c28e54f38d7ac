"""Minimum Bayes risk: of candidates for each source, the one that is most like all of them."""
