"""Other languages through English: what is translated, what must survive, what is remembered."""
