"""Problems in the files of a company's folder, all at once, each with file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from klopt import lexicons
from klopt._internal.files import read_text_file
from klopt._internal.toml_schema import TomlPath, shown, toml_lines
from klopt.company.folder import FILE, LEXICON, Company
from klopt.company.suggestions import FILE as SUGGESTIONS
from klopt.company.suggestions import Suggestions
from klopt.errors import CompanyError, ConfigurationError, InputError
from klopt.evaluation.rated import MIN_SAMPLES
from klopt.lexicons import Lexicon, read_lexicon
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import PROFILE_FILE, Profile


@dataclass(frozen=True, slots=True)
class Lint:
    """A problem or remark: where, what was found, and what to do."""

    text: str
    is_problem: bool = True


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A valid lexicon file of the folder."""

    path: Path
    lexicon: Lexicon

    def lint(self, key: TomlPath, text: str, *, is_problem: bool = True) -> Lint:
        """Return a lint at the line of a key, or of the nearest key around it."""
        lines = toml_lines(read_text_file(self.path))
        while key and key not in lines:
            key = key[:-1]
        return Lint(f"{self.path}:{lines.get(key, 1)}: {text}", is_problem)


def broken(folder: Path, *, reads_log: bool = False) -> list[Lint]:
    """Return the problems of unreadable or invalid files; the other lints need a folder without.

    With ``reads_log`` the log of ``company.toml`` must exist.
    """
    found: list[Lint] = []
    try:
        company = Company.open(folder)
        if reads_log and company.log is not None and not company.log.is_file():
            found.append(
                Lint(f"{company.line_of('log')} log: {company.log}: there is no such file")
            )
    except CompanyError as error:
        found += map(Lint, str(error).splitlines())
    attempts: list[Callable[[], object]] = [
        *(partial(_load, path, folder) for path in (folder / PROFILE_FILE, *profiles(folder))),
        *(partial(read_lexicon, path) for path in lexicon_files(folder)),
        partial(Suggestions.read, folder),
    ]
    for attempt in attempts:
        try:
            attempt()
        except (ConfigurationError, InputError) as error:
            found += map(Lint, str(error).splitlines())
    return [*dict.fromkeys(found)]


def _load(path: Path, folder: Path) -> None:
    """Load a profile, and the lexicons that it names outside the folder."""
    own = {file.resolve() for file in lexicon_files(folder)}
    named = {
        file for language in Profile.load(path).languages.values() for file in language.lexicons
    }
    for file in sorted(named):
        if file.resolve() not in own:
            read_lexicon(file)


def files(company: Company) -> list[LexiconFile]:
    """Read the lexicon files of a folder, all of which must be valid."""
    return [LexiconFile(path, read_lexicon(path)) for path in lexicon_files(company.path)]


def lints(company: Company, profile: Profile) -> list[Lint]:
    """Return problems and remarks of a folder whose files are all valid."""
    own = files(company)
    names = [file for file in own if file.lexicon.id == LEXICON]
    return [
        *_unread_files(company, profile, own),
        *(lint for file in names for lint in _allowed_and_denied(file)),
        *_unused_denials(company, profile, names),
    ]


def profiles(folder: Path) -> list[Path]:
    """Return the paths of the company's profile and those of its products and audiences."""
    return [path for path in sorted(folder.glob("*.toml")) if path.name not in (FILE, SUGGESTIONS)]


def lexicon_files(folder: Path) -> list[Path]:
    """Return the paths of a folder's lexicons, by language and name."""
    folders = (folder / language for language in lexicons.languages())
    return [path for own in folders for path in sorted(own.glob("*.toml"))]


def _unread_files(company: Company, profile: Profile, own: Iterable[LexiconFile]) -> Iterator[Lint]:
    """Find files that no command reads, or that commands read under another name."""
    known = lexicons.languages()
    for path in sorted(company.path.glob("[!.]*/")):
        if path.name not in known and any(path.glob("*.toml")):
            yield Lint(
                f"{path}: klopt does not read this folder; the languages are {', '.join(known)}"
            )
    for path in sorted(path for code in known for path in (company.path / code).glob("[!.]*")):
        if path.is_file() and path.suffix != ".toml":
            yield Lint(
                f"{path}: klopt does not read this file; the name of a lexicon ends in .toml"
            )
    read = {path.resolve() for language in profile.languages.values() for path in language.lexicons}
    for file in own:
        language, lexicon = file.path.parent.name, file.lexicon
        if lexicon.language != language:
            yield file.lint(
                ("lexicon", "language"),
                f"[lexicon] language: {shown(lexicon.language)} in the folder of "
                f"{shown(language)}; move the file to {lexicon.language}/",
            )
        elif file.path.resolve() not in read:
            yield file.lint(
                (),
                f"no profile reads this file; add to {PROFILE_FILE} [languages.{language}] "
                f'lexicons = ["{language}"]',
            )
        if file.path.stem != lexicon.id:
            yield file.lint(
                ("lexicon", "id"),
                f"[lexicon] id: {shown(lexicon.id)}; rename the file to {lexicon.id}.toml",
                is_problem=False,
            )


def _allowed_and_denied(file: LexiconFile) -> Iterator[Lint]:
    denied = {name.casefold() for name in file.lexicon.lists["denied"]}
    for number, name in enumerate(file.lexicon.lists["allowed"]):
        if name.casefold() in denied:
            yield file.lint(
                ("lists", "allowed", number),
                f"{shown(name)} is allowed and denied; remove it from one of the two lists",
            )


def _unused_denials(
    company: Company, profile: Profile, names: Iterable[LexiconFile]
) -> Iterator[Lint]:
    denying = [file for file in names if file.lexicon.lists["denied"]]
    others = {path: Profile.load(path) for path in profiles(company.path) if denying}
    for path, other in ({company.profile: profile} | others).items():
        for file in denying if "denied_names" not in other.review_on else ():
            yield file.lint(
                ("lists", "denied"),
                f"{path} sends answers with a denied name without review: it lacks "
                '[heuristics.denied_names], or "denied_names" in [verdict] review_on',
            )


def unreachable_thresholds(
    profiles: dict[Path, Profile], scores: Iterable[float | None]
) -> Iterator[Lint]:
    """Find thresholds above each of enough scores, so that nothing is sent.

    Only a threshold that the company set itself is a problem.
    """
    known = [score for score in scores if score is not None]
    if len(known) < MIN_SAMPLES:
        return
    own_default = Profile.load("default").send_from
    by_threshold = {profile.send_from: path for path, profile in reversed(profiles.items())}
    for send_from, path in by_threshold.items():
        if max(known) < send_from:
            yield Lint(
                f"{path}: [verdict] send_from: {send_from:g} is above the scores of all "
                f"{len(known)} answers (the highest is {decimal(max(known), None, 2)}), so klopt "
                "sends none; `klopt fit RATED --weights kept --untrue-sent 0.1` finds a threshold",
                is_problem=send_from != own_default,
            )
