"""Scores of a pipeline against CoNLL-U, with gold words and from running text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from training.treebanks import DEPREL, FEATS, FORM, HEAD, UPOS, Sentence, to_doc

PUNCT: Final = ("p", "punct")
SUBJECTS: Final = ("nsubj", "nsubj:pass", "nsubj:outer")
IMPERATIVE_LATEST_PLACE: Final = 2


def measure(nlp: Language, sentences: Sequence[Sentence], *, gold_words: bool) -> dict[str, float]:
    """Shares from 0 to 1, rounded to four places; each sentence is a document.

    Parsed are the treebank's words, or else the text, cut by the pipeline's tokenizer (a word that
    is cut otherwise than in the treebank does not count as right).

    Returns:
        ``uas`` and ``las`` without punctuation, ``uas_all`` and ``las_all`` with it, ``pos``,
        ``lemma``, ``nsubj_f`` (the label nsubj), ``subjects_f`` (nsubj, nsubj:pass and
        nsubj:outer, each as labelled), ``root`` (share of sentences whose root is right).
    """
    examples = list(_examples(nlp, sentences, gold_words=gold_words))
    words = _attachments(examples, ignore=PUNCT)
    all_words = _attachments(examples, ignore=())
    nsubj = (words["dep_las_per_type"] or {}).get("nsubj", {})
    scores = {
        "uas": words["dep_uas"],
        "las": words["dep_las"],
        "uas_all": all_words["dep_uas"],
        "las_all": all_words["dep_las"],
        "pos": Scorer.score_token_attr(examples, "pos")["pos_acc"],
        "lemma": Scorer.score_token_attr(examples, "lemma")["lemma_acc"],
        "nsubj_f": nsubj.get("f", 0.0),
        "subjects_f": _subjects_f(examples),
        "root": sum(map(_root_is_right, examples)) / len(examples),
    }
    return {name: round(float(score), 4) for name, score in scores.items()}


def imperatives(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences that tell somebody to do something.

    A verb among the first two words is the root, it has no subject, it is no infinitive and no
    participle, and there is no question mark.
    """
    return [rows for rows in sentences if _is_imperative(rows)]


def _is_imperative(rows: Sentence) -> bool:
    place, root = next((place, row) for place, row in enumerate(rows, 1) if row[HEAD] == "0")
    return (
        place <= IMPERATIVE_LATEST_PLACE
        and root[UPOS] == "VERB"
        and _may_command(root[FEATS])
        and all(row[FORM] != "?" for row in rows)
        and not any(
            row[HEAD] == root[0] and row[DEPREL].startswith(("nsubj", "csubj", "expl"))
            for row in rows
        )
    )


def _may_command(features: str) -> bool:
    """Whether a verb form can be an imperative; the Dutch treebanks call it indicative."""
    if "Mood=Imp" in features:
        return True
    return not any(sign in features for sign in ("VerbForm=Inf", "VerbForm=Part", "Past", "Person"))


def _examples(
    nlp: Language, sentences: Sequence[Sentence], *, gold_words: bool
) -> Iterable[Example]:
    references = [to_doc(nlp.vocab, [rows]) for rows in sentences]
    if gold_words:
        blanks = [
            Doc(
                nlp.vocab,
                words=[word.text for word in reference],
                spaces=[bool(word.whitespace_) for word in reference],
            )
            for reference in references
        ]
    else:
        blanks = [nlp.make_doc(reference.text) for reference in references]
    for predicted, reference in zip(nlp.pipe(blanks), references, strict=True):
        yield Example(predicted, reference)


def _attachments(examples: Sequence[Example], *, ignore: tuple[str, ...]) -> dict[str, Any]:
    return Scorer.score_deps(
        examples,
        "dep",
        getter=lambda token, attr: getattr(token, f"{attr}_"),
        head_attr="head",
        labels=(),
        ignore_labels=ignore,
    )


def _subjects_f(examples: Sequence[Example]) -> float:
    arcs = [
        [_subject_arcs(doc) for doc in (example.reference, example.predicted)]
        for example in examples
    ]
    right = sum(len(there & here) for there, here in arcs)
    return 2 * right / max(1, sum(len(there) + len(here) for there, here in arcs))


def _subject_arcs(doc: Doc) -> set[tuple[int, int, str]]:
    return {(word.idx, word.head.idx, word.dep_) for word in doc if word.dep_ in SUBJECTS}


def _root_is_right(example: Example) -> bool:
    """The only root of the prediction is the root of the treebank."""
    roots = [
        [(word.idx, word.text) for word in doc if word.dep_ == "ROOT"]
        for doc in (example.reference, example.predicted)
    ]
    return roots[0] == roots[1]
