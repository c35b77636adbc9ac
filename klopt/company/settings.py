"""A profile with all that it inherits, and from which file each setting comes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import AbstractTable, Array

from klopt.batch.output import escaped
from klopt.scoring.profile import Profile, Source, source_of

LEXICONS: Final = "lexicons"
Keys = tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """The settings of a profile."""

    source: Source

    @classmethod
    def of(cls, profile: str | Path) -> Settings:
        """Those of a built-in profile or a file.

        Raises:
            ProfileError: No such profile, or it breaks the schema: all problems at once.
            InputError: The file cannot be read.

        >>> Settings.of("default").origin(("verdict", "send_from"))
        'default'
        """
        Profile.load(profile)
        return cls(source_of(profile))

    @cached_property
    def table(self) -> dict[str, Any]:
        """All of them; lexicons as they are seen from the profile's folder."""
        found = self.source.whole(tomllib.loads(self.source.text))
        found["profile"] = {k: v for k, v in found["profile"].items() if k != "extends"}
        folder = self.source.folder or Path()
        for own in found["languages"].values():
            if files := own.pop(LEXICONS, ()):
                own[LEXICONS] = [_seen(one, folder) for one in files]
        return found

    @cached_property
    def _chain(self) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """The file's own table, then that of what it extends, and so on."""
        found, source = list[tuple[str, Mapping[str, Any]]](), self.source
        while True:
            found.append((source.name, tomllib.loads(source.text)))
            if source.extends is None:
                return found
            source = source.extends

    @property
    def extended(self) -> list[str]:
        """What it extends, the nearest first."""
        return [name for name, _ in self._chain[1:]]

    def origin(self, keys: Keys) -> str:
        """The file that has the last word on a setting, or on a table without any."""
        return next((name for name, table in self._chain if _has(table, keys)), self.source.name)

    def text(self) -> str:
        """A profile that extends no other and scores alike, with a comment on each origin."""
        document = tomlkit.document()
        self._put(document, self.table, ())
        return escaped(tomlkit.dumps(document))

    def _put(self, into: Any, table: Mapping[str, Any], at: Keys) -> None:  # noqa: ANN401
        for key, value in table.items():
            keys = (*at, key)
            match value:
                case dict():
                    into[key] = own = tomlkit.table()
                    if not value:
                        own.comment(self.origin(keys))
                    self._put(own, value, keys)
                case [dict(), *_]:
                    tables = tomlkit.aot()
                    for one in value:
                        item = tomlkit.item(one)
                        item.comment(self.origin(keys))
                        tables.append(item)
                    into[key] = tables
                case list() if key == LEXICONS:
                    into[key] = self._lexicons(value, keys)
                case _:
                    is_long = isinstance(value, str) and "\n" in value
                    item = tomlkit.string(value, multiline=True) if is_long else tomlkit.item(value)
                    item.comment(self.origin(keys))
                    into[key] = item

    def _lexicons(self, files: Sequence[str], keys: Keys) -> Array:
        """Those of the others come first."""
        of = [n for n, table in reversed(self._chain) for _ in _value(table, keys) or ()]
        array = tomlkit.array()
        for file, name in zip(files, of, strict=True):
            array.add_line(file, comment=name, indent="  ")
        array.add_line(indent="")
        return array


def put_in(text: str, values: Mapping[Keys, Any]) -> str:
    r"""The TOML of a profile with some settings changed; all else, comments too, as it was.

    >>> print(put_in("[verdict]\nsend_from = 4.0 # ours\n", {("verdict", "send_from"): 4.5}))
    [verdict]
    send_from = 4.5 # ours
    <BLANKLINE>
    """
    document = tomlkit.parse(text)
    for keys, value in values.items():
        table: Any = document
        for key in keys[:-1]:
            table = table.setdefault(key, tomlkit.table())
        table[keys[-1]] = value
    return tomlkit.dumps(document)


def _value(table: Any, keys: Keys) -> Any:  # noqa: ANN401
    for key in keys:
        if not isinstance(table, dict | AbstractTable) or key not in table:
            return None
        table = table[key]
    return table


def _has(table: Mapping[str, Any], keys: Keys) -> bool:
    return _value(table, keys) is not None


def _seen(file: str, folder: Path) -> str:
    return Path(os.path.relpath(folder / file, folder)).as_posix()
