"""Profiles that extend another: what the other says, unless the own file says otherwise."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt import shipped
from klopt.errors import InputError, ProfileError

BUILT_IN: Final = ("afas", "default")
PROFILE_FILE: Final = "profile.toml"
"""The profile of a company's folder."""
MOST_LEVELS: Final = 8

_AS_ONE: Final = (("evidence", "*"), ("learnt", "*"), ("opinion",), ("translate",))
"""Tables that take the place of another's whole: half of each means nothing."""


@dataclass(frozen=True)
class Source:
    """A profile's file, and what it extends.

    ``folder`` is where the files that it names are looked for; None for a built-in profile.
    """

    name: str
    text: str
    folder: Path | None
    extends: Source | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the file, and of those that it extends."""
        own = hashlib.sha256(self.text.replace("\r\n", "\n").encode()).hexdigest()
        if self.extends is None:
            return own
        return hashlib.sha256((own + self.extends.digest).encode()).hexdigest()

    @property
    def chain(self) -> tuple[Source, ...]:
        """This, what it extends, what that extends, and so on."""
        return (self, *(self.extends.chain if self.extends is not None else ()))

    def whole(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """The file's table with what it inherits; lexicons of others are named from the root."""
        if self.extends is None:
            return dict(own)
        other = self.extends
        base = other.whole(tomllib.loads(other.text))
        head = dict(base.get("profile", {}))
        head.pop("name", None)
        base["profile"] = head
        for settings in base.get("languages", {}).values():
            folder = other.folder or Path()
            settings["lexicons"] = [
                str((folder / file).absolute()) for file in settings.get("lexicons", ())
            ]
        return _merged(base, own, ())


def source_of(name: str | Path, extended_by: tuple[Path, ...] = ()) -> Source:
    """The source of a built-in profile, of a company's file, or of the profile in its folder.

    Raises:
        ProfileError: No such profile, or it extends itself.
        InputError: The file cannot be read.
    """
    if str(name) in BUILT_IN:
        return Source(str(name), shipped.text("klopt.scoring", "profiles", f"{name}.toml"), None)
    path = Path(name)
    path = path / PROFILE_FILE if path.is_dir() else path
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, IsADirectoryError):
        raise ProfileError(
            f'there is no profile "{name}": give one of {", ".join(BUILT_IN)}, a file, or a '
            f"folder with a {PROFILE_FILE}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    return source_in(text, str(path), path.parent, (*extended_by, path.resolve()))


def source_in(
    text: str, where: str, folder: Path | None, extended_by: tuple[Path, ...] = ()
) -> Source:
    """The source of a profile whose text is at hand; see `source_of`."""
    try:
        base = tomllib.loads(text)["profile"]["extends"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Source(where, text, folder)  # What is wrong with it is told when it is checked.
    if not isinstance(base, str):
        return Source(where, text, folder)
    if "\0" in base:
        raise ProfileError(f"{where}: [profile] extends: {base!r} is not a file or a folder")
    path = base if base in BUILT_IN else (folder or Path()) / base
    if isinstance(path, Path) and path.resolve() in extended_by:
        raise ProfileError(f'{where}: [profile] extends: "{base}" extends this profile in turn')
    if len(extended_by) >= MOST_LEVELS:
        raise ProfileError(
            f"{where}: [profile] extends: over {MOST_LEVELS} profiles extend one another"
        )
    try:
        return Source(where, text, folder, source_of(path, extended_by))
    except ProfileError as error:
        raise ProfileError(f"{where}: [profile] extends: {error}") from None


def _merged(base: Mapping[str, Any], own: Mapping[str, Any], at: tuple[str, ...]) -> dict[str, Any]:
    found = dict(base)
    for key, value in own.items():
        before = base.get(key)
        path = (*at, key)
        if path[:1] == ("languages",) and path[2:] == ("lexicons",) and isinstance(value, list):
            value = [*(before or ()), *value]
        elif isinstance(before, Mapping) and isinstance(value, Mapping) and not _is_one(path):
            value = _merged(before, value, path)
        found[key] = value
    return found


def _is_one(path: tuple[str, ...]) -> bool:
    return (*path[:1], *("*" for _ in path[1:])) in _AS_ONE
