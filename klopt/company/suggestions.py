"""Suggestions for a company: found in answers, stored for a person to accept or reject."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import tomlkit
from pydantic import Field

from klopt._internal import shipped
from klopt._internal.fields import fold
from klopt._internal.files import escaped, read_text_file, whole_file
from klopt._internal.toml_schema import MustBe, Table, Text, check, list_of, one_of
from klopt.company.folder import LEXICON, ProductName, add_names, remove_names
from klopt.errors import CompanyError, InputError
from klopt.evaluation.rated import is_rated, truth
from klopt.lexicons import languages
from klopt.report.wording import brief
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import UNKNOWN_NAMES
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Languages
from klopt.text.components import Component
from klopt.text.reader import Reading
from klopt.types import Page, Turn

Status: TypeAlias = Literal["open", "accepted", "rejected"]
FILE: Final = "suggestions.toml"
_ID_CHARS: Final = 6
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def _valid(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


@dataclass(frozen=True)
class Suggestion:
    """A name to allow, or a page to improve, with a person's decision (``status``).

    ``why`` is the reason as a sentence for readers of the file, ``reason`` as a key of
    ``reasons.toml``; ``examples`` are sentences with the name, or claims beside the page's
    passages; ``answers`` the ids behind it; ``where`` is a page with the name that the bot was not
    given.

    >>> Suggestion("nl", "in 2 answers", name="Mijn dossier").id
    'product_names-645d99'
    """

    language: str
    why: str
    name: str = ""
    page: str = ""
    status: Status = "open"
    examples: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    reason: str = ""
    where: str = ""

    @property
    def id(self) -> str:
        """An id that stays the same whenever the same name or page is suggested."""
        kind, content = "page", self.page
        if self.name:
            kind, content = LEXICON, json.dumps(["allowed", [self.name], ""])
        digest = hashlib.sha256(_valid(f"{self.language} {content}").encode()).hexdigest()
        return f"{kind}-{digest[:_ID_CHARS]}"

    @property
    def action(self) -> str:
        """What accepting it means, in a few words."""
        return f"allow the name “{self.name}”" if self.name else f"improve {self.page}"


def reason(suggestion: Suggestion, language: str) -> str:
    """Return the reason for a suggestion in ``nl`` or ``en``; empty without a known reason.

    >>> reason(Suggestion("nl", "", page="a.md", answers=("1", "2"), reason="page"), "en")
    '2 answers differ from this page: correct the page if it is wrong, otherwise the bot'
    """
    texts = shipped.table("klopt.company", "reasons.toml")[language]
    count = len(suggestion.answers)
    sentence = texts["sentences"].get(suggestion.reason, "")
    answers = texts["answers"][count != 1].format(count=count)
    return str(sentence).format(answers=answers, where=suggestion.where)


@dataclass(frozen=True)
class Suggestions:
    """The suggestions of a folder, open and decided."""

    folder: Path
    all: tuple[Suggestion, ...] = ()

    @classmethod
    def read(cls, folder: Path) -> Suggestions:
        """Read the suggestions of a folder; none if the file is missing.

        Kinds that klopt no longer suggests (synonyms, denied names) are skipped. Raises
        CompanyError with all problems of an invalid file.
        """
        path = folder / FILE
        if not path.is_file():
            return cls(folder)
        try:
            text = read_text_file(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read as text: {error}") from None
        table = check(text, where=str(path), schema=lambda _: _SCHEMA, error=CompanyError)
        return cls(folder, tuple(filter(None, map(_suggestion, table.get("suggestion", ())))))

    def __getitem__(self, suggestion_id: str) -> Suggestion:
        if found := next((one for one in self.all if one.id == suggestion_id), None):
            return found
        known = ", ".join(suggestion.id for suggestion in self.open) or "none"
        raise CompanyError(
            f'{self.folder / FILE}: no suggestion "{suggestion_id}"; open suggestions: {known}'
        )

    @property
    def open(self) -> tuple[Suggestion, ...]:
        """Suggestions without a decision."""
        return tuple(suggestion for suggestion in self.all if suggestion.status == "open")

    def updated(self, found: Iterable[Suggestion]) -> Suggestions:
        """Return the decided suggestions as they are, and the open ones as found now."""
        decided = {one.id: one for one in self.all if one.status != "open"}
        now = {one.id: one for one in found}
        for name, before in decided.items():
            now[name] = replace(now.get(name, before), status=before.status)
        return Suggestions(self.folder, tuple(now.values()))

    def decided(self, ids: Sequence[str], status: Status) -> Suggestions:
        """Return them with a decision on some, and add or remove their names in the lexicons."""
        names: dict[str, list[ProductName]] = defaultdict(list)
        for one in [self[suggestion_id] for suggestion_id in ids]:
            if one.name:
                names[one.language].append(ProductName(one.name, origin=one.why))
        for language in sorted(names):
            (add_names if status == "accepted" else remove_names)(
                self.folder, language, names[language]
            )
        after = (replace(one, status=status) if one.id in ids else one for one in self.all)
        return Suggestions(self.folder, tuple(after))

    def write(self) -> None:
        """Write the file as a whole."""
        text = tomlkit.dumps({"suggestion": [*map(_row, self.all)]}) if self.all else ""
        with whole_file(self.folder / FILE) as file:
            file.write(escaped(_valid(text)))


_TEXTS: Final = list_of(str, "a list of texts")
_STRING: Final = Annotated[str, MustBe("text")]
_COUNT: Final = Annotated[int, Field(ge=0, le=10**12), MustBe("a whole number of 0 or more")]
_SUGGESTION: Final = Table.of(
    id=Text,
    language=one_of(languages()),
    why=_STRING,
    lexicon=(Text, ""),
    part=(Text, ""),
    words=(_TEXTS, None),
    page=(Text, ""),
    status=one_of(get_args(Status)),
    examples=(_TEXTS, None),
    answers=(_TEXTS, None),
    reason=(Text, ""),
    where=(Text, ""),
    count=(_COUNT, 0),  # this, effect and pattern are of earlier versions
    effect=(_STRING, ""),
    pattern=(dict[str, Any], None),
)
_SCHEMA: Final = Table.of(suggestion=(list_of(_SUGGESTION, "[[suggestion]] tables"), None))


def _suggestion(row: dict[str, Any]) -> Suggestion | None:
    """Return the suggestion of a row; None for a kind that klopt no longer suggests."""
    kind = row.get("lexicon", ""), row.get("part", "")
    words: Sequence[str] = row.get("words") or ()
    is_name = kind == (LEXICON, "allowed") and len(words) == 1
    if not is_name and (any(kind) or not row.get("page")):
        return None
    own: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in row.items()
        if key in Suggestion.__match_args__
    }
    return Suggestion(name=words[0] if is_name else "", **own)


def _row(suggestion: Suggestion) -> dict[str, Any]:
    own: dict[str, Any] = {"id": suggestion.id, "status": suggestion.status}
    own["language"] = suggestion.language
    if suggestion.name:
        own |= {"lexicon": LEXICON, "part": "allowed", "words": [suggestion.name]}
    others = ("page", "why", "examples", "answers", "reason", "where")
    own |= {name: getattr(suggestion, name) for name in others}
    lists = {name: [*own[name]] for name in ("examples", "answers")}
    return {key: value for key, value in (own | lists).items() if value or key == "why"}


MAX_LOGGED: Final = 500
MIN_LOGGED_ANSWERS: Final = 3  # Unrated answers that must have a name before it is suggested
MIN_UNTRUE_ANSWERS: Final = 2  # Untrue answers that must contradict a page before it is suggested
MAX_NAMES: Final = 200
MAX_PAGES: Final = 20
MAX_EXAMPLES: Final = 3
MAX_NAME_CHARS: Final = 100
MAX_EXAMPLE_CHARS: Final = 300


@dataclass(frozen=True, eq=False)
class ScoredAnswer:
    """A scored answer; ``truth`` is None if unrated or in between."""

    turn: Turn
    assessment: Assessment
    reading: Reading
    truth: bool | None

    @property
    def is_untrue(self) -> bool:
        """Whether a person rated it untrue; for an unrated answer whether klopt blocks it."""
        if is_rated(self.turn):
            return self.truth is False
        return self.assessment.verdict == "block"


def score_answers(
    scorer: Scorer,
    turns: Iterable[Turn],
    advance: Callable[[], object] = lambda: None,
    unscored: Callable[[str | None], object] = lambda _: None,
) -> list[ScoredAnswer]:
    """Score turns, and leave out those without a score, whose reason codes go to ``unscored``."""
    profile = scorer.profile
    languages = Languages(profile)
    answers: list[ScoredAnswer] = []
    for turn in turns:
        assessment = scorer.score(turn, measure_all=True)
        code = assessment.language
        if assessment.score is not None and code is not None and code in profile.languages:
            reading = languages[code].reader.read(turn.answer)
            answers.append(ScoredAnswer(turn, assessment, reading, truth(turn)))
        else:
            unscored(assessment.reason_code)
        advance()
    return answers


def suggest(
    answers: Sequence[ScoredAnswer],
    pages: Mapping[str, Page],
    denied: Callable[[str], Collection[str]] = lambda _: (),
) -> list[Suggestion]:
    """Return names to allow, those in most answers first, and then pages to improve.

    ``denied`` returns names of a language, in lower case, that are not suggested.
    """
    names = (
        found
        for found in unknown_names(answers, pages)
        if found.name.casefold() not in denied(found.language)
    )
    ranked = sorted(names, key=lambda name: -len(name.answers))
    return [*ranked, *contradicted_pages(answers)]


def thinned(turns: Iterable[Turn], most: int = MAX_LOGGED) -> list[Turn]:
    """Return turns evenly spread over a log of any length, at most twice ``most``.

    >>> thinned(range(10), 2)
    [0, 4, 8]
    """
    kept: list[Turn] = []
    step = 1
    for number, turn in enumerate(turns):
        if number % step == 0:
            kept.append(turn)
        if len(kept) > 2 * most:
            kept, step = kept[::2], 2 * step
    return kept


def unknown_names(
    answers: Sequence[ScoredAnswer], pages: Mapping[str, Page]
) -> Iterator[Suggestion]:
    """Find names that the given pages lack, in true or enough unrated answers that are held."""
    texts = {name: page.text.casefold() for name, page in pages.items()}
    for language, found in _unsupported_names(answers):
        own = [answer for answer, _ in found.values()]
        held = [answer for answer in own if answer.assessment.verdict != "send"]
        true = [answer for answer in held if answer.truth]
        untrue = [answer for answer in own if answer.truth is False]
        is_logged = len(held) >= MIN_LOGGED_ANSWERS and not any(is_rated(one.turn) for one in own)
        if len(true) <= len(untrue) and not is_logged:
            continue
        name = unicodedata.normalize("NFC", next(iter(found.values()))[1].text.strip())
        page = next((page_id for page_id, text in texts.items() if name.casefold() in text), "")
        why = f"{'rated' if true else 'logged'}_{'elsewhere' if page else 'nowhere'}"
        examples = tuple(dict.fromkeys(map(_sentence, found.values())))[:MAX_EXAMPLES]
        ids = tuple(answer.turn.id for answer in true or held)
        found_name = Suggestion(language, "", name, examples=examples, answers=ids)
        yield _with_why(replace(found_name, reason=why, where=page))


_Found = dict[int, tuple[ScoredAnswer, Component]]  # number of an answer → it and its first mention


def _unsupported_names(answers: Sequence[ScoredAnswer]) -> list[tuple[str, _Found]]:
    """Return language and mentions of each name that no given page supports, in most first."""
    names: dict[tuple[str, str], _Found] = defaultdict(dict)
    mentions: dict[tuple[str, str], int] = defaultdict(int)
    for number, answer in enumerate(answers):
        measured = answer.assessment.measurements.get(UNKNOWN_NAMES)
        evidence = measured.evidence if measured is not None else ()
        unsupported = {(span.start, span.end) for span in evidence if span.kind == "unsupported"}
        for component in answer.reading.components:
            is_name = component.kind not in ("code", "key")
            span = answer.reading.plain.original(component.start, component.end)
            if is_name and len(component.text) <= MAX_NAME_CHARS and span in unsupported:
                key = answer.reading.language, component.key
                names[key].setdefault(number, (answer, component))
                mentions[key] += 1
    ranked = sorted(names, key=lambda key: (-mentions[key], key))
    return [(key[0], names[key]) for key in ranked[:MAX_NAMES]]


def _sentence(mention: tuple[ScoredAnswer, Component]) -> str:
    answer, component = mention
    spans = (span for span in answer.reading.sentences if span.start <= component.start < span.end)
    return next((answer.reading.plain.text[span.start : span.end].strip() for span in spans), "")


def contradicted_pages(answers: Sequence[ScoredAnswer]) -> Iterator[Suggestion]:
    """Find pages from which at least `MIN_UNTRUE_ANSWERS` untrue answers differ."""
    examples: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for answer in filter(lambda answer: answer.is_untrue, answers):
        for claim in answer.assessment.claims:
            if claim.fault and claim.passage is not None and claim.passage.page:
                key = answer.reading.language, claim.passage.page
                half = MAX_EXAMPLE_CHARS // 2
                example = f"“{brief(claim.text, half)}” ↔ “{brief(claim.passage.text, half)}”"
                examples[key].setdefault(answer.turn.id, example)
    ranked = sorted(examples.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, page), own in ranked[:MAX_PAGES]:
        if len(own) >= MIN_UNTRUE_ANSWERS:
            shown = tuple(dict.fromkeys(own.values()))[:MAX_EXAMPLES]
            found = Suggestion(language, "", page=page, examples=shown, answers=tuple(own))
            yield _with_why(replace(found, reason="page"))


def without_true(suggestion: Suggestion, true: Mapping[str, str]) -> Suggestion | None:
    """Return a page's open suggestion without the answers that a person did not rate untrue.

    ``true`` are these answers by id. None if too few others remain; any other suggestion stays.

    >>> page = Suggestion("nl", "", page="a.md", answers=("1", "2", "3"))
    >>> without_true(page, {"2": "Ja."}).answers, without_true(page, {"1": "Ja.", "3": "Ja."})
    (('1', '3'), None)
    """
    answers = tuple(name for name in suggestion.answers if name not in true)
    if suggestion.name or suggestion.status != "open" or len(answers) == len(suggestion.answers):
        return suggestion
    if len(answers) < MIN_UNTRUE_ANSWERS:
        return None
    texts = [fold(true[name]) for name in suggestion.answers if name in true]
    examples = tuple(
        example
        for example in suggestion.examples
        if not any(fold(example.partition("↔")[0]) in text for text in texts)
    )
    return replace(suggestion, answers=answers, examples=examples)


def _with_why(suggestion: Suggestion) -> Suggestion:
    return replace(suggestion, why=reason(suggestion, "en"))
