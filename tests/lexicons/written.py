"""Lexicon files as a company writes them."""


def lexicon_text(lexicon_id: str, body: str, language: str = "nl") -> str:
    """A lexicon file with a header that fits."""
    return f"""[lexicon]
id = "{lexicon_id}"
language = "{language}"
source = "us"
licence = "ours"
retrieved = 2026-11-22
changes = "none"

{body}
"""
