"""What is wrong with a company's folder, as its files tell: all at once, each with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from klopt import lexicons
from klopt.company.folder import FILE, Company
from klopt.company.suggestions import FILE as SUGGESTIONS
from klopt.company.suggestions import Suggestions
from klopt.errors import CompanyError, ConfigurationError, InputError
from klopt.lexicons import Lexicon, read_lexicon
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import PROFILE_FILE, Profile
from klopt.text_file import read_text_file
from klopt.toml_schema import TomlPath, shown, toml_lines


@dataclass(frozen=True, slots=True)
class Lint:
    """Something in the folder to look at.

    Attributes:
        text: Where, as file and line, what is met, and what to do.
        is_problem: False for what may well be as it is meant.
    """

    text: str
    is_problem: bool = True


@dataclass(frozen=True, slots=True)
class File:
    """A lexicon file of the folder that fits its schema."""

    path: Path
    lexicon: Lexicon

    def finding(self, key: TomlPath, told: str, *, is_problem: bool = True) -> Lint:
        """A finding at a key of the file, or at the nearest one around it."""
        lines = toml_lines(read_text_file(self.path))
        while key and key not in lines:
            key = key[:-1]
        return Lint(f"{self.path}:{lines.get(key, 1)}: {told}", is_problem)


def broken(folder: Path) -> list[Lint]:
    """Files of a folder that cannot be read, break their schema, or are of another language.

    Nothing else can be looked for before these are mended.

    Raises:
        InputError: It is not the folder of a company.
    """
    findings: list[Lint] = []
    try:
        Company.open(folder)
    except CompanyError as error:
        findings += map(Lint, str(error).splitlines())
    attempts: list[Callable[[], object]] = [
        partial(_load, folder / PROFILE_FILE, folder),
        *(partial(_load, path, folder) for path in profiles(folder)),
        *(partial(read_lexicon, path) for path in lexicon_files(folder)),
        partial(Suggestions.read, folder),
    ]
    for attempt in attempts:
        try:
            attempt()
        except (ConfigurationError, InputError) as error:
            findings += map(Lint, str(error).splitlines())
    return [*dict.fromkeys(findings)]


def _load(path: Path, folder: Path) -> None:
    """Reads a profile, and the lexicons that it has from elsewhere."""
    own = {file.resolve() for file in lexicon_files(folder)}
    named = {
        file for language in Profile.load(path).languages.values() for file in language.lexicons
    }
    for file in sorted(named):
        if file.resolve() not in own:
            read_lexicon(file)


def files(company: Company) -> list[File]:
    """The lexicon files of the folder, each of which fits its schema."""
    return [File(path, read_lexicon(path)) for path in lexicon_files(company.path)]


def lints(company: Company, profile: Profile) -> list[Lint]:
    """What is odd in a folder of which every file fits its schema."""
    own = files(company)
    names = [file for file in own if file.lexicon.id == "product_names"]
    return [
        *_strays(company, profile, own),
        *chain.from_iterable(map(_both, names)),
        *_unused_denials(company, profile, names),
    ]


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


def _strays(company: Company, profile: Profile, own: list[File]) -> Iterator[Lint]:
    """Files that no command reads, or not as one would think."""
    read = {path.resolve() for language in profile.languages.values() for path in language.lexicons}
    for path in sorted(company.path.glob("[!.]*/")):
        if path.name not in lexicons.languages() and any(path.glob("*.toml")):
            yield Lint(
                f"{path}: is read by nothing; there are tables for "
                f"{', '.join(lexicons.languages())}"
            )
    for language in lexicons.languages():
        for path in sorted((company.path / language).glob("*")):
            if path.is_file() and path.suffix != ".toml" and not path.name.startswith("."):
                yield Lint(f"{path}: is read by nothing; a lexicon's file ends in .toml")
    for file in own:
        language = file.path.parent.name
        if file.lexicon.language != language:
            yield file.finding(
                ("lexicon", "language"),
                f"[lexicon] language: is {shown(file.lexicon.language)} in a folder for "
                f"{shown(language)}; move the file to {file.lexicon.language}/",
            )
        elif file.path.resolve() not in read:
            yield file.finding(
                (),
                f"no profile reads it; give {PROFILE_FILE} [languages.{language}] "
                f'lexicons = ["{language}"]',
            )
        if file.path.stem != file.lexicon.id:
            yield file.finding(
                ("lexicon", "id"),
                f"[lexicon] id: is {shown(file.lexicon.id)}; name the file {file.lexicon.id}.toml, "
                "where commands put further entries",
                is_problem=False,
            )


def _both(file: File) -> Iterator[Lint]:
    """Names that are allowed and denied."""
    denied = {name.casefold() for name in file.lexicon.lists["denied"]}
    for number, name in enumerate(file.lexicon.lists["allowed"]):
        if name.casefold() in denied:
            yield file.finding(
                ("lists", "allowed", number),
                f"{shown(name)} is allowed and denied; take it out of one of the two lists",
            )


def _unused_denials(company: Company, profile: Profile, names: list[File]) -> Iterator[Lint]:
    """Denied names that a profile does not look at."""
    denying = [file for file in names if file.lexicon.lists["denied"]]
    others = {path: Profile.load(path) for path in profiles(company.path) if denying}
    for path, other in ({company.profile: profile} | others).items():
        for file in denying if "denied_names" not in other.review_on else ():
            yield file.finding(
                ("lists", "denied"),
                f"answers with a denied name are sent all the same: {path} lacks "
                '[heuristics.denied_names], or "denied_names" in [verdict] review_on',
            )


def unsent(path: Path, profile: Profile, scores: Iterable[float | None]) -> Iterator[Lint]:
    """Lines of a profile that leave nothing to send of the answers with these scores."""
    known = [score for score in scores if score is not None]
    if known and max(known) < profile.send_from:
        highest = decimal(max(known), None, 2)
        yield Lint(
            f"{path}: [verdict] send_from: {profile.send_from:g} is above the score of each of "
            f"{len(known)} answers (the highest is {highest}), so that none is sent; "
            "`klopt company lines` shows what another line would send"
        )
