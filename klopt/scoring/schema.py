"""What a profile file may hold; every problem of a file is reported at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from klopt import heuristics, lexicons
from klopt.heuristics.declaration import WORD_FORMS, Option
from klopt.records import MESSAGE_TYPES

SECTIONS: Final = ("profile", "languages", "heuristics", "tree", "verdict")
OPTIONAL_SECTIONS: Final = ("evidence", "translate")
SCOPES: Final = ("marked", "whole")
LAST_NODES: Final = ("sum", "weigh")
HEAD: Final = ("name", "description", "source", "classifier", "message_types")
CLASSIFIERS: Final = ("scored", "published")


def check(table: Mapping[str, Any]) -> list[str]:
    """The problems of a profile, each a line that says where, what and what is allowed."""
    allowed = (*SECTIONS, *OPTIONAL_SECTIONS)
    problems = [
        f'unknown section "{name}"; allowed are {", ".join(allowed)}'
        for name in sorted(set(table) - set(allowed))
    ]
    for name in SECTIONS:
        wanted = list if name == "tree" else dict
        if not isinstance(table.get(name), wanted):
            problems.append(f"the section [{'[tree]' if name == 'tree' else name}] is missing")
    if problems:
        return problems
    problems += _check_head(table["profile"])
    problems += _check_languages(table["languages"])
    problems += _check_heuristics(table["heuristics"])
    problems += _check_tree(table["tree"], table["heuristics"], table["languages"])
    problems += _check_evidence(table.get("evidence"), table["tree"], table["languages"])
    problems += _check_translate(table.get("translate"), table["languages"])
    problems += _check_verdict(table["verdict"])
    return problems


def _unknown(entry: Mapping[str, Any], allowed: Iterable[str], where: str) -> list[str]:
    names = sorted(allowed)
    return [
        f'{where}: unknown key "{key}"; allowed are {", ".join(names)}'
        for key in sorted(set(entry) - set(names))
    ]


def _check_head(head: Mapping[str, Any]) -> list[str]:
    problems = _unknown(head, HEAD, "[profile]")
    for key in ("name", "description", "source"):
        if not isinstance(head.get(key), str) or not head[key].strip():
            problems.append(f"[profile] {key} is missing or not text")
    if head.get("classifier") not in CLASSIFIERS:
        problems.append(
            f'[profile] classifier "{head.get("classifier")}" is not one of '
            f"{', '.join(CLASSIFIERS)}"
        )
    types = head.get("message_types")
    if not isinstance(types, list) or not types:
        problems.append("[profile] message_types is missing or not a list")
    else:
        problems += [
            f'[profile] message_types: "{name}" is not one of {", ".join(MESSAGE_TYPES)}'
            for name in types
            if name not in MESSAGE_TYPES
        ]
        problems += [f'[profile] message_types: "{name}" stands twice' for name in _twice(types)]
    return problems


def _check_languages(languages: Mapping[str, Any]) -> list[str]:
    problems = [] if languages else ["[languages] names no language"]
    for language, settings in languages.items():
        where = f"[languages.{language}]"
        if language not in lexicons.languages():
            known = ", ".join(lexicons.languages())
            problems.append(f"{where}: there are no tables for it; there are for {known}")
        if not isinstance(settings, dict) or not isinstance(settings.get("pipeline"), str):
            problems.append(f'{where}: pipeline is missing; "klopt" is the bundled one')
            continue
        problems += _unknown(settings, ("pipeline", "lexicons"), where)
        files = settings.get("lexicons", [])
        if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
            problems.append(f"{where}: lexicons is not a list of files")
    return problems


def _check_heuristics(entries: Mapping[str, Any]) -> list[str]:
    known = {heuristic.name: heuristic for heuristic in heuristics.ALL}
    problems: list[str] = []
    for name, entry in entries.items():
        where = f"[heuristics.{name}]"
        if name not in known:
            problems.append(f"{where}: no such heuristic; there are {', '.join(sorted(known))}")
            continue
        if not isinstance(entry, dict):
            problems.append(f"{where}: is not a table")
            continue
        if not _is_number(entry.get("weight", 1.0), lambda weight: weight >= 0):
            problems.append(f"{where}: weight is {entry['weight']!r}, not a number of 0 or more")
        defaults = known[name].options
        problems += _unknown(entry, {"weight", *defaults}, where)
        problems += [
            f"{where}: {key} is {entry[key]!r}, not of the kind of its default {default!r}"
            for key, default in defaults.items()
            if key in entry and not _is_like(entry[key], default)
        ]
    return problems


def _is_like(value: object, default: Option) -> bool:
    """Whether an option has its default's kind; shares are 0 to 1, other numbers 1 or more.

    An empty list is one of texts: no list of numbers may be empty.
    """
    if isinstance(default, list):
        kind = type(default[0]) if default else str
        if not isinstance(value, list) or not all(type(v) is kind for v in value):
            return False
        return kind is str or (bool(value) and min(value) >= 1)
    if isinstance(default, bool) or isinstance(value, bool):
        return type(value) is type(default)
    if isinstance(default, float):
        return _is_number(value, lambda share: 0 <= share <= 1)
    if isinstance(default, str):
        return value in WORD_FORMS
    return type(value) is int and value >= 1


def _check_tree(
    nodes: list[Any], entries: Mapping[str, Any], languages: Mapping[str, Any]
) -> list[str]:
    problems: list[str] = []
    names: set[str] = set()
    for number, node in enumerate(nodes, 1):
        if not isinstance(node, dict):
            problems.append(f"[[tree]] {number} is not a table")
            continue
        where = f'[[tree]] {number} "{node.get("node", "")}"'
        if not isinstance(node.get("node"), str) or node["node"] in names:
            problems.append(f"{where}: node is missing, or its name stands twice")
        names.add(str(node.get("node")))
        problems += [
            f'{where}: the sentence for language "{language}" is missing'
            for language in languages
            if not isinstance(node.get(language), str)
        ]
        last = next((key for key in LAST_NODES if key in node), None)
        asked = node[last] if last is not None else [node.get("heuristic")]
        if not isinstance(asked, list) or not asked or not all(type(a) is str for a in asked):
            key = f"{last} is not a list of heuristics" if last else "heuristic is missing"
            problems.append(f"{where}: {key}")
        else:
            problems += [f'{where}: heuristic "{name}" stands twice' for name in _twice(asked)]
            problems += [
                f'{where}: heuristic "{name}" has no section [heuristics.{name}]'
                for name in asked
                if name not in entries
            ]
        if last is not None:
            problems += _unknown(node, {"node", last, *languages}, where)
            if number != len(nodes):
                problems.append(f"{where}: a {last} decides always, so it must be the last node")
            continue
        problems += _check_cut(node, languages, where)
    if not (nodes and isinstance(nodes[-1], dict) and set(LAST_NODES) & set(nodes[-1])):
        problems.append("[[tree]]: the last node must be a sum or a weigh")
    return problems


def _check_evidence(evidence: object, nodes: list[Any], languages: Mapping[str, Any]) -> list[str]:
    """Evidence is there for each language when the tree weighs it, and only then."""
    last = nodes[-1] if nodes and isinstance(nodes[-1], dict) else {}
    weighed = last.get("weigh")
    if weighed is None:
        return ["[evidence]: no node of the tree weighs it"] if evidence is not None else []
    if not isinstance(evidence, dict):
        return ["the section [evidence] is missing; a weigh node needs it for each language"]
    problems = [
        f"[evidence.{language}] is missing" for language in languages if language not in evidence
    ]
    for language, entry in evidence.items():
        where = f"[evidence.{language}]"
        if language not in languages:
            problems.append(f"{where}: the profile has no language {language}")
        if not isinstance(entry, dict) or not _is_number(entry.get("base"), lambda _: True):
            problems.append(f"{where}: base is missing or not a number")
            continue
        known = weighed if isinstance(weighed, list) else []
        problems += _unknown(entry, ["base", *map(str, known)], where)
        for name, term in entry.items():
            if name in known:
                problems += _check_term(term, f"[evidence.{language}.{name}]")
    return problems


def _check_term(term: object, where: str) -> list[str]:
    if not isinstance(term, dict):
        return [f"{where}: is not a table with weight and neutral"]
    problems = _unknown(term, ("neutral", "weight"), where)
    if not _is_number(term.get("weight"), lambda weight: weight >= 0):
        problems.append(f"{where}: weight is missing or not a number of 0 or more")
    if not _is_number(term.get("neutral"), lambda share: 0 <= share <= 1):
        problems.append(f"{where}: neutral is missing or not a number from 0 to 1")
    return problems


def _check_cut(node: Mapping[str, Any], languages: Mapping[str, Any], where: str) -> list[str]:
    allowed = {"node", "heuristic", "below", "at_least", "score", *languages}
    problems = _unknown(node, allowed, where)
    if ("below" in node) == ("at_least" in node):
        problems.append(f"{where}: give either below or at_least")
    problems += [
        f"{where}: {key} is {node[key]!r}, not a number from 0 to 1"
        for key in ("below", "at_least")
        if key in node and not _is_number(node[key], lambda value: 0 <= value <= 1)
    ]
    if not _is_number(node.get("score"), lambda value: 1 <= value <= 5):
        problems.append(f"{where}: score is {node.get('score')!r}, not a number from 1 to 5")
    return problems


def _check_translate(settings: object, languages: Mapping[str, Any]) -> list[str]:
    if settings is None:
        return []
    if not isinstance(settings, dict):
        return ["[translate] is not a table with to and scope"]
    problems = _unknown(settings, ("scope", "to"), "[translate]")
    if settings.get("to") not in tuple(languages):
        known = ", ".join(languages)
        problems.append(
            f'[translate] to "{settings.get("to")}" is not a language of the profile; it has '
            f"{known}"
        )
    if settings.get("scope", SCOPES[0]) not in SCOPES:
        problems.append(
            f'[translate] scope "{settings["scope"]}" is not one of {", ".join(SCOPES)}'
        )
    return problems


def _check_verdict(verdict: Mapping[str, Any]) -> list[str]:
    keys = ("block_below", "send_from")
    problems = _unknown(verdict, keys, "[verdict]")
    wrong = [key for key in keys if not _is_number(verdict.get(key), lambda v: 1 <= v <= 5)]
    problems += [f"[verdict] {key} is missing or not a number from 1 to 5" for key in wrong]
    if not wrong and verdict["block_below"] > verdict["send_from"]:
        problems.append("[verdict] block_below is above send_from")
    return problems


def _is_number(value: object, allowed: Callable[[float], bool]) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and allowed(value)


def _twice(names: list[Any]) -> list[str]:
    """The names that a list has more than once."""
    counts = Counter(str(name) for name in names)
    return [name for name, count in counts.items() if count > 1]
