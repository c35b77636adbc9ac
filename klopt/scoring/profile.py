"""Profiles: which heuristics, weights, tree, thresholds, scope and languages, in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from klopt.errors import ProfileError
from klopt.heuristics.declaration import Option
from klopt.records import MessageType
from klopt.scoring.inheritance import Source, source_in, source_of
from klopt.scoring.interpretation import Scope
from klopt.scoring.learnt_rows import Rows, unpacked
from klopt.scoring.second_opinion import Relation
from klopt.scoring.tree import Cut, Lines, Node, Sum, Term, Verdict, Weigh, Weighing

__all__ = [
    "MOST_THREADS",
    "OPINIONS",
    "WHO",
    "Budget",
    "LanguageSettings",
    "OpinionSettings",
    "Profile",
    "TranslateSettings",
    "Verdict",
    "When",
    "lexicon_files",
    "profile_text",
]

OPINIONS: Final = ("encoder:FOLDER", "llm", "llm:statements", "recorded:FILE")
"""Whom one can ask, as ``--opinion`` and profiles say it."""
MOST_THREADS: Final = 64
"""An encoder computes on so many at most."""
WHO: Final = r"^(llm(:statements)?|(encoder|recorded):.+)$"

When: TypeAlias = Literal["review", "always"]
"""Which answers somebody else is asked about: those that a person would look at, or all."""


@dataclass(frozen=True)
class LanguageSettings:
    """What a profile says of one language.

    Attributes:
        pipeline: ``klopt`` for the bundled pipeline, or an installed one's name.
        lexicons: The company's own lexicon files, added to the built-in ones; of a folder that
            is named, all.
    """

    pipeline: str = "klopt"
    lexicons: tuple[Path, ...] = ()


@dataclass(frozen=True)
class TranslateSettings:
    """What a profile says of translation.

    Attributes:
        to: The language to read in.
        scope: ``marked``: the features that the paper marks read the translation; ``whole``:
            everything does.
    """

    to: str
    scope: Scope = "marked"


@dataclass(frozen=True)
class Budget:
    """What second opinions may cost.

    Attributes:
        questions: So many answers are asked about; None for as many as there are.
        usd: No further one is asked about once they have cost so many US dollars.
        ms: An opinion on one answer that takes longer comes too late.
    """

    questions: int | None = None
    usd: float | None = None
    ms: float = 60_000.0


@dataclass(frozen=True)
class OpinionSettings:
    """What a profile says of second opinions.

    Attributes:
        who: Who is asked, in the words of ``--opinion``.
        when: Which answers somebody else is asked about.
        budget: What that may cost.
        labels: Of an encoder, what those of its labels mean that klopt does not know.
        threads: An encoder computes on so many.
    """

    who: str
    when: When = "review"
    budget: Budget = Budget()
    labels: Mapping[str, Relation] = field(default_factory=dict)
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class Profile(Lines):
    """How answers are scored, and by which `Lines` it is decided what to do with them.

    Attributes:
        name: Its name.
        description: One sentence.
        classifier: ``scored`` or ``published``.
        message_types: The types that are scored.
        languages: Language → settings; an answer in another language is not scored.
        weights: Heuristic → weight in a sum.
        options: Heuristic → options that differ from its defaults.
        tree: The nodes in order.
        evidence: Language → how a `Weigh` node counts; empty when the tree ends in a sum.
        digest: SHA-256 of the file and those that it extends, for the fingerprint.
        plain_names: Whether names that only a capital sets apart are components.
        translate: That texts are read in translation, or None.
        opinion: That second opinions are asked for, or None.
        learnt_from: Language → the judged answers that its evidence was learnt from, as `row_of`
            recognises them.

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
    tree: tuple[Node, ...]
    evidence: Mapping[str, Weighing]
    digest: str
    plain_names: bool = True
    translate: TranslateSettings | None = None
    opinion: OpinionSettings | None = None
    learnt_from: Mapping[str, Rows] = field(default_factory=dict)

    def counts(self, language: str | None) -> Mapping[str, float]:
        """Heuristic → how much it counts in a language: its weight in the last node."""
        last = self.tree[-1]
        weighing = self.evidence.get(language or "")
        if not isinstance(last, Weigh) or weighing is None:
            return self.weights
        terms = weighing.terms
        return {name: terms[name].weight if name in terms else 0.0 for name in self.weights}

    @classmethod
    def load(cls, name: str | Path = "default") -> Profile:
        """A built-in profile by its name, or a company's own by its file or folder.

        Raises:
            ProfileError: No such profile, or the file breaks the schema: all problems at once.
            InputError: The file cannot be read.
        """
        source = source_of(name)
        if source.folder is None:
            return cls._of(tomllib.loads(source.text), source)
        return cls._checked(source)

    @classmethod
    def read(cls, text: str, *, where: str, folder: Path | None) -> Profile:
        """A profile from its TOML source; lexicon files are looked for in ``folder``.

        Raises:
            ProfileError: It breaks the schema: all problems at once.
        """
        return cls._checked(source_in(text, where, folder))

    @classmethod
    def _checked(cls, source: Source) -> Profile:
        from klopt.scoring.schema import profile_schema
        from klopt.toml_schema import check

        if source.extends is not None and source.extends.folder is not None:
            cls._checked(source.extends)  # its problems are told with its own lines
        schema = partial(profile_schema, folder=source.folder)
        table = check(
            source.text, where=source.name, schema=schema, error=ProfileError, whole=source.whole
        )
        return cls._of(table, source)

    @classmethod
    def _of(cls, table: Mapping[str, Any], source: Source) -> Profile:
        folder = source.folder
        head, verdict, translate = table["profile"], table["verdict"], table.get("translate")
        return cls(
            name=head["name"],
            description=head["description"],
            classifier=head["classifier"],
            message_types=tuple(head["message_types"]),
            languages={
                language: LanguageSettings(
                    entry.get("pipeline", "klopt"),
                    tuple(
                        file
                        for name in entry.get("lexicons", ())
                        for file in lexicon_files((folder or Path()) / name)
                    ),
                )
                for language, entry in table["languages"].items()
            },
            weights={
                name: float(entry.get("weight", 1.0)) for name, entry in table["heuristics"].items()
            },
            options={
                name: {key: value for key, value in entry.items() if key != "weight"}
                for name, entry in table["heuristics"].items()
            },
            tree=tuple(map(_node, table["tree"])),
            evidence={
                language: _weighing(entry) for language, entry in table.get("evidence", {}).items()
            },
            block_below=float(verdict["block_below"]),
            send_from=float(verdict["send_from"]),
            digest=source.digest,
            review_on=tuple(verdict.get("review_on", ())),
            plain_names=head.get("plain_names", True),
            translate=None if translate is None else TranslateSettings(**translate),
            opinion=_opinion(table.get("opinion"), folder or Path()),
            learnt_from={
                language: unpacked(rows) for language, rows in table.get("learnt", {}).items()
            },
        )


def lexicon_files(path: Path) -> list[Path]:
    """The lexicon files that a profile means by a path: those of a folder, or the file itself."""
    return sorted(path.glob("*.toml")) if path.is_dir() else [path]


def profile_text(name: str | Path) -> str:
    """The TOML source of a built-in profile, or of a company's own file.

    Raises:
        ProfileError: No such profile.
        InputError: The file cannot be read.
    """
    return source_of(name).text


def _opinion(entry: Mapping[str, Any] | None, folder: Path) -> OpinionSettings | None:
    """The settings; a file that is named after a colon is one of the profile's folder."""
    if entry is None:
        return None
    kind, _, named = entry["who"].partition(":")
    who = entry["who"] if kind == "llm" else f"{kind}:{folder / named}"
    limits = {key: entry[key] for key in ("questions", "usd", "ms") if key in entry}
    others = {key: entry[key] for key in ("when", "labels", "threads") if key in entry}
    return OpinionSettings(who, budget=Budget(**limits), **others)


def _weighing(entry: Mapping[str, Any]) -> Weighing:
    terms = {name: term for name, term in entry.items() if name != "base"}
    return Weighing(
        float(entry["base"]),
        {name: Term(float(one["weight"]), float(one["neutral"])) for name, one in terms.items()},
    )


def _node(entry: Mapping[str, Any]) -> Node:
    says = {key: text for key, text in entry.items() if len(key) == 2}
    if "sum" in entry:
        return Sum(entry["node"], tuple(entry["sum"]), says)
    if "weigh" in entry:
        return Weigh(entry["node"], tuple(entry["weigh"]), says)
    return Cut(
        entry["node"],
        entry["heuristic"],
        entry.get("below"),
        entry.get("at_least"),
        float(entry["score"]),
        says,
    )
