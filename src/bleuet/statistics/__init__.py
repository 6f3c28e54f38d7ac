"""Floor 2: tables of sufficient statistics and the two programs that count them."""
