"""Floor 3: the metrics, their scores and signatures, and the catalogue that lists them."""
