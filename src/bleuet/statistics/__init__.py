"""Tables of sufficient statistics, the two backends that count them, and resampling."""
