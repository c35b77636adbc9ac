"""One line that says what a score was made with, like sacrebleu's signature."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata

from klopt.version import VERSION

_DIGITS = 8


def fingerprint(
    profile: str,
    profile_digest: str,
    language: str | None,
    lexicons: Sequence[str] = (),
    pipelines: Sequence[str] = (),
    translator: str | None = None,
) -> str:
    """Version, profile, language, tables, pipelines and translator, separated by ``|``.

    Args:
        profile: The profile's name.
        profile_digest: SHA-256 of its file.
        language: Of the turn.
        lexicons: The digests of the tables that were used; two where a turn was read in two
            languages.
        pipelines: The signatures of the pipelines that were used.
        translator: What translated.

    >>> fingerprint("afas", "0123456789", None)
    'klopt:0.4.0|profile:afas@01234567|language:none|lexicons:none|pipeline:none|spacy:none|translator:none'
    """
    parts = {
        "klopt": VERSION,
        "profile": f"{profile}@{profile_digest[:_DIGITS]}",
        "language": language or "none",
        "lexicons": "+".join(digest[:_DIGITS] for digest in lexicons) or "none",
        "pipeline": "+".join(pipelines) or "none",
        "spacy": metadata.version("spacy") if pipelines else "none",
        "translator": translator or "none",
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
