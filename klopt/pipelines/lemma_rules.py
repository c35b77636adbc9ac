"""The last component of a bundled pipeline: lemmas as the Dutch treebanks write them.

A statistical lemmatizer learns inflection well ("klikte" → "klikken") but not the treebanks' marks
of structure: a separable verb whose particle stands elsewhere ("Zet … uit" → ``uit_zetten``) and
compounds (``netwerk_kabel``). Tables counted from the training file, kept beside the pipeline as
``tables.json``, supply both, and the lemma of every form that the training file settles.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from spacy.language import Language
from spacy.tokens import Doc, Token

from klopt.pipelines.lemma_tables import NAMES, Tables

__all__ = ["FACTORY", "LemmaRules"]

FACTORY: Final = "klopt_lemma_rules"
PARTICLE: Final = "compound:prt"
TABLES: Final = "tables.json"


@Language.factory(FACTORY, assigns=["token.lemma"], requires=["token.pos", "token.dep"])
def create(nlp: Language, name: str) -> LemmaRules:
    """The component as spaCy makes it: without tables, so without effect, until `from_disk`."""
    return LemmaRules(Tables())


class LemmaRules:
    """Corrects the lemmas that stand on a parsed `Doc`.

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
        guess = word.lemma_ if _is_likely(form, word.lemma_) else self._bare(form, pos)
        if pos in {"VERB", "AUX"} and self.tables.particles:
            base = self.tables.verb(form, pos, guess)
            particle = next((child.lower_ for child in word.children if child.dep_ == PARTICLE), "")
            joins = particle in self.tables.particles and "_" not in base
            return f"{particle}_{base}" if joins else base
        return self.tables.lemma(form, pos, guess)

    @staticmethod
    def _bare(form: str, pos: str) -> str:
        return form if pos in NAMES else form.lower()

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The tables as JSON; `exclude` is part of spaCy's protocol and not used."""
        return json.dumps(
            self.tables.as_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":")
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
        """Nothing is learnt from examples: the tables are counted beforehand."""


def _is_likely(form: str, lemma: str) -> bool:
    """Rules out what an edit learnt from abbreviations makes of a plain word ("Save" → "Save.")."""
    return bool(lemma) and (not form.isalpha() or lemma.replace("_", "").isalpha())
