"""What texts mean, as vectors: the same in any of some thirty languages."""
