"""Writes a learnt profile as TOML that a person can read, change and review in a diff."""

from __future__ import annotations

import dataclasses
import os
import re
import tomllib
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final

from klopt.extras import needs
from klopt.scoring.inheritance import Source
from klopt.scoring.learnt_rows import packed
from klopt.scoring.tree import Cut, Node
from klopt.tuning.fitting import Learnt

with needs("evaluate", "writing a learnt profile needs tomlkit"):
    import tomlkit

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What a comment of TOML may not hold, and what an editor may take for the end of a line."""


def to_toml(
    base: str, learnt: Learnt, *, languages: Sequence[str], name: str, head: Sequence[str]
) -> str:
    """A profile file: the one that was learnt from, with what was learnt put in its place.

    Args:
        base: The text of the profile that named what to learn.
        learnt: What was learnt.
        languages: The languages that were learnt; the others stay as they are.
        name: The new profile's name.
        head: Lines for the comment at the top: what it was learnt from, and how right it is.

    Returns:
        TOML, all else in ``base`` untouched, comments included, but for those before its first
        section.
    """
    lines = dropwhile(lambda line: line.strip()[:1] in ("", "#"), base.split("\n"))
    document = tomlkit.parse("\n".join(lines))
    profile: Any = document["profile"]
    profile["name"] = name
    profile["source"] = "learnt by klopt fit; the comment above says from what"
    _put_cuts(document, learnt.tree)
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


def extension(source: Source, folder: Path, *, with_tree: bool) -> str:
    """The text of a profile that extends another, for `to_toml` to put in what was learnt.

    Args:
        source: Of the profile that it extends, a file.
        folder: Where it will stand; what it extends is named from there.
        with_tree: Whether it has a tree of its own.
    """
    base = os.path.relpath(Path(source.name).resolve(), folder.resolve())
    table: dict[str, Any] = {"profile": {"name": "", "extends": Path(base).as_posix()}}
    if with_tree:
        table["tree"] = source.whole(tomllib.loads(source.text))["tree"]
    return tomlkit.dumps(table)


def _put_rows(document: tomlkit.TOMLDocument, learnt: Learnt, languages: Sequence[str]) -> None:
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


def _put_cuts(document: tomlkit.TOMLDocument, tree: Sequence[Node]) -> None:
    """The cuts at their places and scores; those that are gone are left out."""
    kept = {node.node: node for node in tree}
    nodes: Any = document.get("tree", ())
    for number in reversed(range(len(nodes))):
        entry = nodes[number]
        node = kept.get(entry["node"])
        if node is None:
            del nodes[number]
        elif isinstance(node, Cut):
            side = "below" if node.below is not None else "at_least"
            entry[side], entry["score"] = getattr(node, side), node.score
