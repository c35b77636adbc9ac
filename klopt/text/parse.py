"""Parse a text with spaCy into plain tuples.

Texts are parsed in a memory zone, since a `spacy.tokens.Doc` shares its strings with the
vocabulary, which would grow with every new word for as long as a service runs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from klopt._internal.cached import ProcessLock, cached_property
from klopt.lexicons import Lexicons
from klopt.text import pipelines
from klopt.text.pipelines import SUBJECT_LABELS
from klopt.text.plain import Span
from klopt.text.tokens import Tokens

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from klopt.text.reader import Reading

_WORDLESS: Final = frozenset({"PUNCT", "SPACE", "SYM"})
_CONTENT_POS: Final = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "X"})
_LONGEST_SENTENCE_CHARS: Final = 5_000
_LONG_RUN: Final = re.compile(r"\S{200}(?=\S)")
_ONE_AT_A_TIME: Final = ProcessLock()
"""A pipeline has one vocabulary and one memory zone, whatever the number of threads."""


@dataclass(frozen=True)
class SubjectPair:
    """A nominal subject and its verb, as lemmas, with their place in the plain text."""

    subject: str
    verb: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Parse:
    """Tokens of one text, all fields of shape ``(n_tokens,)``.

    Attributes:
        words: The tokens as they stand.
        lemmas: In lower case, without the treebank's ``_`` (``aan_klikken`` → ``aanklikken``).
        pos: Universal part-of-speech tags.
        deps: Dependency labels.
        heads: Index of each token's head; its own for a root.
        spans: Places in the plain text.
        content: Whether the token is a noun, name, verb, adjective or number, but no stop word.
        stops: Whether the token is a stop word.
    """

    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]
    spans: tuple[Span, ...]
    content: tuple[bool, ...]
    stops: tuple[bool, ...]

    @cached_property
    def word_indices(self) -> tuple[int, ...]:
        """Indices of the tokens that are words, not punctuation or symbols."""
        return tuple(
            index
            for index, pos in enumerate(self.pos)
            if pos not in _WORDLESS and any(map(str.isalnum, self.words[index]))
        )

    @cached_property
    def non_stop_indices(self) -> tuple[int, ...]:
        """Indices of the words that are no stop words."""
        return tuple(index for index in self.word_indices if not self.stops[index])

    @cached_property
    def all_lemmas(self) -> tuple[str, ...]:
        """The lemmas of all words."""
        return tuple(self.lemmas[index] for index in self.word_indices)

    @cached_property
    def running_lemmas(self) -> tuple[str, ...]:
        """The lemmas of the words that are no stop words."""
        return tuple(self.lemmas[index] for index in self.non_stop_indices)

    @cached_property
    def tokens(self) -> Tokens:
        """Its words, compared by lemma, not by stem; tokens without content are stop words."""
        words = self.word_indices
        return Tokens(
            self.all_lemmas,
            tuple(self.spans[index].start for index in words),
            tuple(self.spans[index].end for index in words),
            bytes(len(words)),
            bytes(not self.content[index] for index in words),
        )

    @cached_property
    def content_lemmas(self) -> frozenset[str]:
        """The distinct lemmas that carry content."""
        return frozenset(
            lemma for lemma, content in zip(self.lemmas, self.content, strict=True) if content
        )

    @cached_property
    def first_by_lemma(self) -> dict[str, int]:
        """The index of the first token of each lemma."""
        return {self.lemmas[index]: index for index in reversed(range(len(self.lemmas)))}

    @cached_property
    def subject_pairs(self) -> tuple[SubjectPair, ...]:
        """Nominal subjects with their verbs, in text order.

        With a copula the predicate is the subject's head and counts as the verb.
        """
        return tuple(
            SubjectPair(
                self.lemmas[index],
                self.lemmas[head],
                min(self.spans[index].start, self.spans[head].start),
                max(self.spans[index].end, self.spans[head].end),
            )
            for index, (dep, head) in enumerate(zip(self.deps, self.heads, strict=True))
            if dep in SUBJECT_LABELS and head != index
        )

    @cached_property
    def pair_places(self) -> dict[tuple[str, str], SubjectPair]:
        """The first pair with each (subject, verb)."""
        return {(pair.subject, pair.verb): pair for pair in reversed(self.subject_pairs)}


class Parser:
    """Parses texts of one language, each sentence on its own.

    Safe to use from several threads; the pipeline parses for one of them at a time. A reading is
    parsed once while it exists.

    Args:
        lexicons: Its tables, for stop words.
        pipeline: ``klopt`` for the bundled pipeline, or the name of an installed one; loaded when
            something is first parsed.

    >>> from klopt import lexicons
    >>> from klopt.text.reader import Reader
    >>> tables = lexicons.load("nl")
    >>> Parser(tables).parse(Reader(tables).read("De wijziging wordt opgeslagen.")).subject_pairs
    (SubjectPair(subject='wijziging', verb='opslaan', start=3, end=29),)
    """

    def __init__(self, lexicons: Lexicons, pipeline: str = "klopt") -> None:
        self.language = lexicons.language
        self.pipeline = pipeline
        self._stop_words = lexicons["stop_words"].words
        self._parses: WeakKeyDictionary[Reading, Parse] = WeakKeyDictionary()
        self._lock = ProcessLock()

    def parse(self, reading: Reading, *others: Reading) -> Parse:
        """The parse of a reading; the others, if any, are parsed in the same batch.

        A piece without letters or digits has nothing to measure and is left out.
        """
        with self._lock:
            missing = [text for text in (reading, *others) if text not in self._parses]
            if missing:
                self._parses.update(zip(missing, self._parse(missing), strict=True))
            return self._parses[reading]

    def _parse(self, readings: Sequence[Reading]) -> list[Parse]:
        pieces = [
            (number, piece, reading.plain.text[piece.start : piece.end])
            for number, reading in enumerate(readings)
            for sentence in reading.sentences
            for piece in _pieces(reading.plain.text, sentence)
            if any(map(str.isalnum, reading.plain.text[piece.start : piece.end]))
        ]
        rows: list[list[tuple[Any, ...]]] = [[] for _ in readings]
        with _ONE_AT_A_TIME, self.nlp.memory_zone():
            docs: Iterable[Doc] = self.nlp.pipe([text for _, _, text in pieces], batch_size=256)
            for (number, piece, _), doc in zip(pieces, docs, strict=True):
                rows[number] += _rows(doc, piece.start, len(rows[number]), self._stop_words)
        return [
            Parse(*zip(*tokens, strict=True)) if tokens else Parse(*[()] * 8) for tokens in rows
        ]

    @cached_property
    def nlp(self) -> Language:
        """The pipeline.

        Raises:
            PipelineError: It is not installed, or does not fit.
        """
        nlp = pipelines.load(self.language, self.pipeline)
        # Words tokenized outside a memory zone stay cached: half of any text is stop words.
        for word in self._stop_words:
            nlp.make_doc(word)
            nlp.make_doc(word.capitalize())
        return nlp


def _pieces(text: str, sentence: Span) -> Iterable[Span]:
    """A sentence, or its parts when it, or a run without blanks in it, is longer than real ones."""
    start = sentence.start
    cuts = (run.end() for run in _LONG_RUN.finditer(text, sentence.start, sentence.end))
    for cut in (*cuts, sentence.end):
        for at in range(start, cut, _LONGEST_SENTENCE_CHARS):
            yield Span(at, min(at + _LONGEST_SENTENCE_CHARS, cut))
        start = cut


def _rows(
    doc: Doc, offset: int, first: int, stop_words: Collection[str]
) -> Iterator[tuple[object, ...]]:
    """The fields of `Parse` for each token of a piece, which starts at ``offset``."""
    for token in doc:
        word, pos = token.text, token.pos_
        lemma = token.lemma_.lower()
        if "_" in lemma and "_" not in word:
            lemma = lemma.replace("_", "")
        start = offset + token.idx
        stop = lemma in stop_words or word.casefold() in stop_words
        content = not stop and pos in _CONTENT_POS and any(map(str.isalnum, word))
        span, head = Span(start, start + len(word)), first + token.head.i
        yield word, lemma or word.lower(), pos, token.dep_, head, span, content, stop
