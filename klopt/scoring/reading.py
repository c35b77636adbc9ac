"""Reading a turn within time and size limits, or why it cannot be scored."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import regex

from klopt.classifier import Classification, classify
from klopt.errors import ConfigurationError
from klopt.heuristics import BY_NAME, Material
from klopt.lexicons import Lexicons
from klopt.scoring.assessment import Part, TurnLanguages
from klopt.scoring.explanation import Refusal
from klopt.scoring.notes import Scope, TranslationNote
from klopt.scoring.setup import Deadline, Languages, Setup
from klopt.text.answer_parts import AnswerParts, read_answer
from klopt.text.language import NOT_LATIN, LanguageVote, settled, vote
from klopt.text.markup import chars_to_read, read_text
from klopt.text.plain import PlainText
from klopt.text.reader import (
    ANSWER_LIMIT_CHARS,
    CONTEXTS_LIMIT_CHARS,
    PAGE_LIMIT_CHARS,
    SOURCE_LIMIT_CHARS,
    Reading,
)
from klopt.types import MESSAGE_TYPES, Measurement, MessageType, Page, Turn
from klopt.verification import Context, Language

HEADING_WITHIN_CHARS: Final = 2_000
"""Characters of a page in which its first heading is looked for."""
LANGUAGE_SAMPLE_CHARS: Final = 1_000
"""Characters of question and answer used to pick the language of a refusal."""

_FIRST_HEADING: Final = regex.compile(
    r"(?m)^#{1,2}[ \t]++(?<words>[^\n]{1,200}?)[ \t#]*+$"
    r"|<(?:h1|title)\b[^<>]*+>(?<html>.{1,200}?)</"
)
_TAG: Final = regex.compile(r"<[^<>]*+>")
_CODE: Final = re.compile(r"[a-z]{2,3}")


class NotScorableError(Exception):
    """A turn cannot be scored; only inside `klopt.scoring` and `klopt.translation`.

    ``is_error``: the row or a resource is at fault, rather than there being nothing to judge.
    """

    def __init__(self, refusal: Refusal, *, is_error: bool = False) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.is_error = is_error


class OutOfTimeError(Exception):
    """The time was up before anything could be measured; only inside `klopt.scoring`."""

    def __init__(self, unread: Sequence[str] = ()) -> None:
        super().__init__(*unread)
        self.unread = tuple(unread)


@dataclass(slots=True)
class Case:
    """One turn while it is scored, with everything known of it so far.

    Attributes:
        own: The language of the profile whose lexicons read the turn as it is.
        scope: What reads a translation; None when nothing does.
        has_tables: Whether the profile has the turn's language.
        question: The question, as it was classified.
        translator: Signature of the translation, for the fingerprint.
        retriever: Number of retrieved pages and the index, for the fingerprint.
        made: Heuristic → measurement, in the order in which the tree needed them.
        late: Heuristics that were needed when the time was up.
        languages: What its texts read like, where that is not one language.
    """

    turn: Turn
    deadline: Deadline = field(default_factory=Deadline)
    language: str | None = None
    own: str = ""
    scope: Scope | None = None
    has_tables: bool = True
    question: Reading | None = None
    classification: Classification | None = None
    note: TranslationNote | None = None
    translator: str | None = None
    retrieved: tuple[Page, ...] = ()
    retriever: str | None = None
    made: dict[str, Measurement] = field(default_factory=dict)
    late: dict[str, Measurement] = field(default_factory=dict)
    languages: TurnLanguages | None = None
    parts: tuple[Part, ...] = ()

    @property
    def span(self) -> tuple[int, int] | None:
        """Where in the original question its message type was decided; None if nowhere."""
        found = self.classification
        if self.question is None or found is None or found.end <= found.start:
            return None
        return self.question.plain.original(found.start, found.end)

    @property
    def refusal_language(self) -> str | None:
        """The language of a refusal: the turn's, or what its beginning reads like."""
        turn = self.turn
        if self.language is not None or turn.language != "auto":
            return self.language or turn.language
        votes = vote([turn.question[:LANGUAGE_SAMPLE_CHARS], turn.answer[:LANGUAGE_SAMPLE_CHARS]])
        return votes.language or votes.other

    @property
    def measurements(self) -> dict[str, Measurement]:
        """The measurements, in the order of `klopt.heuristics.ALL`."""
        return {name: self.made[name] for name in BY_NAME if name in self.made}


class TurnReader:
    """Reads turns: language, message type, answer parts, pages; safe in threads.

    Its methods raise `NotScorableError` and `OutOfTimeError`.
    """

    reads_any_language: ClassVar[bool] = False

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.profile = setup.profile
        self.languages = Languages(setup.profile, setup.terms, setup.index)
        self.types = MESSAGE_TYPES if setup.all_types else self.profile.message_types

    def question(self, case: Case, question: PlainText) -> Reading:
        """Read the question that the message type is decided from."""
        self.route(case, (question,))
        return self.languages[case.own].reader.read_plain(question)

    def material(self, turn: Turn) -> Material | None:
        """Return what heuristics read of a turn; None for a turn that is translated."""
        return self.materials(Case(turn))[0]

    def materials(self, case: Case) -> tuple[Material, Material]:
        """Read the turn for the other heuristics, and for those that the paper marks (𝔄)."""
        question, answer = read_turn(case.turn, case.deadline)
        language = self.route(case, (question, answer))
        self._retrieve(case, language)
        tables = self.languages[language].lexicons if language in self.profile.languages else None
        found = parts_of(answer, language, case.turn.pages, tables)
        case.parts = tuple(
            Part(one.kind, answer.source[one.start : one.end], one.start, one.end)
            for one in found.parts
        )
        read, marked = self.read(case, language, question, found.verified)
        own = replace(read, whole=answer)
        marked = own if marked is read else marked
        if not found.verified.has_words:
            raise NotScorableError(Refusal("nothing_checked"))
        case.languages = self._text_languages(case, question, answer)
        return own, marked

    def _retrieve(self, case: Case, language: str) -> None:
        """Give a turn without contexts pages of the index."""
        index, count = self.setup.index, self.setup.retrieve
        if index is None or not count or case.turn.pages:
            return
        own = None if self.reads_any_language else (language,)
        case.retrieved = self._search(case.turn.question, language, own)
        case.retriever = f"{count}@{index.digest[:8]}"
        case.turn = replace(case.turn, contexts=case.retrieved)

    def _search(
        self, question: str, language: str, pages_in: Collection[str] | None = None
    ) -> tuple[Page, ...]:
        """Return the pages of the index that a turn without contexts gets; maybe none."""
        index, count = self.setup.index, self.setup.retrieve
        if index is None or not count:
            return ()
        hits = index.search(question, count, language=language, pages_in=pages_in)
        return tuple(hit.page for hit in hits)

    def _text_languages(self, case: Case, *texts: PlainText) -> TurnLanguages | None:
        """Return the language of each text by itself; None if all read like the turn's."""
        tables = self.languages[case.own]
        votes = [vote([text]) for text in [one.running_text for one in texts]]
        votes += [tables.page(page).reading.vote for page in case.turn.pages]
        question, answer, *pages = [self._reads_like(case, one) for one in votes]
        if {question, answer, *pages} <= {case.language, None}:
            return None
        return TurnLanguages(question, answer, tuple(pages))

    def _reads_like(self, case: Case, votes: LanguageVote) -> str | None:
        """Return the language of a text; the turn's if that is among several candidates."""
        if votes.language is None:
            candidates = dict(votes.shares)
            if not candidates.keys().isdisjoint(self.profile.languages):
                return case.language if case.language in candidates else None
        return votes.language or votes.other

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """Decide and return the turn's language: the stated one, or by its words and pages."""
        profile, language = self.profile, case.turn.language
        if profile.opinion is not None and self.setup.adviser is None:
            raise ConfigurationError(
                f'profile "{profile.name}" asks for second opinions of {profile.opinion.who}, and '
                "this scorer has no adviser; pass one: Scorer(profile, adviser=...)"
            )
        if profile.translate is not None and self.setup.translate is None:
            raise ConfigurationError(
                f'profile "{profile.name}" translates to "{profile.translate.to}", and '
                "this scorer has no translator; pass one: Scorer(profile, translate=...)"
            )
        if language == "auto":
            running = [text.running_text for text in texts]
            votes = vote(running)
            other = votes.other if self.reads_any_language else None
            language = votes.language or self._settled(case, votes, running) or other or ""
            if not language and votes.other is None and votes.reason != NOT_LATIN:
                language = self.setup.language.removeprefix("auto")
            if not language:
                raise NotScorableError(Refusal("language_unknown", found=votes.reason or ""))
        is_code = self.reads_any_language and _CODE.fullmatch(language)
        if language not in profile.languages and not is_code:
            known = ", ".join(profile.languages)
            raise NotScorableError(Refusal("language_unsupported", language, known))
        case.language = case.own = language
        return language

    def _settled(self, case: Case, votes: LanguageVote, texts: Sequence[str]) -> str | None:
        """Return the language of the turn's pages, given or found, if its texts may be in it."""
        if votes.other is not None:
            return None
        pages = case.turn.pages or self._search(case.turn.question, "auto")
        check_lengths(pages)
        if not case.deadline.allows(sum(len(page.text) for page in pages)):
            raise OutOfTimeError([page.id for page in pages])
        return settled(votes, texts, pages)

    def read(
        self, case: Case, language: str, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """Read a turn with the pages in its language and those of which that is unknown.

        Of pages in another language only names and numbers count.
        """
        tables = self.languages[case.own]
        read = tables.reader.read_plain(question)
        self.admit(case, read, self.types)
        same, others = list[Context](), list[Context]()
        for page in read_pages(case.turn.pages, tables, case.deadline):
            is_own = page.index.reading.vote.language in (None, tables.code)
            (same if is_own else others).append(page)
        if not same:
            raise other_language(others, tables.code)
        answer_read = tables.reader.read_plain(answer)
        own = Material(read, answer_read, tuple(same), tables, tuple(others))
        return own, own

    def admit(
        self, case: Case, question: Reading, types: Collection[MessageType]
    ) -> Classification:
        """Return the message type of a question, if it is among the wanted ones."""
        given = case.turn.message_type
        if given is None:
            found = classify(
                question.plain.text,
                question.lexicons,
                method=self.profile.classifier,
                sentences=question.sentences,
            )
        else:
            found = Classification(given, "given", 0, 0)
        case.question, case.classification = question, found
        if found.message_type not in types:
            raise NotScorableError(Refusal("out_of_scope", found=found.message_type))
        return found


def read_turn(turn: Turn, deadline: Deadline) -> tuple[PlainText, PlainText]:
    """Return the plain texts of question and answer, if they are within the limits."""
    for name, text in (("question", turn.question), ("answer", turn.answer)):
        if len(text) > ANSWER_LIMIT_CHARS:
            refusal = Refusal(f"{name}_too_long", count=len(text), limit=ANSWER_LIMIT_CHARS)
            raise NotScorableError(refusal)
    if not deadline.allows(len(turn.question) + len(turn.answer)):
        raise OutOfTimeError
    question, answer = read_text(turn.question), read_text(turn.answer)
    for name, plain in (("question", question), ("answer", answer)):
        if not plain.has_words:
            raise NotScorableError(Refusal(f"empty_{name}"))
    return question, answer


def parts_of(
    answer: PlainText, language: str, pages: Sequence[Page], lexicons: Lexicons | None
) -> AnswerParts:
    """Split an answer into its parts; the names of its pages are sources."""
    known, page_texts = list[str](), list[str]()
    for page in pages:
        known += _names(page)
        page_texts.append(page.text)
    return read_answer(answer, language, lexicons, known, page_texts)


def _names(page: Page) -> Iterator[str]:
    """Yield what an answer may call a page: its title, first heading, name and address."""
    yield from filter(None, (page.title, page.url, page.id, page.id.rpartition("/")[2]))
    yield page.id.rpartition("/")[2].rpartition(".")[0]
    heading = _FIRST_HEADING.search(page.text[:HEADING_WITHIN_CHARS])
    if heading is not None:
        yield _TAG.sub("", heading["words"] or heading["html"])


def other_language(pages: Sequence[Context], wanted: str) -> NotScorableError:
    """Return the error for pages that are all in another language than the turn."""
    votes = [page.index.reading.vote for page in pages]
    languages = sorted({str(vote.language or vote.other) for vote in votes})
    return NotScorableError(Refusal("context_language", found=", ".join(languages), wanted=wanted))


def check_lengths(pages: Iterable[Page]) -> None:
    """Raise `NotScorableError` for pages that are too long, one or all together."""
    total = 0
    for page in pages:
        count = len(page.text)
        if PAGE_LIMIT_CHARS < count <= SOURCE_LIMIT_CHARS:
            count = chars_to_read(page.text, page.format)
        if count > PAGE_LIMIT_CHARS:
            refusal = Refusal("page_too_long", page.id, count=count, limit=PAGE_LIMIT_CHARS)
            raise NotScorableError(refusal)
        total += count
    if total > CONTEXTS_LIMIT_CHARS:
        refusal = Refusal("contexts_too_long", count=total, limit=CONTEXTS_LIMIT_CHARS)
        raise NotScorableError(refusal)


def read_pages(
    pages: Sequence[Page], language: Language, deadline: Deadline
) -> tuple[Context, ...]:
    """Return the pages with text, in any language.

    Pages for which there is time are read, and cached for the next turn, even if others are not.
    """
    check_lengths(pages)
    read, unread = list[Context](), list[str]()
    for page in pages:
        if not deadline.is_set or language.knows(page) or deadline.allows(len(page.text)):
            index = language.page(page)
            if index.reading.plain.has_words:
                read.append(Context(page.id, index, page.url or ""))
        else:
            unread.append(page.id)
    if unread:
        raise OutOfTimeError(unread)
    if not read:
        raise NotScorableError(Refusal("no_contexts"))
    return tuple(read)
