"""Suggest what to map where a log has no field that klopt reads as question or answer."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations
from typing import Any, Final

from klopt._internal.fields import field_names, field_of, fold, opened, rename, values_at
from klopt.logs.formats import Names
from klopt.logs.products import is_article, likely_names, lists_in

_MAX_PATH_CHARS: Final = 100
_MAX_PATHS: Final = 200
_MAX_DEPTH: Final = 6
_SHOWN_NAMES: Final = 15
_ROLES: Final = range(2, 5)  # different values of a field that may say who wrote a message
_NO_TEXT: Final = re.compile(r"https?://\S+|\S+@\S+|[\d\W]+|\S{1,60}")  # addresses, numbers, words
_FILE: Final = re.compile(r"[^@]+\.[a-z]{2,5}")  # the name of a page, which wrote no message
_MAX_QUESTIONS: Final = 0.7  # Share of questions among messages; in a log of turns it is larger
_OF_RESULTS: Final = frozenset({"score", "verdict", "fingerprint"})  # fields of `klopt score -o`
_LEAST: Final = {"question": 1.0, "answer": 0.1}  # Likeness below which a field is not suggested

Sample = Mapping[str, Sequence[str]]  # Path → the texts at it in some rows


def suggested(
    rows: Sequence[Mapping[str, Any]],
    names: Names,
    needed: Sequence[str] = ("question", "answer"),
    where: str = "FILE",
) -> str | None:
    """Return what the rows lack and the options that probably help; None if they lack nothing.

    >>> row = {"klanttekst": "Kan dat?", "bottekst": "Ja, dat kan.", "nr": "1"}
    >>> print(suggested([row], None).partition("Probably: ")[2])
    --map question=klanttekst --map answer=bottekst
    >>> row = {"id": "1", "score": 4.4, "verdict": "send", "fingerprint": "klopt:1.0.0"}
    >>> print(suggested([row], None).partition(". ")[2])
    These are results of klopt score; give the log that was scored
    """
    columns = list(dict.fromkeys(str(name)[:40] for row in rows for name in row))
    shown = ", ".join(columns[:_SHOWN_NAMES]) + (" …" if len(columns) > _SHOWN_NAMES else "")
    for ours, path in (names or {}).items():
        if ours in field_names() and not any(values_at(row, path) for row in rows) and ours != "id":
            return (
                f"no row can be read with {_options({ours: path})}; the fields are {shown}. Files "
                "with other fields take a run of their own"
            )
    read = {ours for row in rows for ours in rename(row, "turn", {})}
    missing = [ours for ours in needed if ours not in read and ours not in (names or {})]
    if not missing:
        return None
    what = f"no field is read as {' or '.join(missing)}; the fields are {shown}"
    lists = ([rows[0]], *lists_in(rows[0]))
    if any(is_article(rename(items[0], "page", {})) for items in lists):
        return f"{what}. These are help pages; to score a log: klopt score LOG --pages {where}"
    if {*rows[0]} >= _OF_RESULTS:
        return f"{what}. These are results of klopt score; give the log that was scored"
    if len(missing) == 2 and (options := _of_messages(rows)):
        return f"{what}. Probably: {options}"
    sample = _sample(rows)
    best = _best_pair(sample, missing, names)
    if best:
        chosen = {ours: best.get(ours, "FIELD") for ours in missing}
        return f"{what}. Probably: {_options(chosen)}"
    unknown = _options(dict.fromkeys(missing, "FIELD"))
    return f"{what}. Name the fields that hold them: {unknown}"


def _options(fields: Mapping[str, str]) -> str:
    return " ".join(f"--map {shlex.quote(f'{ours}={path}')}" for ours, path in fields.items())


def _sample(rows: Sequence[Mapping[str, Any]]) -> Sample:
    texts: dict[str, list[str]] = {}
    for row in rows:
        for path, text in islice(_texts(row), _MAX_PATHS):
            if len(path) <= _MAX_PATH_CHARS:  # a longer one is no name
                texts.setdefault(path, []).append(text)
    return texts


def _texts(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the texts in a value with their paths; of a list the first item."""
    value = opened(value)
    if isinstance(value, str) and value.strip():
        yield path, value.strip()
    elif depth < _MAX_DEPTH and isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, f"{path}.{name}" if path else str(name), depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, list) and value:
        yield from _texts(value[0], f"{path}[0]", depth + 1)


def _best_pair(sample: Sample, missing: Sequence[str], names: Names) -> dict[str, str]:
    """Return the likeliest path of each missing field, by what the texts look like."""
    free = [path for path in sample if field_of(path, names) is None and _is_text(sample[path])]
    scores = {
        (ours, path): _likeness(ours, path, sample[path]) for ours in missing for path in free
    }

    def likeness(paths: Sequence[str]) -> float:
        in_lists = sum("[" in path for path in paths)  # as pages are, rather than an answer
        return sum(scores[pair] for pair in zip(missing, paths, strict=True)) - 2 * in_lists

    best = max(permutations(free, len(missing)), key=likeness, default=())
    chosen = dict(zip(missing, best, strict=False))
    return {ours: path for ours, path in chosen.items() if scores[ours, path] >= _LEAST[ours]}


def _is_text(texts: Sequence[str]) -> bool:
    return 2 * sum(_NO_TEXT.fullmatch(text) is None for text in texts) > len(texts)


def _question_share(texts: Sequence[str]) -> float:
    return sum(text.rstrip().endswith("?") for text in texts) / len(texts)


def _likeness(ours: str, path: str, texts: Sequence[str]) -> float:
    """Return how much texts look like questions or answers; more is likelier."""
    question_share = _question_share(texts)
    words = sum(len(text.split()) for text in texts) / len(texts)
    is_named = any(word in fold(path) for word in likely_names(ours))
    if ours == "question":
        return 2 * question_share + (3 <= words <= 40) * 0.5 + is_named
    return -2 * question_share + min(words, 60) / 30 + is_named


def _of_messages(rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the options by which rows that are or hold messages can be read."""
    for items in (rows, *lists_in(rows[0])):
        if len(items) < _ROLES[0]:
            continue
        values = {name: [str(item.get(name, "")) for item in items] for name in items[0]}
        texts = [name for name, own in values.items() if _is_text(own)]
        if items is rows and any(_question_share(values[name]) > _MAX_QUESTIONS for name in texts):
            continue  # each row has a question of its own
        roles = [
            name
            for name, own in values.items()
            if len({*own}) in _ROLES
            and name not in texts
            and not any(map(_FILE.fullmatch, own))
            and (items is not rows or len({*own}) < len(own))
            and all(isinstance(item.get(name), str | int) for item in items)
        ]
        if not texts or not roles or any(value.endswith("?") for value in values[roles[0]]):
            continue
        text = max(texts, key=lambda name: sum(map(len, values[name])))
        role = min(roles, key=lambda name: len({*values[name]}))
        asking = _most_asking(values[role], values[text])
        answering = next(value for value in values[role] if value != asking)
        options = {"role": role, "text": text, "user": asking, "bot": answering}
        if items is not rows:
            options = {"messages": _path_of(rows[0], items), **options}
        return _options(options)
    return None


def _most_asking(roles: Sequence[str], texts: Sequence[str]) -> str:
    asked = [role for role, text in zip(roles, texts, strict=True) if text.rstrip().endswith("?")]
    return max(dict.fromkeys(roles), key=asked.count)


def _path_of(record: Mapping[str, Any], items: Sequence[Mapping[str, Any]], depth: int = 0) -> str:
    for name, value in record.items():
        value = opened(value)
        if isinstance(value, list) and any(item == items[0] for item in value):
            return str(name)
        deeper = value if isinstance(value, Mapping) and depth < _MAX_DEPTH else {}
        if inner := _path_of(deeper, items, depth + 1):
            return f"{name}.{inner}"
    return ""
