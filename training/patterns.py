"""Works out ahead what klopt knows of the patterns of its own lexicons, so that none is compiled.

    python -m training.patterns      writes klopt/lexicons/patterns.json

To be run after a change of a pattern, a list of phrases or the version of ``regex``. What is not in
the file is worked out when it is first used, as that of a company is: nothing else depends on it.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import patch

import regex

from klopt import classifier, lexicons
from klopt.lexicons import Lexicon, patterns
from klopt.matching.language import SEARCHED


def worked_out() -> dict[str, Any]:
    """The version of ``regex``, the literals of each expression, and each one compiled."""
    literals: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    compiled: dict[str, list[Any]] = {}
    with patch.object(patterns, "_ahead", lambda: ({}, {})):
        for language in lexicons.languages():
            # One after the other: `Lexicon.compile` keeps what it made.
            tables = lexicons.load.__wrapped__(language)
            rules = classifier.rules_of.__wrapped__(tables)
            of_rules = [rule.pattern for group in rules.by_type.values() for rule in group]
            for pattern in (*(p for one in tables.values() for p in one.patterns), *of_rules):
                key = patterns.key_ahead(pattern.source, ignore_case=pattern.ignore_case)
                literals[pattern.source] = (
                    patterns.required_literals(pattern.source),
                    patterns.beginnings(pattern.source),
                )
                compiled[key] = patterns.made_of(
                    patterns.compile_pattern(pattern.source, ignore_case=pattern.ignore_case)
                )
            for name in SEARCHED:
                compiled |= _phrases(tables[name])
    return {"regex": regex.__version__, "literals": literals, "compiled": compiled}


def _phrases(lexicon: Lexicon) -> dict[str, list[Any]]:
    """The lists of a lexicon that texts are searched for; those of others are looked up."""
    return {
        "\n".join(patterns.longest_first(phrases)): patterns.made_of(
            patterns.compile_phrases(phrases)
        )
        for phrases in lexicon.lists.values()
    }


if __name__ == "__main__":
    file = Path(str(resources.files("klopt.lexicons").joinpath(patterns.AHEAD)))
    file.write_text(patterns.ahead_text(worked_out()), "utf-8")
