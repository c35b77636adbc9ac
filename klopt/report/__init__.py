"""What an evaluation says, as one HTML page that needs no network."""
