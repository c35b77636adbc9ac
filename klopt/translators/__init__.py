"""Translators that ask a server: packed, paced, with time-outs, and without keys in sight."""
