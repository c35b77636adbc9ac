"""CoNLL-U files to spaCy's training format.

Only FORM, LEMMA, UPOS, HEAD, DEPREL and SpaceAfter are learnt: the treebanks' FEATS come from two
converter versions and disagree.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

Row = list[str]
Sentence = list[Row]

FORM, LEMMA, UPOS, FEATS, HEAD, DEPREL, MISC = 1, 2, 3, 5, 6, 7, 9
LONGEST_DOC_SENTENCES = 8


def read_conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file, without multiword ranges and empty nodes."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        if rows:
            yield rows


def to_doc(vocab: Vocab, sentences: Iterable[Sentence]) -> Doc:
    """One `Doc` of several sentences, heads counted from the start of the document."""
    words: list[str] = []
    lemmas: list[str] = []
    pos: list[str] = []
    deps: list[str] = []
    spaces: list[bool] = []
    heads: list[int] = []
    starts: list[bool | int | None] = []
    for rows in sentences:
        offset = len(words)
        for index, row in enumerate(rows):
            head = int(row[HEAD])
            words.append(row[FORM])
            lemmas.append(row[LEMMA])
            pos.append(row[UPOS])
            deps.append("ROOT" if head == 0 else row[DEPREL])
            heads.append(offset + (index if head == 0 else head - 1))
            spaces.append("SpaceAfter=No" not in row[MISC])
            starts.append(index == 0)
    return Doc(
        vocab,
        words=words,
        spaces=spaces,
        lemmas=lemmas,
        pos=pos,
        heads=heads,
        deps=deps,
        sent_starts=starts,
    )


def to_docbin(vocab: Vocab, sentences: list[Sentence], *, seed: int | None) -> DocBin:
    """Documents of one to eight sentences, as answers have; of one each without a seed.

    Mixed lengths teach the parser both to split running text and to read a lone sentence.
    """
    rng = random.Random(seed)
    docs = DocBin(attrs=["ORTH", "SPACY", "LEMMA", "POS", "HEAD", "DEP", "SENT_START"])
    start = 0
    while start < len(sentences):
        count = 1 if seed is None else rng.choice([1, 1, 2, 3, 5, LONGEST_DOC_SENTENCES])
        docs.add(to_doc(vocab, sentences[start : start + count]))
        start += count
    return docs
