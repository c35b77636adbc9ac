"""Page retrieval: an index file of pages read at build time, and its search."""
