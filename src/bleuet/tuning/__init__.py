"""Tuning: the weights of a log-linear model that choose the best texts from n-best lists."""
