"""Scores turns: one way from a `Turn` to an `Assessment`."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from klopt import heuristics, lexicons, pipelines
from klopt.alignment import Alignment, Indexes, Synonyms, align
from klopt.classifier import Classification, classify, prepare
from klopt.errors import KloptError, PatternTimeoutError, RecordError, UnknownLanguageError
from klopt.heuristics import Context, Heuristic, Material
from klopt.lexicons import Lexicons
from klopt.measurement import Measurement
from klopt.reading.markup import read_text
from klopt.reading.parse import Parse
from klopt.reading.reader import ANSWER_LIMIT_CHARS, Reader, Reading
from klopt.records import MESSAGE_TYPES, Turn
from klopt.scoring.admission import (
    NotScorableError,
    read_contexts,
    read_turn,
    tell_language,
)
from klopt.scoring.assessment import Assessment, Verdict
from klopt.scoring.explanation import TELLING, Refusal, explain_refusal, explain_walk
from klopt.scoring.fingerprint import fingerprint
from klopt.scoring.profile import Profile
from klopt.scoring.tree import Walk, Weigh, walk

_LOG = logging.getLogger("klopt")
_HEURISTICS: Mapping[str, Heuristic] = {one.name: one for one in heuristics.ALL}


class Scorer:
    r"""Scores turns by one profile.

    Safe to use from several threads. Pages are read once and remembered by content.

    Args:
        profile: How to score.
        all_types: Score every message type, whatever the profile's scope.
        terms: Company terms, or other lexicon files of the company, added to the profile's.

    Raises:
        LexiconError: A lexicon file is wrong.
        InputError: A lexicon file cannot be read.

    >>> from klopt import Scorer, Turn
    >>> scorer = Scorer.load("afas")
    >>> page = "# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."
    >>> turn = Turn("Hoe sla ik het op?", "Klik op **Bewaren**.", [page])
    >>> assessment = scorer.score(turn)
    >>> assessment.score, assessment.verdict, assessment.rule
    (1.0, 'block', 'missing_component')
    """

    def __init__(
        self, profile: Profile, *, all_types: bool = False, terms: Iterable[Path] = ()
    ) -> None:
        self.profile = profile
        self._types = MESSAGE_TYPES if all_types else profile.message_types
        self._own = tuple(lexicons.read_lexicon(Path(path)) for path in terms)
        unusable = [one for one in self._own if one.language not in profile.languages]
        if unusable:
            raise UnknownLanguageError(
                f'lexicon "{unusable[0].id}" is for language "{unusable[0].language}", which '
                f'profile "{profile.name}" does not have'
            )
        self._readers: dict[str, Reader] = {}
        self._synonyms: dict[str, Synonyms] = {}
        self._indexes = Indexes()
        self._fingerprints: dict[str | None, str] = {}
        self._options = {
            name: {**_HEURISTICS[name].options, **profile.options[name]} for name in profile.weights
        }
        self._nodes = {node.node: node for node in profile.tree}

    @classmethod
    def load(
        cls,
        profile: str | Path = "default",
        *,
        all_types: bool = False,
        terms: Iterable[Path] = (),
    ) -> Scorer:
        """A scorer for a built-in profile (``afas``, ``default``) or a company's own file."""
        return cls(Profile.load(profile), all_types=all_types, terms=terms)

    def prepare(self, language: str) -> None:
        """Loads the tables and the pipeline of a language now, not at the first turns.

        Raises:
            UnknownLanguageError: The profile does not have the language.
            PipelineError: The profile names a pipeline that is not installed.
        """
        if language not in self.profile.languages:
            known = ", ".join(self.profile.languages)
            raise UnknownLanguageError(
                f'profile "{self.profile.name}" has no language "{language}"; it has {known}'
            )
        reader = self._reader(language)
        reader.parse(reader.read("klopt"))
        reader.lexicons.compile()
        prepare(reader.lexicons, method=self.profile.classifier)

    def score(self, turn: Turn, *, measure_all: bool = False) -> Assessment:
        """Scores one turn.

        Args:
            turn: Question, answer and pages.
            measure_all: Also measure what the walk through the tree did not ask for, for
                evaluation; the score stays the same.

        Returns:
            An `Assessment`; a turn that cannot be scored gets a status and a reason, no error.

        Raises:
            PipelineError: The profile names a pipeline that is not installed.
            LexiconError: A lexicon of the company is wrong.
        """
        language: str | None = None
        classification: Classification | None = None
        try:
            question, answer = read_turn(turn)
            language = tell_language(turn.language, (question, answer), self.profile.languages)
            reader = self._reader(language)
            asked, answered = reader.read_plain(question), reader.read_plain(answer)
            classification = self._classify(turn, asked, reader)
            abstained = _abstains(answered, reader.lexicons)
            if classification.message_type not in self._types:
                raise NotScorableError(Refusal("out_of_scope", found=classification.message_type))
            contexts = read_contexts(turn.pages, reader)
            measurements, outcome = self._measure(asked, answered, contexts, reader, measure_all)
        except NotScorableError as stop:
            return self._refused(turn, stop, language, classification)
        except PatternTimeoutError as error:
            late = NotScorableError(Refusal("pattern_timeout", found=str(error)), is_error=True)
            return self._refused(turn, late, language, classification)
        return self._assessed(
            turn, language, classification, asked, measurements, outcome, abstained
        )

    def score_many(self, turns: Iterable[Turn]) -> Iterator[Assessment]:
        """Scores turns one by one, in order; no turn stops the others.

        A fault of klopt itself becomes status ``error`` with the reason ``internal`` and is
        logged with its traceback; wrong configuration is raised as in `score`.
        """
        for turn in turns:
            try:
                yield self.score(turn)
            except KloptError:
                raise
            except Exception as error:
                _LOG.exception("turn %r could not be scored", turn.id)
                refusal = Refusal("internal", found=f"{type(error).__name__}: {error}")
                yield self._refused(turn, NotScorableError(refusal, is_error=True), None, None)

    def refuse(self, row_id: str, reason: str) -> Assessment:
        """The assessment of a row that could not be read as a turn."""
        stop = NotScorableError(Refusal("row", found=reason), is_error=True)
        return self._refused(Turn("", "", id=row_id), stop, None, None)

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """The message type of a turn's question, and the deciding span in the original.

        Raises:
            UnknownLanguageError: The language cannot be told, or the profile does not have it.
            RecordError: The question is too long.
            PatternTimeoutError: A pattern took too long on it.
        """
        if len(turn.question) > ANSWER_LIMIT_CHARS:
            length = Refusal(
                "question_too_long", count=len(turn.question), limit=ANSWER_LIMIT_CHARS
            )
            raise RecordError(length.words(None))
        question = read_text(turn.question)
        try:
            language = tell_language(turn.language, (question,), self.profile.languages)
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        reader = self._reader(language)
        asked = reader.read_plain(question)
        found = self._classify(turn, asked, reader)
        return found, _span(found, asked)

    def _reader(self, language: str) -> Reader:
        reader = self._readers.get(language)
        if reader is None:
            settings = self.profile.languages[language]
            tables = lexicons.load(language)
            for lexicon in (*map(lexicons.read_lexicon, settings.lexicons), *self._own):
                if lexicon.language == language:
                    tables = tables.extended(lexicon)
            reader = Reader(tables, pipeline=settings.pipeline)
            self._synonyms[language] = Synonyms(tables)
            self._readers[language] = reader
        return reader

    def _classify(self, turn: Turn, question: Reading, reader: Reader) -> Classification:
        if turn.message_type is not None and turn.message_type in MESSAGE_TYPES:
            return Classification(turn.message_type, "given", 0, 0)
        return classify(
            question.plain.text,
            reader.lexicons,
            method=self.profile.classifier,
            sentences=question.sentences,
        )

    def _measure(
        self,
        question: Reading,
        answer: Reading,
        contexts: tuple[Context, ...],
        reader: Reader,
        measure_all: bool,
    ) -> tuple[dict[str, Measurement], Walk]:
        parser = _parser(reader, question, answer)
        aligner = self._aligner(question, answer, contexts, parser)
        measurements: dict[str, Measurement] = {}

        def measure(name: str) -> Measurement:
            if name not in measurements:
                options = self._options[name]
                material = Material(
                    question, answer, contexts, reader.lexicons, parser, aligner, options
                )
                measurements[name] = _HEURISTICS[name].measure(material)
            return measurements[name]

        weighing = self.profile.evidence.get(answer.language)
        outcome = walk(self.profile.tree, self.profile.weights, measure, weighing)
        decider = self._nodes.get(outcome.rule or "")
        if TELLING in self.profile.weights and isinstance(decider, Weigh):
            measure(TELLING)
        if measure_all:
            for name in self.profile.weights:
                measure(name)
        if outcome.score is None:
            raise NotScorableError(Refusal("nothing_measurable"))
        ordered = {name: measurements[name] for name in _HEURISTICS if name in measurements}
        return ordered, outcome

    def _aligner(
        self,
        question: Reading,
        answer: Reading,
        contexts: tuple[Context, ...],
        parser: Callable[[Reading], Parse],
    ) -> Callable[[], Alignment]:
        """Aligns the answer with the pages when a heuristic first asks for it."""
        made: list[Alignment] = []

        def aligner() -> Alignment:
            if not made:
                pages = ((one.page, one.reading) for one in contexts)
                synonyms = self._synonyms[answer.language]
                made.append(
                    align(
                        question,
                        answer,
                        pages,
                        parser=parser,
                        indexes=self._indexes,
                        synonyms=synonyms,
                    )
                )
            return made[0]

        return aligner

    def _assessed(
        self,
        turn: Turn,
        language: str,
        classification: Classification,
        question: Reading,
        measurements: dict[str, Measurement],
        outcome: Walk,
        abstained: bool,
    ) -> Assessment:
        score, rule = outcome.score or 0.0, outcome.rule or ""
        verdict = self._verdict(score)
        return Assessment(
            id=turn.id,
            score=score,
            stars=math.floor(score + 0.5),
            verdict=verdict,
            status="scored",
            reason_code=None,
            reason=None,
            language=language,
            message_type=classification.message_type,
            pattern=classification.pattern,
            span=_span(classification, question),
            rule=rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=measurements,
            weights=self.profile.counts(language),
            sentences=explain_walk(
                outcome, self._nodes[rule], measurements, verdict, language, abstained=abstained
            ),
            fingerprint=self._fingerprint(language),
            meta=turn.meta,
        )

    def _refused(
        self,
        turn: Turn,
        stop: NotScorableError,
        language: str | None,
        classification: Classification | None,
    ) -> Assessment:
        span: tuple[int, int] | None = None
        if classification is not None and language is not None:
            span = _span(classification, self._reader(language).read(turn.question))
        return Assessment(
            id=turn.id,
            score=None,
            stars=None,
            verdict="unscored",
            status="error" if stop.is_error else "not_scorable",
            reason_code=stop.refusal.code,
            reason=stop.refusal.words(None),
            language=language,
            message_type=classification.message_type if classification else None,
            pattern=classification.pattern if classification else None,
            span=span,
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            weights=self.profile.counts(language),
            sentences=explain_refusal(stop.refusal, language),
            fingerprint=self._fingerprint(language),
            meta=turn.meta,
        )

    def _verdict(self, score: float) -> Verdict:
        if score < self.profile.block_below:
            return "block"
        return "send" if score >= self.profile.send_from else "review"

    def _fingerprint(self, language: str | None) -> str:
        if language not in self._fingerprints:
            tables, pipeline = None, None
            if language is not None:
                name = self.profile.languages[language].pipeline
                tables = self._reader(language).lexicons.digest
                pipeline = f"{name}@{pipelines.signature(language, name)}"
            self._fingerprints[language] = fingerprint(
                self.profile.name, self.profile.digest, language, tables, pipeline
            )
        return self._fingerprints[language]


def _parser(reader: Reader, question: Reading, answer: Reading) -> Callable[[Reading], Parse]:
    """Parses question and answer together when either is first asked for."""
    own: dict[int, Parse] = {}

    def parse(reading: Reading) -> Parse:
        if reading is not question and reading is not answer:
            return reader.parse(reading)[0]
        if not own:
            first, second = reader.parse(question, answer)
            own[id(question)], own[id(answer)] = first, second
        return own[id(reading)]

    return parse


def _abstains(answer: Reading, tables: Lexicons) -> bool:
    text = answer.plain.text
    return any(pattern.search(text) for pattern in tables["refusals"].group("does_not_know"))


def _span(classification: Classification, question: Reading) -> tuple[int, int] | None:
    if classification.end <= classification.start:
        return None
    return question.original(classification.start, classification.end)
