"""How often a company's entries are met in its pages and its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from klopt import lexicons, shipped
from klopt.company.lints import File, Finding
from klopt.errors import PatternTimeoutError
from klopt.lexicons import Pattern
from klopt.lexicons.schema import shapes
from klopt.reading.markup import read_text
from klopt.reading.tokens import Kind, Tokenizer
from klopt.records import Page, Turn
from klopt.toml_schema import TomlPath, shown

MOST_PAGES: Final = 3000
MOST_TURNS: Final = 3000
FEWEST_TEXTS: Final = 20
"""With fewer texts of a kind, an entry that is met in all of them says nothing."""
EVERYWHERE_SHARE: Final = 0.9
_ANYWHERE: Final = {"texts": ("pages", "answers")}
_UNLESS_DENIED: Final = "denied"


@dataclass(frozen=True)
class Texts:
    """The texts in which entries are looked for, plain.

    Attributes:
        kinds: pages, questions or answers → the texts.
    """

    kinds: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, pages: Iterable[Page], turns: Iterable[Turn]) -> Texts:
        """Those of pages, each once, and turns; of very many the first."""
        once = list({page.id: page for page in pages}.values())[:MOST_PAGES]
        some = list(turns)[:MOST_TURNS]
        return cls(
            {
                "pages": [read_text(one.text, one.format).text for one in once],
                "questions": [read_text(one.question).text for one in some],
                "answers": [read_text(one.answer).text for one in some],
            }
        )

    def looked_up(self, file: File) -> list[str]:
        """The kinds of texts that a lexicon reads, without those of which there are none."""
        return [kind for kind in _reading(file)["texts"] if self.kinds[kind]]


def _reading(file: File) -> Mapping[str, Any]:
    """Where the entries of a lexicon are looked for, and what they are for."""
    found: Mapping[str, Any] = _readings().get(file.lexicon.id, _ANYWHERE)
    return found


@cache
def _readings() -> Mapping[str, Any]:
    return shipped.table("klopt.company", "firing.toml")


@dataclass
class Met:
    """In how many texts of each kind an entry is met.

    Attributes:
        path: Where the entry stands in its file.
        told: What it goes by.
        texts: Kind of text → in how many of them.
        part: Its list or group.
    """

    path: TomlPath
    told: str
    part: str
    texts: Counter[str] = field(default_factory=Counter)


def fired(file: File, texts: Texts) -> list[Met]:
    """How often each entry of a file is met; none of a lexicon of pairs or values."""
    match file.kind:
        case "phrases" if file.lexicon.id == "company_terms":
            return _by_words(file, texts, "lists")
        case "phrases":
            return _phrases(file, texts)
        case "groups":
            return _by_words(file, texts, "groups")
        case "patterns":
            return _patterns(file, texts)
        case _:
            return []


def lints(file: File, texts: Texts) -> Iterator[Finding]:
    """Entries that are never met, or everywhere."""
    kinds = texts.looked_up(file)
    if not kinds:
        return
    where = " and ".join(f"{len(texts.kinds[kind])} {kind}" for kind in kinds)
    for one in fired(file, texts):
        if not any(one.texts[kind] for kind in kinds):
            if one.part != _UNLESS_DENIED:  # what nobody says is as it should be
                is_group = file.kind == "groups"
                said = "no two of its words are met" if is_group else "never met"
                yield file.found(
                    one.path,
                    f"{one.told}: {said} in {where}",
                    is_problem=False,
                    kind="never met",
                )
            continue
        every = [
            f"{one.texts[kind]} of {len(texts.kinds[kind])} {kind}"
            for kind in (kinds if _reading(file).get("tells_apart") else ())
            if len(texts.kinds[kind]) >= FEWEST_TEXTS
            and one.texts[kind] >= EVERYWHERE_SHARE * len(texts.kinds[kind])
        ]
        if every:
            yield file.found(
                one.path,
                f"{one.told}: met nearly everywhere ({' and '.join(every)}), so it "
                "tells nothing apart",
                is_problem=False,
                kind="met everywhere",
            )


def _phrases(file: File, texts: Texts) -> list[Met]:
    found = []
    for part, phrases in file.lexicon.lists.items():
        expression = file.lexicon.phrases[part]
        own = [Met(("lists", part, n), shown(one), part) for n, one in enumerate(phrases)]
        by_name = {one.casefold(): met for one, met in zip(phrases, own, strict=True)}
        for kind in texts.looked_up(file):
            for text in texts.kinds[kind]:
                for name in {
                    match[0].casefold() for match in expression.finditer(text, overlapped=True)
                }:
                    if (met := by_name.get(name)) is not None:
                        met.texts[kind] += 1
        found += own
    return found


def _by_words(file: File, texts: Texts, key: str) -> list[Met]:
    """Words in any form; of a group at least two different ones in all the texts together."""
    tokenizer = Tokenizer(lexicons.load(file.lexicon.language))
    sought: dict[tuple[str, ...], list[tuple[Met, str]]] = {}
    found: list[Met] = []
    for part, entries in file.table[key].items():
        for number, entry in enumerate(entries):
            words = [entry] if isinstance(entry, str) else entry
            met = Met((key, part, number), shown(", ".join(words)), part)
            found.append(met)
            for word in words:
                if keys := _keys(tokenizer, word):
                    sought.setdefault(keys, []).append((met, word))
    lengths = sorted({len(one) for one in sought})
    words_met: dict[int, set[str]] = {}
    for kind in texts.looked_up(file):
        for text in texts.kinds[kind]:
            keys = _keys(tokenizer, text)
            runs = {
                keys[start : start + length]
                for length in lengths
                for start in range(len(keys) - length + 1)
            }
            here: dict[int, Met] = {}
            for run in runs & sought.keys():
                for met, word in sought[run]:
                    here[id(met)] = met
                    words_met.setdefault(id(met), set()).add(word)
            for met in here.values():
                met.texts[kind] += 1
    if key == "groups":
        for met in found:
            if len(words_met.get(id(met), ())) < 2:
                met.texts.clear()
    return found


def _keys(tokenizer: Tokenizer, text: str) -> tuple[str, ...]:
    words = tokenizer.read(text)
    pairs = zip(words.keys, words.kinds, strict=True)
    return tuple(key for key, kind in pairs if kind != Kind.PARTICLE)


def _patterns(file: File, texts: Texts) -> list[Met]:
    found = []
    for number, pattern in _over_texts(file):
        met = Met(("pattern", number), f'pattern "{pattern.id}"', pattern.group)
        for kind in texts.looked_up(file):
            for text in texts.kinds[kind]:
                try:
                    met.texts[kind] += pattern.search(text) is not None
                except PatternTimeoutError:
                    break  # told as slow
        found.append(met)
    return found


def _over_texts(file: File) -> list[tuple[int, Pattern]]:
    """The patterns that are looked for in a text; others look at a name, or beside it."""
    shape = shapes()[file.lexicon.id]
    groups = shape.get("labelled") or shape["groups"]
    return [(n, one) for n, one in enumerate(file.lexicon.patterns) if one.group in groups]


def shadowed(file: File, texts: Texts) -> Iterator[Finding]:
    """Patterns all of whose places an earlier one of its group has, in the file or of klopt's.

    A company's patterns come before klopt's, so that where both find the same, the company's
    adds nothing.
    """
    if file.kind != "patterns" or _reading(file).get("adds_up"):
        return
    built_in = lexicons.load(file.lexicon.language).get(file.lexicon.id)
    every = [text for kind in texts.looked_up(file) for text in texts.kinds[kind]]
    patterns = _over_texts(file)
    for place, (number, pattern) in enumerate(patterns):
        earlier = [(f'pattern "{one.id}", which comes first', one) for _, one in patterns[:place]]
        klopts = [
            (f'klopt\'s own "{one.id}"', one) for one in (built_in.patterns if built_in else ())
        ]
        same = [(said, one) for said, one in (*earlier, *klopts) if one.group == pattern.group]
        count = 0
        try:
            for text in every:
                places = [match.span() for match in pattern.finditer(text)]
                if not places:
                    continue
                count += len(places)
                same = [(said, one) for said, one in same if _covers(one, text, places)]
        except PatternTimeoutError:
            continue  # told as slow
        if count and same:
            yield file.found(
                ("pattern", number),
                f'pattern "{pattern.id}" adds nothing: {same[0][0]}, finds all of its {count} '
                "places",
            )


def _covers(pattern: Pattern, text: str, places: Sequence[tuple[int, int]]) -> bool:
    spans = [match.span() for match in pattern.finditer(text)]
    at = 0
    for start, end in places:
        while at < len(spans) and spans[at][1] < end:
            at += 1
        if at == len(spans) or spans[at][0] > start:
            return False
    return True
