"""Files, locks, process pools and other parts that the packages share."""
