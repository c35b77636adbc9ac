"""The last component of a bundled pipeline: lemmas as the Dutch treebanks write them.

A statistical lemmatizer learns inflection ("klikte" → "klikken") but not the treebanks' marks of a
separable verb ("Zet … uit" → ``uit_zetten``) and of compounds (``netwerk_kabel``). ``tables.json``,
counted from the training file, supplies both, and the lemma of every form that the file settles.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from spacy.language import Language
from spacy.tokens import Doc, Token

FACTORY: Final = "klopt_lemma_rules"
PARTICLE: Final = "compound:prt"  # Dependency relation of a verb particle
TABLES: Final = "tables.json"
SHORTEST_HEAD_CHARS: Final = 3
SHORTEST_UNKNOWN_CHARS: Final = 4
SHORTEST_MODIFIER_CHARS: Final = 2
LINKS: Final = ("", "s", "en", "n", "e")
"""Linking sounds between the parts of a compound."""
LINKED: Final = ("heids", "ings", "ments", "schaps", "teits")
"""Suffixes of an unknown first part whose "s" is a linking sound."""
NAMES: Final = frozenset({"PROPN", "X"})
"""Parts of speech whose forms keep their case."""


@dataclass(frozen=True)
class Tables:
    """Counted from CoNLL-U by ``training/lemmas.py``.

    Attributes:
        forms: Part of speech → form → lemma, where the training file leaves no doubt. Forms are
            in lower case but for names. A verb's lemma has no separate particle.
        doubtful: The same where it does leave doubt: form → lemmas, the commonest first.
        particles: Verb particles ("uit", "aan"); none for a language that does not mark them.
        modifiers: First parts of compounds as they are written → their lemma ("wets" → "wet").
        heads: Last parts of compounds as they are written → their lemma ("kabels" → "kabel").
        productive_heads: The last parts that make compounds so often that an unknown first part
            will do.
    """

    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    doubtful: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    particles: tuple[str, ...] = ()
    modifiers: Mapping[str, str] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)
    productive_heads: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tables:
        """Read the output of `dataclasses.asdict`."""
        lists = {name: tuple(data[name]) for name in ("particles", "productive_heads")}
        return cls(**{**data, **lists})

    def lemma(self, form: str, pos: str, guess: str) -> str:
        """Return the lemma of a word that is not a verb; `guess` is the lemmatizer's.

        >>> tables = Tables({"NOUN": {"kabels": "kabel"}}, modifiers={"netwerk": "netwerk"},
        ...                 heads={"kabels": "kabel"})
        >>> tables.lemma("Kabels", "NOUN", "kabel"), tables.lemma("netwerkkabels", "NOUN", "?")
        ('kabel', 'netwerk_kabel')
        """
        seen = self._seen(_bare(form, pos), pos, guess)
        if seen is None and pos == "NOUN" and self.heads:
            return self.compound(form) or guess
        return guess if seen is None else seen

    def verb(self, form: str, pos: str, guess: str) -> str:
        """Return the lemma of a verb, without a particle elsewhere in the sentence.

        >>> tables = Tables({"VERB": {"gelachen": "lachen"}}, particles=("uit",))
        >>> tables.verb("uitgelachen", "VERB", "uitgelachen")
        'uit_lachen'
        """
        lower = form.lower()
        seen = self._seen(lower, pos, guess)
        if seen is not None:
            return seen
        known = self.forms.get(pos, {})
        for particle in self.particles:
            rest = lower.removeprefix(particle)
            if rest != lower and rest in known:
                return f"{particle}_{known[rest]}"
        first, _, rest = guess.partition("_")
        return rest if rest and not lower.startswith(first.lower()) else guess

    def _seen(self, form: str, pos: str, guess: str) -> str | None:
        """Return the lemma in the training file; the lemmatizer decides between several."""
        settled = self.forms.get(pos, {}).get(form)
        if settled is not None:
            return settled
        candidates = self.doubtful.get(pos, {}).get(form)
        if candidates is None:
            return None
        bare = guess.partition("_")[2]
        return next((lemma for lemma in (guess, bare) if lemma in candidates), candidates[0])

    def compound(self, form: str) -> str | None:
        """Return a compound's lemma with its parts marked, or None if the parts are not known.

        The longest known last part wins; the rest must be known too, in one piece or in several.

        >>> Tables(modifiers={"wets": "wet"}, heads={"ontwerpen": "ontwerp"}).compound(
        ...     "wetsontwerpen")
        'wet_ontwerp'
        """
        for cut in range(SHORTEST_MODIFIER_CHARS, len(form) - SHORTEST_HEAD_CHARS + 1):
            head = self.heads.get(form[cut:].lower())
            if head is not None and (modifier := self._modifier(form[:cut])) is not None:
                return f"{modifier}_{head}"
        lower = form.lower()
        for cut in range(SHORTEST_UNKNOWN_CHARS, len(form) - SHORTEST_HEAD_CHARS + 1):
            if lower[cut:] in self.productive_heads and not lower.startswith(self.particles):
                first = form[:cut].removesuffix("-") if form[:cut].isupper() else lower[:cut]
                first = first.removesuffix("s") if first.endswith(LINKED) else first
                return f"{first.removesuffix('-')}_{self.heads[lower[cut:]]}"
        return None

    def _modifier(self, form: str) -> str | None:
        bare = form.rstrip("-")
        whole = self._single(bare)
        if whole is not None:
            return whole
        for cut in range(SHORTEST_MODIFIER_CHARS, len(bare) - SHORTEST_HEAD_CHARS + 1):
            last = self._single(bare[cut:])
            if last is not None and (first := self._single(bare[:cut].rstrip("-"))) is not None:
                return f"{first}_{last}"
        return None

    def _single(self, form: str) -> str | None:
        """Return the lemma of one first part, with or without a linking sound."""
        for link in LINKS:
            if form.endswith(link) and len(form) - len(link) >= SHORTEST_UNKNOWN_CHARS * bool(link):
                part = form.removesuffix(link)
                lemma = self.modifiers.get(part) or self.modifiers.get(part.lower())
                if lemma is not None:
                    return lemma
        return None


@Language.factory(FACTORY, assigns=["token.lemma"], requires=["token.pos", "token.dep"])
def create(nlp: Language, name: str) -> LemmaRules:
    """Return the component for spaCy; it has no tables, and so no effect, until `from_disk`."""
    return LemmaRules(Tables())


class LemmaRules:
    """Correct the lemmas of a parsed `Doc`.

    Args:
        tables: Counted by ``training/lemmas.py``.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def __call__(self, doc: Doc) -> Doc:
        """Set each word's lemma; the words must be tagged, parsed and lemmatized."""
        for word in doc:
            word.lemma_ = self._lemma(word)
        return doc

    def _lemma(self, word: Token) -> str:
        form, pos = word.text, word.pos_
        guess = word.lemma_ if _is_likely(form, word.lemma_) else _bare(form, pos)
        if pos in {"VERB", "AUX"} and self.tables.particles:
            base = self.tables.verb(form, pos, guess)
            particle = next((child.lower_ for child in word.children if child.dep_ == PARTICLE), "")
            joins = particle in self.tables.particles and "_" not in base
            return f"{particle}_{base}" if joins else base
        return self.tables.lemma(form, pos, guess)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the tables as JSON; `exclude` is part of spaCy's protocol and not used."""
        return json.dumps(
            asdict(self.tables), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> LemmaRules:
        """Read what `to_bytes` wrote."""
        self.tables = Tables.from_json(json.loads(data))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the folder of this component."""
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / TABLES).write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> LemmaRules:
        """Read the folder of this component."""
        return self.from_bytes((Path(path) / TABLES).read_bytes())

    def initialize(self, get_examples: Callable[[], Any], *, nlp: Language | None = None) -> None:
        """Do nothing: the tables are counted beforehand."""


def _is_likely(form: str, lemma: str) -> bool:
    """Whether a lemma is plausible, unlike "Save." for "Save"."""
    return bool(lemma) and (not form.isalpha() or lemma.replace("_", "").isalpha())


def _bare(form: str, pos: str) -> str:
    """Return a form as in the tables: in lower case, but for names."""
    return form if pos in NAMES else form.lower()
