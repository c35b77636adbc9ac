"""CoNLL-U files in spaCy's training format, and the accuracy of a pipeline on them.

Pipelines are trained on FORM, LEMMA, UPOS, HEAD, DEPREL and SpaceAfter only: the treebanks' FEATS
come from two converter versions and disagree.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.vocab import Vocab

Row = list[str]
Sentence = list[Row]

FORM, LEMMA, UPOS, FEATS, HEAD, DEPREL, MISC = 1, 2, 3, 5, 6, 7, 9
OTHER_FORMS = ("VerbForm=Inf", "VerbForm=Part", "Past", "Person")


def read_conllu(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, without multiword ranges and empty nodes."""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        if rows:
            yield rows


def to_doc(vocab: Vocab, sentences: Iterable[Sentence]) -> Doc:
    """Return a `Doc` of several sentences, with heads counted from its start."""
    every = list(sentences)
    starts = accumulate(map(len, every), initial=0)
    rows = [row for sentence in every for row in sentence]
    firsts = [start for start, sentence in zip(starts, every, strict=False) for _ in sentence]
    return Doc(
        vocab,
        words=[row[FORM] for row in rows],
        spaces=["SpaceAfter=No" not in row[MISC] for row in rows],
        lemmas=[row[LEMMA] for row in rows],
        pos=[row[UPOS] for row in rows],
        heads=[
            first + int(row[0 if row[HEAD] == "0" else HEAD]) - 1
            for first, row in zip(firsts, rows, strict=True)
        ],
        deps=["ROOT" if row[HEAD] == "0" else row[DEPREL] for row in rows],
        sent_starts=[row[0] == "1" for row in rows],
    )


def to_docbin(vocab: Vocab, sentences: list[Sentence], *, seed: int | None) -> DocBin:
    """Return documents of one to eight sentences, like answers; of one each without a seed.

    With mixed lengths, the parser can both split running text and read a single sentence.
    """
    rng = random.Random(seed)
    docs = DocBin(attrs=["ORTH", "SPACY", "LEMMA", "POS", "HEAD", "DEP", "SENT_START"])
    start = 0
    while start < len(sentences):
        count = 1 if seed is None else rng.choice([1, 1, 2, 3, 5, 8])
        docs.add(to_doc(vocab, sentences[start : start + count]))
        start += count
    return docs


def measure(nlp: Language, sentences: Sequence[Sentence], *, gold_words: bool) -> dict[str, float]:
    """Measure a pipeline's accuracy: shares from 0 to 1, with each sentence as a document.

    The pipeline parses the treebank's words, or the text with its own tokenizer (a word that it
    splits differently counts as wrong).

    Returns:
        ``uas`` and ``las`` without punctuation, ``pos``, ``lemma``, ``nsubj_f`` (the label nsubj),
        ``root`` (share of sentences with the right root).
    """
    golds, blanks = [to_doc(nlp.vocab, [rows]) for rows in sentences], []
    for gold in golds:
        words, spaces = ([word.text for word in gold], [bool(word.whitespace_) for word in gold])
        blanks.append(Doc(nlp.vocab, words, spaces) if gold_words else nlp.make_doc(gold.text))
    examples = list(map(Example, nlp.pipe(blanks), golds))
    scores = Scorer(nlp).score(examples)
    roots = [[_roots(doc) for doc in (one.reference, one.predicted)] for one in examples]
    shares = {
        "uas": scores["dep_uas"],
        "las": scores["dep_las"],
        "pos": scores["pos_acc"],
        "lemma": scores["lemma_acc"],
        "nsubj_f": (scores["dep_las_per_type"] or {}).get("nsubj", {}).get("f", 0.0),
        "root": sum(there == here for there, here in roots) / len(examples),
    }
    return {name: round(float(share), 4) for name, share in shares.items()}


def _roots(doc: Doc) -> list[tuple[int, str]]:
    return [(word.idx, word.text) for word in doc if word.dep_ == "ROOT"]


def imperatives(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the imperative sentences.

    Their root is a verb among the first two words, without a subject, and neither an infinitive nor
    a participle; they have no question mark.
    """
    return [rows for rows in sentences if _is_imperative(rows)]


def _is_imperative(rows: Sentence) -> bool:
    place, root = next((place, row) for place, row in enumerate(rows) if row[HEAD] == "0")
    return (
        place < 2
        and root[UPOS] == "VERB"
        # Dutch treebanks call an imperative an indicative.
        and ("Mood=Imp" in root[FEATS] or not any(form in root[FEATS] for form in OTHER_FORMS))
        and all(row[FORM] != "?" for row in rows)
        and not any(
            row[HEAD] == root[0] and row[DEPREL].startswith(("nsubj", "csubj", "expl"))
            for row in rows
        )
    )
