"""From results to policies: demonstrations."""
