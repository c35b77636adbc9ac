"""Pages read ahead: one file that holds them, ready to be scored with, and finds them."""
