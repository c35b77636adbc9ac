"""Profiles in TOML: heuristics, weights, tree, thresholds, scope and languages.

A profile may extend another, and then states only what differs.
"""

from __future__ import annotations

import hashlib
import textwrap
import tomllib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from klopt._internal import shipped
from klopt.errors import InputError, ProfileError
from klopt.heuristics.declaration import Option
from klopt.lexicons import Lexicon
from klopt.scoring.notes import Scope
from klopt.scoring.tree import Cut, Node, Sum, Term, Thresholds, Weigh, Weighing
from klopt.types import MessageType
from klopt.verification import Label

BUILT_IN: Final = ("afas", "default")
PROFILE_FILE: Final = "profile.toml"
"""The profile in a company's folder."""
MAX_LEVELS: Final = 8
"""Maximum number of profiles that extend one another."""

_REPLACED_WHOLE: Final = (("evidence", "*"), ("learnt", "*"), ("opinion",), ("translate",))
"""Tables that replace the extended profile's as a whole."""

OPINIONS: Final = ("encoder:FOLDER", "llm", "llm:statements", "recorded:FILE")
"""Sources of second opinions, as ``--opinion`` and profiles name them."""
MAX_THREADS: Final = 64
"""Maximum number of threads of an encoder."""
WHO: Final = r"^(llm(:statements)?|(encoder|recorded):.+)$"

When: TypeAlias = Literal["review", "always"]
"""Which answers get a second opinion: those that a person would review, or all."""

Rows: TypeAlias = frozenset[bytes]

ROW_BYTES: Final = 4
"""Bytes of a row's hash: one unknown row in 4 million is taken for one of 1,000 known."""

_LINE_CHARS: Final = 96


@dataclass(frozen=True)
class LanguageSettings:
    """The settings of one language.

    Attributes:
        pipeline: ``klopt`` for the bundled pipeline, or the name of an installed one.
        lexicons: The company's own lexicon files, added to the built-in ones.
        read: Their content, once a `klopt.scoring.setup.Setup` has read them.
    """

    pipeline: str = "klopt"
    lexicons: tuple[Path, ...] = ()
    read: tuple[Lexicon, ...] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class TranslateSettings:
    """The settings of translation.

    Attributes:
        to: The target language.
        scope: ``marked``: the features that the paper marks read the translation; ``whole``:
            all features do.
        required: Whether an answer that cannot be translated gets no score, instead of that of the
            original.
    """

    to: str
    scope: Scope = "marked"
    required: bool = False


@dataclass(frozen=True)
class Budget:
    """Limits of second opinions.

    Attributes:
        questions: Maximum number of answers; None for no limit.
        usd: No further opinion is requested once they have cost this many US dollars.
        ms: Timeout of one opinion.

    >>> Budget(questions=500, usd=2.0).ms
    60000.0
    """

    questions: int | None = None
    usd: float | None = None
    ms: float = 60_000.0


@dataclass(frozen=True)
class OpinionSettings:
    """The settings of second opinions.

    Attributes:
        who: The source, as ``--opinion`` names it.
        when: Which answers get one.
        budget: Its limits.
        labels: An encoder's label → klopt's label, for labels that klopt does not know.
        threads: Threads of an encoder.
        prices: US dollars per million prompt and completion tokens of an LLM.
    """

    who: str
    when: When = "review"
    budget: Budget = Budget()
    labels: Mapping[str, Label] = field(default_factory=dict)
    threads: int = 1
    prices: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Profile(Thresholds):
    """How answers are scored, with the `Thresholds` of their verdicts.

    Attributes:
        name: Its name.
        description: One sentence.
        classifier: ``scored`` or ``published``.
        message_types: The types that are scored.
        languages: Language → settings; an answer in another language is not scored.
        weights: Heuristic → weight in a sum, the heuristics of the profile.
        options: Heuristic → options that differ from its defaults.
        tree: The nodes in order.
        evidence: Language → the weights of a `Weigh` node; empty when the tree ends in a sum.
        digest: SHA-256 of the file and those that it extends, for the fingerprint.
        plain_names: Whether names that only a capital sets apart are components.
        translate: Settings of translation, or None.
        opinion: Settings of second opinions, or None.
        learnt_from: Language → hashes (`row_of`) of the answers that its evidence was fitted on.

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
        """Return heuristic → weight in the last node, for a language."""
        last = self.tree[-1]
        weighing = self.evidence.get(language or "")
        if not isinstance(last, Weigh) or weighing is None:
            return self.weights
        terms = weighing.terms
        return {name: terms[name].weight if name in terms else 0.0 for name in self.weights}

    @classmethod
    def load(cls, name: str | Path = "default") -> Profile:
        """Load a built-in profile by its name, or a company's own from its file or folder.

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
        """Read a profile from TOML, with lexicon files in ``folder``; errors as for `load`."""
        return cls._checked(_source_in(text, where, folder))

    @classmethod
    def _checked(cls, source: Source) -> Profile:
        from klopt._internal.toml_schema import check
        from klopt.scoring.schema import profile_schema

        if source.extends is not None and source.extends.folder is not None:
            cls._checked(source.extends)  # reports problems with the lines of that file
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
                language: _language(entry, folder or Path())
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
    """Return the lexicon files of a path in a profile: a folder's, or the file itself."""
    return sorted(path.glob("*.toml")) if path.is_dir() else [path]


def _language(entry: Mapping[str, Any], folder: Path) -> LanguageSettings:
    files = [file for name in entry.get("lexicons", ()) for file in lexicon_files(folder / name)]
    return LanguageSettings(entry.get("pipeline", "klopt"), tuple(files))


def _opinion(entry: Mapping[str, Any] | None, folder: Path) -> OpinionSettings | None:
    """Return the settings; a file after a colon is relative to the profile's folder."""
    if entry is None:
        return None
    kind, _, named = entry["who"].partition(":")
    who = entry["who"] if kind == "llm" else f"{kind}:{folder / named}"
    limits = {key: entry[key] for key in ("questions", "usd", "ms") if key in entry}
    others = {key: entry[key] for key in ("when", "labels", "threads") if key in entry}
    prices = tuple(entry["prices"]) if "prices" in entry else None
    return OpinionSettings(who, budget=Budget(**limits), prices=prices, **others)


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
    bounds = entry.get("below"), entry.get("at_least")
    return Cut(entry["node"], entry["heuristic"], *bounds, float(entry["score"]), says)


@dataclass(frozen=True)
class Source:
    """A profile's file, and the one it extends; ``folder`` is None for a built-in profile."""

    name: str
    text: str
    folder: Path | None
    extends: Source | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the file and of those that it extends."""
        own = hashlib.sha256(self.text.replace("\r\n", "\n").encode()).hexdigest()
        if self.extends is None:
            return own
        return hashlib.sha256((own + self.extends.digest).encode()).hexdigest()

    @property
    def chain(self) -> tuple[Source, ...]:
        """This file and all that it extends, directly or not."""
        return (self, *(self.extends.chain if self.extends is not None else ()))

    def whole(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """Return the file's table with what it inherits; inherited lexicons get absolute paths."""
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
        nodes = own.get("tree")
        if isinstance(nodes, list) and nodes and "weigh" in nodes[-1]:
            for entry in base["heuristics"].values():  # the weights of the inherited sum
                entry.pop("weight", None)
        return _merged(base, own, ())


def source_of(name: str | Path, extended_by: tuple[Path, ...] = ()) -> Source:
    """Return the source of a built-in profile, a company's file, or the profile in a folder.

    Raises:
        ProfileError: No such profile, or it extends itself.
        InputError: The file cannot be read.
    """
    if str(name) in BUILT_IN:
        return Source(str(name), shipped.text("klopt.scoring", "profiles", f"{name}.toml"), None)
    from klopt._internal.files import read_text_file  # built-in profiles do not need it

    path = Path(str(name))
    path = path / PROFILE_FILE if path.is_dir() else path
    try:
        text = read_text_file(path)
    except (FileNotFoundError, IsADirectoryError):
        raise ProfileError(
            f'there is no profile "{name}": give one of {", ".join(BUILT_IN)}, a file, or a '
            f"folder with a {PROFILE_FILE}"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    return _source_in(text, str(path), path.parent, (*extended_by, path.resolve()))


def _source_in(
    text: str, where: str, folder: Path | None, extended_by: tuple[Path, ...] = ()
) -> Source:
    try:
        base = tomllib.loads(text)["profile"]["extends"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Source(where, text, folder)  # the schema reports the problem
    if not isinstance(base, str):
        return Source(where, text, folder)
    if "\0" in base:
        raise ProfileError(f"{where}: [profile] extends: {base!r} is not a file or a folder")
    path = base if base in BUILT_IN else (folder or Path()) / base
    if isinstance(path, Path) and path.resolve() in extended_by:
        raise ProfileError(f'{where}: [profile] extends: "{base}" extends this profile in turn')
    if len(extended_by) >= MAX_LEVELS:
        raise ProfileError(
            f"{where}: [profile] extends: over {MAX_LEVELS} profiles extend one another"
        )
    try:
        return Source(where, text, folder, source_of(path, extended_by))
    except ProfileError as error:
        raise ProfileError(f"{where}: [profile] extends: {error}") from None


def _merged(base: Mapping[str, Any], own: Mapping[str, Any], at: tuple[str, ...]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        before = base.get(key)
        path = (*at, key)
        if path[:1] == ("languages",) and path[2:] == ("lexicons",) and isinstance(value, list):
            value = [*(before or ()), *value]
        elif isinstance(before, Mapping) and isinstance(value, Mapping):
            is_whole = (*path[:1], *("*" for _ in path[1:])) in _REPLACED_WHOLE
            value = value if is_whole else _merged(before, value, path)
        merged[key] = value
    return merged


def row_of(question: str, answer: str) -> bytes:
    """Return a hash that recognises a question with its answer, whatever the spacing.

    >>> row_of("Waar?", "In de map.") == row_of(" Waar? ", "In de  map.")
    True
    >>> row_of("Waar?", "In de map.") == row_of("Wanneer?", "In de map.")
    False
    """
    content = "\0".join(" ".join(text.split()) for text in (question, answer))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()[:ROW_BYTES]


def packed(rows: Iterable[bytes]) -> str:
    """Return hashes as lines of base64, in sorted order.

    >>> unpacked(packed({b"abcd", b"efgh"})) == {b"abcd", b"efgh"}
    True
    """
    text = b64encode(b"".join(sorted(rows))).decode("ascii")
    return "\n".join(textwrap.wrap(text, _LINE_CHARS))


def unpacked(text: str) -> Rows:
    """Return the hashes from `packed`; a ValueError if that is not base64 of whole hashes."""
    content = b64decode("".join(text.split()), validate=True)
    if len(content) % ROW_BYTES:
        raise ValueError(f"{len(content)} bytes are no rows of {ROW_BYTES}")
    starts = range(0, len(content), ROW_BYTES)
    return frozenset(content[start : start + ROW_BYTES] for start in starts)
