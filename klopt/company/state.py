"""What a company's scores are made with, as it was and as it is: settings and entries."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import tomlkit

from klopt.batch.output import whole_file
from klopt.company.entries import Entry, lexicon_file, put, read, take_out
from klopt.company.settings import LEXICONS, Keys, Settings, leaves
from klopt.errors import InputError
from klopt.lexicons import read_lexicon
from klopt.scoring.inheritance import PROFILE_FILE, source_of
from klopt.scoring.profile import Profile
from klopt.toml_schema import shown

_SILENT: Final = (("profile", "name"), ("profile", "description"), ("profile", "source"))
"""Settings that change no score."""
_LEFT_OUT: Final = ("learnt", "opinion", "translate")
"""Tables that change no score, or that would ask others while a folder is checked."""
_Name = tuple[str, str]
"""The list or group of an entry, and its name."""


@dataclass(frozen=True)
class Change:
    """One difference between two states.

    Attributes:
        said: What it is, in words.
        language: Of an entry or a file.
        added: The entry that is there now only, or as it is now.
        removed: The entry that was there before only, or as it was.
        file: A lexicon that is taken as a whole, its name.
        keys: A setting.
    """

    said: str
    language: str = ""
    added: Entry | None = None
    removed: Entry | None = None
    file: str = ""
    keys: Keys = ()


@dataclass(frozen=True)
class State:
    """What the scores of a company are made with.

    Second opinions and translations are left out: nobody else is asked while a folder is checked.

    Attributes:
        settings: The profile, with what it inherits.
        files: Language and name → the text of a lexicon of the company.
    """

    settings: Mapping[str, Any]
    files: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, profile: Path) -> State:
        """That of a profile's file.

        Raises:
            ProfileError: The profile is wrong.
            LexiconError: A lexicon is.
            InputError: A file cannot be read.
        """
        loaded = Profile.load(profile)
        whole = Settings(source_of(profile)).table
        table = {key: value for key, value in whole.items() if key not in _LEFT_OUT}
        files: dict[tuple[str, str], str] = {}
        for language, own in loaded.languages.items():
            for path in own.lexicons:
                lexicon, name = read_lexicon(path).id, path.name
                while (language, name) in files:
                    name = f"{lexicon}-{len(files)}.toml"
                files[language, name] = path.read_text("utf-8")
        languages = {
            language: {key: value for key, value in own.items() if key != LEXICONS}
            for language, own in table["languages"].items()
        }
        return cls({**table, "languages": languages}, files)

    def write(self, folder: Path, empty: Collection[str] = ()) -> None:
        """Writes it as a folder with a profile, in the place of what a state had there.

        Args:
            folder: Where to.
            empty: Languages that get a folder for lexicons though there are none.
        """
        named = {*empty, *(language for language, _ in self.files)}
        if folder.is_symlink():
            raise InputError(
                f"{folder}: is a link, and what it leads to would be replaced; remove the link"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for language in self.settings["languages"]:
                if (folder / language).exists():
                    shutil.rmtree(folder / language)
            for language in named:
                (folder / language).mkdir()
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
        for (language, name), text in self.files.items():
            with whole_file(folder / language / name) as file:
                file.write(text)
        languages = {
            language: {**own, **({LEXICONS: [language]} if language in named else {})}
            for language, own in self.settings["languages"].items()
        }
        with whole_file(folder / PROFILE_FILE) as file:
            file.write(tomlkit.dumps({**self.settings, "languages": languages}))

    @contextmanager
    def profile(
        self, *, without: Collection[Change] = (), before: State | None = None
    ) -> Iterator[Profile]:
        """The profile, for as long as its files are there.

        Args:
            without: Changes since ``before`` to undo.
            before: The state that those came from.
        """
        with tempfile.TemporaryDirectory(prefix="klopt-") as folder:
            made = self if before is None else self._undone(without, before)
            made.write(Path(folder), {one.language for one in without if one.language})
            if before is not None:
                _undo_entries(Path(folder), without)
            yield Profile.load(folder)

    def changes(self, before: State) -> list[Change]:
        """What differs from an earlier state, in the order of files and settings."""
        found: list[Change] = []
        for language, name in sorted({*self.files, *before.files}):
            place = language, name
            if self.files.get(place) == before.files.get(place):
                continue
            mine, others = self.entries.get(place), before.entries.get(place)
            if mine is None and others is None:
                found.append(Change(f"{language}/{name} changed", language, file=name))
                continue
            found += _of_entries(f"{language}/{name}", language, mine or {}, others or {})
        mine_leaves, old_leaves = leaves(self.settings), leaves(before.settings)
        for keys in sorted({*mine_leaves, *old_leaves}):
            now_value, then_value = mine_leaves.get(keys), old_leaves.get(keys)
            if now_value != then_value and keys not in _SILENT:
                said = f"{'.'.join(keys)}: {_told(then_value)} became {_told(now_value)}"
                found.append(Change(said, keys=keys))
        return found

    @cached_property
    def entries(self) -> Mapping[tuple[str, str], Mapping[tuple[str, str], Entry]]:
        """Language and file → part and name → entry, of files that are changed by entries."""
        found: dict[tuple[str, str], dict[_Name, Entry]] = {}
        with tempfile.TemporaryDirectory(prefix="klopt-") as folder:
            files = {place: text for place, text in self.files.items() if _is_plain(*place, text)}
            State(self.settings, files).write(Path(folder))
            for language in {language for language, _ in files}:
                for one in read(Path(folder), language):
                    own = found.setdefault((language, f"{one.lexicon}.toml"), {})
                    own[one.part, one.name] = replace(one, about="")
        return found

    def _undone(self, changes: Collection[Change], before: State) -> State:
        """With settings and whole files as they were."""
        settings = _copied(self.settings)
        files = dict(self.files)
        for change in changes:
            if change.keys:
                _set(settings, change.keys, leaves(before.settings).get(change.keys))
            elif change.file:
                place = change.language, change.file
                files.pop(place, None)
                files |= {key: text for key, text in before.files.items() if key == place}
        return State(settings, files)


def _is_plain(language: str, name: str, text: str) -> bool:
    """Whether a lexicon stands in the file where commands put its entries."""
    return lexicon_file(Path(), language, tomllib.loads(text)["lexicon"]["id"]).name == name


def _undo_entries(folder: Path, changes: Collection[Change]) -> None:
    for language in sorted({one.language for one in changes if one.language}):
        own = [one for one in changes if one.language == language]
        take_out(folder, language, [one.added for one in own if one.added is not None])
        put(folder, language, [one.removed for one in own if one.removed is not None])


def _of_entries(
    place: str, language: str, now: Mapping[_Name, Entry], before: Mapping[_Name, Entry]
) -> Iterator[Change]:
    """The changes of one file; a group and the one that it came from are one change."""
    gone = {key: one for key, one in before.items() if key not in now}
    for key, entry in sorted(now.items()):
        old = before.get(key)
        if old == entry:
            continue
        if old is None and len(entry.words) > 1:
            near = (
                k for k, one in gone.items() if k[0] == key[0] and {*one.words} & {*entry.words}
            )
            old = gone.pop(next(near, key), None)
        was = f", which was {shown(old.name)}" if old is not None and old.name != entry.name else ""
        done = "was added" if old is None else "was changed"
        yield Change(f"{place}: {shown(entry.name)}{was} ({key[0]}) {done}", language, entry, old)
    for key, entry in sorted(gone.items()):
        said = f"{place}: {shown(entry.name)} ({key[0]}) was taken out"
        yield Change(said, language, removed=entry)


def _told(value: object) -> str:
    return "nothing" if value is None else shown(value)


def _copied(table: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copied(v) if isinstance(v, dict) else v for k, v in table.items()}


def _set(table: dict[str, Any], keys: Keys, value: object) -> None:
    for key in keys[:-1]:
        table = table.setdefault(key, {})
    if value is None:
        table.pop(keys[-1], None)
    else:
        table[keys[-1]] = value
