"""A profile with all that it inherits, and from which file each setting comes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from klopt.batch.output import escaped
from klopt.scoring.profile import Profile, Source, source_of

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

    @property
    def extended(self) -> list[str]:
        """What it extends, the nearest first."""
        return [part.name for part in self.source.chain if part is not self.source]

    def origin(self, keys: Keys) -> str:
        """The file that has the last word on a setting."""
        named = (part.name for part in self.source.chain if _has(tomllib.loads(part.text), keys))
        return next(named, self.source.name)

    def text(self) -> str:
        """A profile that extends no other and scores alike; lexicons as seen from its folder."""
        found = self.source.whole(tomllib.loads(self.source.text))
        found["profile"].pop("extends", None)
        folder = self.source.folder or Path()
        for own in found["languages"].values():
            if files := own.get("lexicons"):
                own["lexicons"] = [
                    Path(os.path.relpath(folder / file, folder)).as_posix() for file in files
                ]
        return escaped(tomlkit.dumps(found))


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


def _has(table: Any, keys: Keys) -> bool:  # noqa: ANN401 - of TOML
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True
