"""A web page on which people rate a company's answers, and decide what is suggested.

Only this machine reaches it. It writes what the command line reads: ``rated.jsonl``,
``suggestions.toml`` and the lexicons of a company's folder.
"""
