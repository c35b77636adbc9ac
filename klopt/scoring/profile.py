"""Profiles: which heuristics, weights, tree, thresholds, scope and languages, in TOML."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

from klopt.errors import InputError, ProfileError
from klopt.heuristics.declaration import Option
from klopt.records import MessageType
from klopt.scoring.schema import check
from klopt.scoring.tree import Cut, Sum

BUILT_IN: Final = ("afas", "default")


@dataclass(frozen=True)
class LanguageSettings:
    """What a profile says of one language.

    Attributes:
        pipeline: ``klopt`` for the bundled pipeline, or an installed one's name.
        lexicons: The company's own lexicon files, added to the built-in ones.
    """

    pipeline: str
    lexicons: tuple[Path, ...]


@dataclass(frozen=True)
class Profile:
    """How answers are scored.

    Attributes:
        name: Its name.
        description: One sentence.
        classifier: ``scored`` or ``published``.
        message_types: The types that are scored.
        languages: Language → settings; an answer in another language is not scored.
        weights: Heuristic → weight.
        options: Heuristic → options that differ from its defaults.
        tree: The nodes in order.
        block_below: A score below this is blocked.
        send_from: A score of this or more is sent; in between a person reviews.
        digest: SHA-256 of the file, for the fingerprint.

    >>> Profile.load("afas").message_types
    ('binary', 'instruction')
    """

    name: str
    description: str
    classifier: Literal["scored", "published"]
    message_types: tuple[MessageType, ...]
    languages: Mapping[str, LanguageSettings]
    weights: Mapping[str, float]
    options: Mapping[str, Mapping[str, Option]]
    tree: tuple[Cut | Sum, ...]
    block_below: float
    send_from: float
    digest: str

    @classmethod
    def load(cls, name: str | Path = "default") -> Profile:
        """A built-in profile by its name, or a company's own by its file.

        Raises:
            ProfileError: No such profile, or the file breaks the schema: all problems at once.
            InputError: The file cannot be read.
        """
        if str(name) in BUILT_IN:
            file = resources.files("klopt.scoring").joinpath("profiles", f"{name}.toml")
            return cls.read(file.read_text("utf-8"), where=f"{name}.toml", folder=None)
        path = Path(name)
        if not path.is_file():
            raise ProfileError(
                f'there is no profile "{name}": give one of {", ".join(BUILT_IN)}, or a file'
            )
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read as text: {error}") from None
        return cls.read(text, where=str(path), folder=path.parent)

    @classmethod
    def read(cls, text: str, *, where: str, folder: Path | None) -> Profile:
        """A profile from its TOML source; lexicon files are looked for in ``folder``."""
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ProfileError(f"{where}: not TOML: {error}") from None
        problems = check(table)
        if problems:
            raise ProfileError("\n".join(f"{where}: {problem}" for problem in problems))
        head = table["profile"]
        digest = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
        return cls(
            name=head["name"],
            description=head["description"],
            classifier=head["classifier"],
            message_types=tuple(head["message_types"]),
            languages={
                language: _language(settings, folder)
                for language, settings in table["languages"].items()
            },
            weights={name: float(entry["weight"]) for name, entry in table["heuristics"].items()},
            options={
                name: {key: value for key, value in entry.items() if key != "weight"}
                for name, entry in table["heuristics"].items()
            },
            tree=tuple(_node(entry) for entry in table["tree"]),
            block_below=float(table["verdict"]["block_below"]),
            send_from=float(table["verdict"]["send_from"]),
            digest=digest,
        )


def _language(settings: Mapping[str, Any], folder: Path | None) -> LanguageSettings:
    files = tuple((folder or Path()) / name for name in settings.get("lexicons", ()))
    return LanguageSettings(settings["pipeline"], files)


def _node(entry: Mapping[str, Any]) -> Cut | Sum:
    says = {key: text for key, text in entry.items() if len(key) == 2}
    if "sum" in entry:
        return Sum(entry["node"], tuple(entry["sum"]), says)
    return Cut(
        entry["node"],
        entry["heuristic"],
        entry.get("below"),
        entry.get("at_least"),
        float(entry["score"]),
        says,
    )
