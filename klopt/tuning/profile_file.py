"""Writes a learnt profile as TOML that a person can read, change and review in a diff."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final

from klopt.extras import needs
from klopt.scoring.profile import Source, packed
from klopt.tuning.fitting import LearntWeights

with needs("evaluate", "writing a learnt profile needs tomlkit"):
    import tomlkit

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What a comment of TOML may not hold, and what an editor may take for the end of a line."""


def to_toml(
    base: str, learnt: LearntWeights, *, languages: Sequence[str], name: str, head: Sequence[str]
) -> str:
    """A profile file: the one that was learnt from, with what was learnt put in its place.

    Returns:
        TOML, all else in ``base`` untouched, comments included, but for those before its first
        section.
    """
    lines = dropwhile(lambda line: line.strip()[:1] in ("", "#"), base.split("\n"))
    document = tomlkit.parse("\n".join(lines))
    profile: Any = document["profile"]
    profile["name"] = name
    profile["source"] = "learnt by klopt fit; the comment above says from what"
    if learnt.lines is not None:
        verdict: Any = document.setdefault("verdict", tomlkit.table())
        for key, value in learnt.lines._asdict().items():
            verdict[key] = value
    evidence: Any = document.setdefault("evidence", tomlkit.table(is_super_table=True))
    for language in languages:
        weighing = learnt.evidence[language]
        terms = {name: dataclasses.asdict(term) for name, term in sorted(weighing.terms.items())}
        evidence[language] = tomlkit.item({"base": weighing.base, **terms})
    _put_rows(document, learnt, languages)
    comments = "".join(f"# {line}".rstrip() + "\n" for line in map(_one_line, head))
    return comments + tomlkit.dumps(document).lstrip("\n")


def extension(source: Source, folder: Path) -> str:
    """The text of a profile that extends another, for `to_toml` to put in what was learnt."""
    base = os.path.relpath(Path(source.name).resolve(), folder.resolve())
    table: dict[str, Any] = {"profile": {"name": "", "extends": Path(base).as_posix()}}
    return tomlkit.dumps(table)


def _put_rows(
    document: tomlkit.TOMLDocument, learnt: LearntWeights, languages: Sequence[str]
) -> None:
    """The judged answers behind what was learnt, as hashes; none of a language without any."""
    table: Any = document.pop("learnt", tomlkit.table())
    for language in languages:
        table.pop(language, None)
        if rows := learnt.rows.get(language):
            table[language] = tomlkit.value(f'"""\n{packed(rows)}\n"""')
    if table:
        document["learnt"] = table


def _one_line(text: str) -> str:
    """The text as a comment of TOML may hold it: a file's name may have a line end in it."""
    kept = _CONTROL.sub(" ", text)
    return kept.encode("utf-8", "backslashreplace").decode("utf-8")
