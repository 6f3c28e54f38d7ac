"""COMET (Rei et al. 2020, 2022; Guerreiro et al. 2024), and the sentinels with the same layout."""
