"""One line that says what a score was made with, like sacrebleu's signature."""

from __future__ import annotations

from importlib import metadata

from klopt.version import VERSION

_DIGITS = 8


def fingerprint(
    profile: str,
    profile_digest: str,
    language: str | None,
    lexicons_digest: str | None,
    pipeline: str | None,
) -> str:
    """Version, profile, language, tables, pipeline and translator, separated by ``|``.

    >>> fingerprint("afas", "0123456789", None, None, None)
    'klopt:0.3.0|profile:afas@01234567|language:none|lexicons:none|pipeline:none|spacy:none|translator:none'
    """
    parts = {
        "klopt": VERSION,
        "profile": f"{profile}@{profile_digest[:_DIGITS]}",
        "language": language or "none",
        "lexicons": lexicons_digest[:_DIGITS] if lexicons_digest else "none",
        "pipeline": pipeline or "none",
        "spacy": metadata.version("spacy") if pipeline else "none",
        "translator": "none",
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
