"""What is wrong with a company's folder, as its files tell: all at once, each with its line."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from klopt import lexicons
from klopt.company.entries import lexicons_of
from klopt.company.folder import FILE, Company
from klopt.company.mending import stale
from klopt.company.suggestions import FILE as SUGGESTIONS
from klopt.company.suggestions import Suggestions
from klopt.errors import CompanyError, ConfigurationError, InputError
from klopt.lexicons import Lexicon, Pattern, read_lexicon
from klopt.lexicons.schema import shapes
from klopt.scoring.explanation import decimal
from klopt.scoring.inheritance import PROFILE_FILE
from klopt.scoring.profile import Profile
from klopt.toml_schema import TomlPath, shown, toml_lines

_HAS: Final = "klopt has this"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the folder to look at.

    Attributes:
        said: Where, as file and line, what is met, and what to do.
        is_problem: False for what may well be as it is meant.
        kind: Of which there may be many in one file; "" where each is told.

    >>> Finding("acme/nl/synonyms.toml:12: ...").is_problem
    True
    """

    said: str
    is_problem: bool = True
    kind: str = ""


@dataclass(frozen=True)
class File:
    """A lexicon file of the folder that fits its schema.

    Attributes:
        path: Where it is.
        text: Its TOML.
        lexicon: What it holds.
    """

    path: Path
    text: str
    lexicon: Lexicon

    @cached_property
    def table(self) -> dict[str, Any]:
        """The file as TOML."""
        return tomllib.loads(self.text)

    @cached_property
    def kind(self) -> str:
        """What it holds: phrases, groups, patterns, pairs or values."""
        return str(shapes()[self.lexicon.id]["kind"])

    @cached_property
    def _lines(self) -> Mapping[TomlPath, int]:
        return toml_lines(self.text)

    def found(
        self, path: TomlPath, said: str, *, is_problem: bool = True, kind: str = ""
    ) -> Finding:
        """A finding at a place in the file, or at the nearest place around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return Finding(
            f"{self.path}:{self._lines.get(path, 1)}: {said}",
            is_problem,
            f"{self.path}: {kind}" if kind else "",
        )


def broken(folder: Path) -> list[Finding]:
    """Files of a folder that cannot be read, break their schema, or are of another language.

    Nothing else can be looked for before these are mended.

    Raises:
        InputError: It is not the folder of a company.
    """
    found: list[Finding] = []
    try:
        Company.open(folder)
    except CompanyError as error:
        found += map(Finding, str(error).splitlines())
    tries: list[Callable[[], object]] = [
        partial(_load, folder / PROFILE_FILE, folder),
        *(partial(_load, path, folder) for path in profiles(folder)),
        *(partial(read_lexicon, path) for path in lexicon_files(folder)),
        partial(_suggest, folder),
    ]
    for attempt in tries:
        try:
            attempt()
        except (ConfigurationError, InputError) as error:
            found += map(Finding, str(error).splitlines())
    return [*dict.fromkeys(found)]


def _load(path: Path, folder: Path) -> None:
    """Reads a profile, and the lexicons that it has from elsewhere."""
    own = {file.resolve() for file in lexicon_files(folder)}
    every = {file for one in Profile.load(path).languages.values() for file in one.lexicons}
    for file in sorted(every):
        if file.resolve() not in own:
            read_lexicon(file)


def _suggest(folder: Path) -> None:
    """Reads the suggestions, and tries the entries that may be accepted."""
    for one in Suggestions.read(folder).open:
        if one.entry is not None:
            lexicons_of(one.language, [one.entry], where=f"{folder / SUGGESTIONS}: {one.id}")


def files(company: Company) -> list[File]:
    """The lexicon files of the folder, each of which fits its schema."""
    return [
        File(path, path.read_text("utf-8"), read_lexicon(path))
        for path in lexicon_files(company.path)
    ]


def lints(company: Company, profile: Profile) -> list[Finding]:
    """What is odd in a folder of which every file fits its schema."""
    own = files(company)
    found = [*_strays(company, profile, own)]
    for file in own:
        found += _known(file)
        found += _abouts(file)
        found += _both(file)
    return [*found, *_twice(own), *_unused_denials(company, profile, own)]


def folded(found: Sequence[Finding], most: int) -> Iterator[str]:
    """Findings in words, problems first; of many of one kind in a file the first, and how many."""
    counts = Counter(one.kind for one in found)
    seen = Counter[str]()
    for one in sorted(found, key=lambda one: not one.is_problem):
        seen[one.kind] += 1
        if not one.kind or seen[one.kind] <= most:
            yield one.said if one.is_problem else f"{one.said} (remark)"
        elif seen[one.kind] == most + 1:
            yield f"{one.kind}: {counts[one.kind] - most} more; --all shows them"


def profiles(folder: Path) -> list[Path]:
    """The company's profile, and those of its products and audiences."""
    others = {FILE, SUGGESTIONS}
    return [path for path in sorted(folder.glob("*.toml")) if path.name not in others]


def lexicon_files(folder: Path) -> list[Path]:
    """The lexicon files of a company's folder, by language and name."""
    return [
        path
        for language in lexicons.languages()
        for path in sorted((folder / language).glob("*.toml"))
    ]


def _strays(company: Company, profile: Profile, own: list[File]) -> Iterator[Finding]:
    """Files that no command reads, or not as one would think."""
    read = {path.resolve() for one in profile.languages.values() for path in one.lexicons}
    for path in sorted(company.path.glob("[!.]*/")):
        if path.name not in lexicons.languages() and any(path.glob("*.toml")):
            yield Finding(
                f"{path}: is read by nothing; there are tables for "
                f"{', '.join(lexicons.languages())}"
            )
    for language in lexicons.languages():
        for path in sorted((company.path / language).glob("*")):
            if path.is_file() and path.suffix != ".toml" and not path.name.startswith("."):
                yield Finding(f"{path}: is read by nothing; a lexicon's file ends in .toml")
    for file in own:
        language = file.path.parent.name
        if file.lexicon.language != language:
            yield file.found(
                ("lexicon", "language"),
                f"[lexicon] language: is {shown(file.lexicon.language)} in a folder for "
                f"{shown(language)}; move the file to {file.lexicon.language}/",
            )
        elif file.path.resolve() not in read:
            yield file.found(
                (),
                f"no profile reads it; give {PROFILE_FILE} [languages.{language}] "
                f'lexicons = ["{language}"]',
            )
        if file.path.stem != file.lexicon.id:
            yield file.found(
                ("lexicon", "id"),
                f"[lexicon] id: is {shown(file.lexicon.id)}; name the file {file.lexicon.id}.toml, "
                "where commands put further entries",
                is_problem=False,
            )


def _known(file: File) -> Iterator[Finding]:
    """Entries that klopt's own lexicon has."""
    built_in = lexicons.load(file.lexicon.language).get(file.lexicon.id)
    for path, told in _shared(file, built_in) if built_in is not None else ():
        yield file.found(path, f"{told}: {_HAS} already; take it out", kind=_HAS)


def _shared(file: File, built_in: Lexicon) -> Iterator[tuple[TomlPath, str]]:
    for part, phrases in file.table.get("lists", {}).items():
        theirs = {one.casefold() for one in built_in.lists.get(part, ())}
        for number, one in enumerate(phrases):
            if one.casefold() in theirs:
                yield ("lists", part, number), shown(one)
    for part, groups in file.table.get("groups", {}).items():
        numbers = defaultdict[str, set[int]](set)
        for number, group in enumerate(built_in.word_groups.get(part, ())):
            for word in group:
                numbers[word].add(number)
        for number, group in enumerate(groups):
            if set.intersection(*(numbers[word] for word in group)):
                yield ("groups", part, number), shown(", ".join(group))
    sources = {(one.group, one.source.strip()) for one in built_in.patterns}
    for number, pattern in enumerate(file.lexicon.patterns):
        if (pattern.group, pattern.source.strip()) in sources:
            yield ("pattern", number), _pattern(pattern)
    sides = {frozenset((pair.one, pair.other)) for pair in built_in.pairs}
    for number, pair in enumerate(file.lexicon.pairs):
        if frozenset((pair.one, pair.other)) in sides:
            yield ("pair", number), shown(", ".join((*pair.one, *pair.other)))
    for part, words in file.lexicon.values.items():
        for word, value in words.items():
            if built_in.values.get(part, {}).get(word) == value:
                yield ("values", part, word), shown(word)


def _abouts(file: File) -> Iterator[Finding]:
    if file.kind not in ("phrases", "groups"):
        return
    for name in stale(file.table):
        yield file.found(
            ("about", name),
            f"[about] {shown(name)}: there is no such entry any more; "
            "`klopt company check --fix` takes it out",
        )


def _both(file: File) -> Iterator[Finding]:
    """Names that are allowed and denied."""
    if file.lexicon.id != "product_names":
        return
    denied = {one.casefold() for one in file.lexicon.lists["denied"]}
    for number, one in enumerate(file.lexicon.lists["allowed"]):
        if one.casefold() in denied:
            yield file.found(
                ("lists", "allowed", number),
                f"{shown(one)} is allowed and denied; take it out of one of the two lists",
            )


def _twice(own: list[File]) -> Iterator[Finding]:
    """Entries in two files of one lexicon; patterns and phrases that differ by capitals only."""
    seen: dict[tuple[str, ...], str] = {}
    for file in own:
        for path, part, name, told in _entries(file):
            key = file.lexicon.language, file.lexicon.id, part, name.casefold()
            if key in seen:
                yield file.found(path, f"{told} stands in {seen[key]} already; take one out")
            seen.setdefault(key, str(file.path))


def _entries(file: File) -> Iterator[tuple[TomlPath, str, str, str]]:
    """Place, list, what must stand once, and what it goes by in a message."""
    for key in ("lists", "groups"):
        for part, entries in file.table.get(key, {}).items():
            for number, one in enumerate(entries):
                name = one if isinstance(one, str) else ", ".join(sorted(one))
                yield (key, part, number), part, name, shown(name)
    for number, one in enumerate(file.lexicon.patterns):
        yield ("pattern", number), one.group, one.source.strip(), _pattern(one)


def _pattern(pattern: Pattern) -> str:
    return f'pattern "{pattern.id}"'


def _unused_denials(company: Company, profile: Profile, own: list[File]) -> Iterator[Finding]:
    """Denied names that a profile does not look at."""
    denying = [f for f in own if f.lexicon.id == "product_names" and f.lexicon.lists["denied"]]
    others = {path: Profile.load(path) for path in profiles(company.path) if denying}
    for path, one in ({company.profile: profile} | others).items():
        for file in denying if "denied_names" not in one.review_on else ():
            yield file.found(
                ("lists", "denied"),
                f"answers with a denied name are sent all the same: {path} lacks "
                '[heuristics.denied_names], or "denied_names" in [verdict] review_on',
            )


def unsent(path: Path, profile: Profile, scores: Iterable[float | None]) -> Iterator[Finding]:
    """Lines of a profile that leave nothing to send.

    Args:
        path: The profile's file.
        profile: What it says.
        scores: Those of the answers of a log.
    """
    known = [one for one in scores if one is not None]
    if known and max(known) < profile.send_from:
        highest = decimal(max(known), None, 2)
        yield Finding(
            f"{path}: [verdict] send_from: {profile.send_from:g} is above the score of each of "
            f"{len(known)} answers (the highest is {highest}), so that none is sent; "
            "`klopt company lines` shows what another line would send"
        )
