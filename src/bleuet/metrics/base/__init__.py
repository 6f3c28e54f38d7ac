"""What metrics share: options, counting, scores, signatures and explanations."""
