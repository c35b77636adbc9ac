"""What must hold of whatever klopt makes of an input."""

import dataclasses
import json
import tempfile
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, get_args

from klopt import Scorer, Turn, lexicons
from klopt._internal.files import to_json
from klopt.classifier import classify
from klopt.cli.scoring import demo_terms
from klopt.errors import (
    ConfigurationError,
    InputError,
    LexiconError,
    PatternTimeoutError,
    RecordError,
    UnknownLanguageError,
)
from klopt.lexicons import Pattern, read_lexicon
from klopt.logs.rows import read_rows
from klopt.scoring.assessment import Assessment, Status
from klopt.scoring.tree import stars
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from klopt.types import MESSAGE_TYPES, EvidenceKind, Page
from klopt.verification import LABELS, Comparator
from tests.fuzz.inputs import Input

LANGUAGES: Final = ("nl", "en")


class BrokenError(Exception):
    """Something that must hold does not."""


def hold(holds: object, what: str, *met: object) -> None:
    """Whether something holds of what was met; what breaks goes by ``what``."""
    if not holds:
        raise BrokenError(f"{what}: {', '.join(map(ascii, met))}"[:500])


def outcome(one: Input) -> str:
    """What klopt makes of an input, as one line of JSON that is the same in every process.

    Raises:
        BrokenError: It is not as it must be.
        Exception: Whatever klopt raises although it must not.
    """
    line = to_json({"found": _CHECKS[one.kind](one.fields)})
    hold(json.loads(line), "the JSON is not read back")
    line.encode("utf-8")
    return line


@cache
def scorer(profile: str) -> Scorer:
    return Scorer.load(profile, all_types=True, terms=demo_terms())


def _within(start: int | None, end: int | None, text: str, what: str) -> None:
    hold(
        isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(text),
        f"{what} lies outside its text", start, end, len(text),
    )  # fmt: skip


@lru_cache(maxsize=32)
def _plain(page: Page) -> PlainText:
    return read_text(page.text, page.format)


def check_assessment(turn: Turn, one: Assessment) -> None:
    """Whether an assessment is whole, and tells of places that are there."""
    hold(one.status in get_args(Status), "an unknown status", one.status)
    hold(one.id == turn.id, "another id", one.id)
    hold(one.message_type in (None, *MESSAGE_TYPES), "an unknown message type", one.message_type)
    hold(str(one) and one.explanation.strip(), "nothing is explained")
    if one.status == "scored":
        hold(one.score is not None and 1 <= one.score <= 5, "the score is not 1 to 5", one.score)
        hold(one.stars == stars(one.score or 0), "other stars", one.stars, one.score)
        hold(one.verdict in ("send", "review", "block"), "a verdict of none", one.verdict)
        hold((one.reason_code, one.reason) == (None, None), "a reason", one.reason_code)
        decided = [visit.node for visit in one.path if visit.decided]
        hold(decided == [one.path[-1].node] == [one.rule], "another node decided", decided)
        hold(one.rule and one.language in LANGUAGES, "no rule or language", one.rule, one.language)
    else:
        refused = one.score is None and one.stars is None and one.verdict == "unscored"
        hold(refused, "a refused turn has a score", one.score, one.stars, one.verdict)
        hold(one.reason_code and one.reason, "no reason", one.reason_code, one.reason)
        hold(one.reason_code != "internal", "a fault of klopt itself", one.reason)
    if one.span is not None:
        _within(*one.span, turn.question, "what decided the type")
    _check_places(turn, one)


def _there(found: Any, text: str, read: PlainText, what: str) -> None:
    """Whether what is quoted of a text stands there."""
    _within(found.start, found.end, text, what)
    stands = read.quoted(found.start, found.end)
    hold(found.text == stands, f"{what} is not what stands there", found.text, stands)


def _check_places(turn: Turn, one: Assessment) -> None:
    if not one.measurements:
        hold(not one.claims, "statements of what was not measured")
        return
    answer = read_text(turn.answer)
    pages: dict[str, list[Page]] = {}
    for page in turn.pages:
        pages.setdefault(page.id, []).append(page)
    for name, measurement in one.measurements.items():
        for found in measurement.evidence:
            hold(found.kind in get_args(EvidenceKind), "an unknown evidence kind", found.kind)
            _there(found, turn.answer, answer, f"evidence of {name}")
            hold(found.text.strip(), f"empty evidence of {name}", found.text)
            if found.page is None:
                hold(found.page_start is found.page_end is None, "a place without a page")
                continue
            hold(found.page in pages, f"evidence of {name} on an unknown page", found.page)
            place = found.page_start, found.page_end
            longest = max((page.text for page in pages[found.page]), key=len)
            _within(*place, longest, f"page evidence of {name}")
            words = any(_plain(page).quoted(*place).strip() for page in pages[found.page])
            hold(words, f"page evidence of {name} has no words", found.text, place)
    for said in one.claims:
        _there(said, turn.answer, answer, "a statement")
        hold(0 <= said.truth <= 1, "a chance that is none", said.truth)
        place = said.passage
        if place is None:
            continue
        hold(place.page in pages, "a passage on an unknown page", place.page)
        longest = max((page.text for page in pages[place.page]), key=len)
        _within(place.start, place.end, longest, "a passage")
        read = [_plain(page).quoted(place.start, place.end) for page in pages[place.page]]
        hold(place.text in read, "a passage is not what stands there", place.text, read)
        for span in said.differing:
            _within(*span, place.text, "what differs in a passage")
        for slot in said.slots:
            if slot.claim is not None:
                _there(slot.claim, turn.answer, answer, f"the slot {slot.kind}")
            if slot.page is not None:
                _within(slot.page.start, slot.page.end, longest, f"the slot {slot.kind}")


def turn_of(fields: Mapping[str, Any]) -> Turn:
    given = {name: value for name, value in fields.items() if name != "profile"}
    return Turn(**{**given, "contexts": [Page(**page) for page in fields["contexts"]]})


def _turn(fields: Mapping[str, Any]) -> Any:
    turn = turn_of(fields)
    one = scorer(fields["profile"]).score(turn, measure_all=True)
    check_assessment(turn, one)
    return one.to_dict()


def _row(fields: Mapping[str, Any]) -> Any:
    try:
        turn = Turn.from_mapping(fields)
    except RecordError as error:
        hold(len(str(error)) < 1_000, "a long error", str(error))
        return str(error)
    one = scorer("default").score(turn)
    check_assessment(turn, one)
    return one.to_dict()


def _message(fields: Mapping[str, Any]) -> Any:
    text = fields["text"]
    found = [
        classify(text, lexicons.load(language), method=method)
        for language in LANGUAGES
        for method in ("scored", "published")
    ]
    for one in found:
        hold(one.message_type in MESSAGE_TYPES, "an unknown message type", one.message_type)
        _within(one.start, one.end, text, f"the pattern {one.pattern}")
    try:
        decided, span = scorer("default").classify(Turn(text, ""))
    except (RecordError, UnknownLanguageError) as error:
        return [*map(dataclasses.asdict, found), str(error)]
    if span is not None:
        _within(*span, text, f"the pattern {decided.pattern}")
    return [*map(dataclasses.asdict, (*found, decided)), span]


def _claim(fields: Mapping[str, Any]) -> Any:
    passage, claim = fields["passage"], fields["claim"]
    try:
        found = Comparator.load(fields["language"]).compare(passage, claim, fields["question"])
    except InputError as error:
        hold("has no words" in str(error), "another error", str(error))
        return str(error)
    chances = found.probabilities
    hold(found.label in LABELS and set(chances) == set(LABELS), "an unknown label", found.label)
    hold(all(0 <= one <= 1 for one in chances.values()), "a chance that is none", chances)
    hold(abs(sum(chances.values()) - 1) < 0.001, "chances do not add up to 1", chances)
    hold(chances[found.label] == max(chances.values()), "not the likeliest", chances)
    claimed, said = read_text(claim).text, read_text(passage).text
    for slot in found.slots:
        for span, text in ((slot.claim, claimed), (slot.page, said)):
            if span is not None:
                _within(*span, text, f"the slot {slot.kind}")
    return dataclasses.asdict(found)


def _read(fields: Mapping[str, Any], reads: Callable[[Path], Any]) -> Any:
    """What is made of a file with these bytes; or what is wrong with it, in words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "given" + fields["ending"])
        path.write_bytes(fields["bytes"].encode("latin-1"))
        try:
            return reads(path)
        except (ConfigurationError, InputError, LexiconError) as error:
            message = str(error).replace(folder, "")
            hold(f"given{fields['ending']}" in message, "an error names no file", message)
            hold(len(message) < 20_000, "a long error", len(message))
            return message


def _log(fields: Mapping[str, Any]) -> Any:
    data = fields["bytes"].encode("latin-1")

    def reads(path: Path) -> Any:
        found = []
        numbers = [0]
        for row in read_rows(str(path)):
            hold((row.turn is None) == (row.problem is not None), "neither turn nor problem")
            hold(row.number >= numbers[-1], "rows out of order", row.number)
            hold(row.id, "a row without an id", row.number)
            numbers.append(row.number)
            given = dataclasses.asdict(row.turn) if row.turn else row.problem.replace(str(path), "")
            found.append([row.number, row.id, given, list(row.warnings)])
        if fields["ending"] == ".jsonl":
            lines = [one.decode("utf-8-sig", "replace").strip() for one in data.split(b"\n")]
            hold(len(found) <= sum(map(bool, lines)), "more rows than lines", len(found))
        return found

    return _read(fields, reads)


def _lexicon(fields: Mapping[str, Any]) -> Any:
    expression, text = fields["expression"], fields["text"]
    found = _read(fields, lambda path: [(one := read_lexicon(path)).id, one.language])
    try:
        pattern = Pattern("own", "", expression, True, 1.0, (), ())
        spans = [match.span() for match in pattern.finditer(text)]
        plain = [match.span() for match in pattern.run("finditer", text)]
    except LexiconError as error:
        return [found, str(error)]
    except PatternTimeoutError:  # which depends on the machine
        return found
    hold(spans == plain, "a match is lost", spans, plain)
    for span in spans:
        _within(*span, text, "a pattern")
    return found


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "turn": _turn,
    "row": _row,
    "message": _message,
    "claim": _claim,
    "log": _log,
    "lexicon": _lexicon,
}
