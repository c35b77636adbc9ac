"""Write a fitted profile as TOML that people can read, edit and review in a diff."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final

from klopt._internal.extras import needs
from klopt.evaluation.fitting.fitting import FittedWeights
from klopt.scoring.profile import Source, packed

with needs("evaluate", "writing a fitted profile needs tomlkit"):
    import tomlkit

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Characters that a TOML comment may not hold, or that editors read as a line end."""


def to_toml(
    base: str, fitted: FittedWeights, *, languages: Sequence[str], name: str, head: Sequence[str]
) -> str:
    """Return the text of a profile with fitted weights and thresholds.

    ``base`` is the profile that fitting started from; its comments stay, except those before its
    first section. ``head`` are comment lines at the top.
    """
    lines = dropwhile(lambda line: line.strip()[:1] in ("", "#"), base.split("\n"))
    document = tomlkit.parse("\n".join(lines))
    profile: Any = document["profile"]
    profile["name"] = name
    profile["source"] = "fitted by klopt fit; see the comment above"
    if fitted.thresholds is not None:
        verdict: Any = document.setdefault("verdict", tomlkit.table())
        for key, value in fitted.thresholds._asdict().items():
            verdict[key] = value
    evidence: Any = document.setdefault("evidence", tomlkit.table(is_super_table=True))
    for language in languages:
        weighing = fitted.evidence[language]
        terms = {name: dataclasses.asdict(term) for name, term in sorted(weighing.terms.items())}
        evidence[language] = tomlkit.item({"base": weighing.base, **terms})
    hashes: Any = document.pop("learnt", tomlkit.table())
    for language in languages:
        hashes.pop(language, None)
        if rows := fitted.rows.get(language):
            hashes[language] = tomlkit.value(f'"""\n{packed(rows)}\n"""')
    if hashes:
        document["learnt"] = hashes
    comments = "".join(f"# {line}".rstrip() + "\n" for line in map(_comment, head))
    return comments + tomlkit.dumps(document).lstrip("\n")


def extension(source: Source, folder: Path) -> str:
    """Return the text of an empty profile in a folder that extends another, for `to_toml`."""
    base = os.path.relpath(Path(source.name).resolve(), folder.resolve())
    table: dict[str, Any] = {"profile": {"name": "", "extends": Path(base).as_posix()}}
    return tomlkit.dumps(table)


def _comment(text: str) -> str:
    """Return text that fits into a comment; the name of a file may have a line end in it."""
    return _CONTROL.sub(" ", text).encode("utf-8", "backslashreplace").decode("utf-8")
