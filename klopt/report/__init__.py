"""What an evaluation says, worded once: as one HTML page without a network, and at a terminal."""
