"""Writes a learnt profile as TOML that a person can read, change and review in a diff."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import tomlkit
from tomlkit.items import Table

from klopt.scoring.tree import Cut, Node, Weighing
from klopt.tuning.fitting import Learnt

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
    document = tomlkit.parse(_without_head(base))
    profile: Any = document["profile"]
    profile["name"] = name
    profile["source"] = "learnt by klopt fit; the comment above says from what"
    _put_cuts(document, learnt.tree)
    evidence: Any = document.get("evidence")
    if evidence is None:
        evidence = document["evidence"] = tomlkit.table(is_super_table=True)
    for language in languages:
        evidence[language] = _table(learnt.evidence[language])
    comments = "".join(f"# {line}".rstrip() + "\n" for line in map(_one_line, head))
    return comments + tomlkit.dumps(document).lstrip("\n")


def _one_line(text: str) -> str:
    """The text as a comment of TOML may hold it: a file's name may have a line end in it."""
    kept = _CONTROL.sub(" ", text)
    return kept.encode("utf-8", "backslashreplace").decode("utf-8")


def _without_head(text: str) -> str:
    """The text without the comment at its top."""
    lines = text.split("\n")
    start = next(
        (at for at, line in enumerate(lines) if line.strip() and line.strip()[0] != "#"), 0
    )
    return "\n".join(lines[start:])


def _put_cuts(document: tomlkit.TOMLDocument, tree: Sequence[Node]) -> None:
    """The cuts at their places and scores; those that are gone are left out."""
    kept: Mapping[str, Node] = {node.node: node for node in tree}
    nodes: Any = document["tree"]
    for number in reversed(range(len(nodes))):
        entry: Any = nodes[number]
        node = kept.get(entry["node"])
        if node is None:
            del nodes[number]
        elif isinstance(node, Cut):
            for key in ("below", "at_least"):
                if key in entry:
                    entry[key] = getattr(node, key)
            entry["score"] = node.score


def _table(weighing: Weighing) -> Table:
    table = tomlkit.table()
    table["base"] = weighing.base
    for name, term in sorted(weighing.terms.items()):
        entry = tomlkit.table()
        entry["weight"] = term.weight
        entry["neutral"] = term.neutral
        table[name] = entry
    return table
