"""Lexicon files of a company."""


def lexicon_text(lexicon_id: str, body: str, language: str = "nl") -> str:
    """A lexicon file with a valid header."""
    return f"""[lexicon]
id = "{lexicon_id}"
language = "{language}"
source = "us"
licence = "ours"
retrieved = 2026-11-22
changes = "none"

{body}
"""
