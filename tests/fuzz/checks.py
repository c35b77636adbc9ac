"""Properties of the result of every input."""

import dataclasses
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, get_args
from unittest.mock import patch

from klopt import Index, Scorer, Turn, lexicons
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
from klopt.logs import formats, json_rows
from klopt.logs.pages import read_folder
from klopt.logs.rows import Row, read_rows
from klopt.retrieval.building import build
from klopt.scoring.assessment import Assessment, Status
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.scoring.tree import stars
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from klopt.types import MESSAGE_TYPES, EvidenceKind, Page
from klopt.verification import LABELS, Comparator
from tests.fuzz.inputs import Input

LANGUAGES: Final = ("nl", "en")


class BrokenError(Exception):
    """A property does not hold."""


def require(holds: object, problem: str, *values: object) -> None:
    """Raise `BrokenError` with the problem and the values if something does not hold."""
    if not holds:
        raise BrokenError(f"{problem}: {', '.join(map(ascii, values))}"[:500])


def outcome(one: Input) -> str:
    """Return the result of an input as one line of JSON, equal in every process.

    Raises:
        BrokenError: A property does not hold.
        Exception: An error that klopt must not raise.
    """
    line = to_json({"found": _CHECKS[one.kind](one.fields)})
    require(json.loads(line), "the JSON is not read back")
    line.encode("utf-8")
    return line


@cache
def scorer(profile: str) -> Scorer:
    return Scorer.load(profile, all_types=True, terms=demo_terms())


def _require_within(start: int | None, end: int | None, text: str, what: str) -> None:
    require(
        isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(text),
        f"{what} lies outside its text", start, end, len(text),
    )  # fmt: skip


@cache
def _plain_setup() -> Setup:
    return Setup(Profile.load())


@lru_cache(maxsize=32)
def _plain(page: Page) -> PlainText:
    return read_text(page.text, page.format)


def check_assessment(turn: Turn, one: Assessment) -> None:
    """Check that an assessment is complete and its offsets are within the texts."""
    require(one.status in get_args(Status), "an unknown status", one.status)
    require(one.id == turn.id, "another id", one.id)
    require(one.message_type in (None, *MESSAGE_TYPES), "an unknown message type", one.message_type)
    require(str(one) and one.explanation.strip(), "nothing is explained")
    if one.status == "scored":
        require(one.score is not None and 1 <= one.score <= 5, "the score is not 1 to 5", one.score)
        require(one.stars == stars(one.score or 0), "other stars", one.stars, one.score)
        require(one.verdict in ("send", "review", "block"), "a verdict of none", one.verdict)
        require((one.reason_code, one.reason) == (None, None), "a reason", one.reason_code)
        decided = [visit.node for visit in one.path if visit.decided]
        require(decided == [one.path[-1].node] == [one.rule], "another node decided", decided)
        require(
            one.rule and one.language in LANGUAGES, "no rule or language", one.rule, one.language
        )
    else:
        refused = one.score is None and one.stars is None and one.verdict == "unscored"
        require(refused, "a refused turn has a score", one.score, one.stars, one.verdict)
        require(one.reason_code and one.reason, "no reason", one.reason_code, one.reason)
        require(one.reason_code != "internal", "a fault of klopt itself", one.reason)
    if one.span is not None:
        _require_within(*one.span, turn.question, "the text that decided the type")
    _check_places(turn, one)


def _require_quoted(found: Any, text: str, read: PlainText, what: str) -> None:
    """Check that a quotation is in the text at its offsets."""
    _require_within(found.start, found.end, text, what)
    quoted = read.quoted(found.start, found.end)
    require(found.text == quoted, f"{what} is not the text at its offsets", found.text, quoted)


def _check_places(turn: Turn, one: Assessment) -> None:
    if not one.measurements:
        require(not one.claims, "claims without measurements")
        return
    answer = read_text(turn.answer)
    pages: dict[str, list[Page]] = {}
    for page in turn.pages:
        pages.setdefault(page.id, []).append(page)
    for name, measurement in one.measurements.items():
        for found in measurement.evidence:
            require(found.kind in get_args(EvidenceKind), "an unknown evidence kind", found.kind)
            _require_quoted(found, turn.answer, answer, f"evidence of {name}")
            require(found.text.strip(), f"empty evidence of {name}", found.text)
            if found.page is None:
                require(found.page_start is found.page_end is None, "a place without a page")
                continue
            require(found.page in pages, f"evidence of {name} on an unknown page", found.page)
            place = found.page_start, found.page_end
            longest = max((page.text for page in pages[found.page]), key=len)
            _require_within(*place, longest, f"page evidence of {name}")
            words = any(_plain(page).quoted(*place).strip() for page in pages[found.page])
            require(words, f"page evidence of {name} has no words", found.text, place)
    for claim in one.claims:
        _require_quoted(claim, turn.answer, answer, "a claim")
        require(0 <= claim.truth <= 1, "an invalid probability", claim.truth)
        place = claim.passage
        if place is None:
            continue
        require(place.page in pages, "a passage on an unknown page", place.page)
        longest = max((page.text for page in pages[place.page]), key=len)
        _require_within(place.start, place.end, longest, "a passage")
        read = [_plain(page).quoted(place.start, place.end) for page in pages[place.page]]
        require(place.text in read, "a passage is not the text at its offsets", place.text, read)
        for span in claim.differing:
            _require_within(*span, place.text, "differing words of a passage")
        for slot in claim.slots:
            if slot.claim is not None:
                _require_quoted(slot.claim, turn.answer, answer, f"the slot {slot.kind}")
            if slot.page is not None:
                is_inside = place.start <= slot.page.start <= slot.page.end <= place.end
                require(is_inside, f"the slot {slot.kind} is outside its passage", slot, place)


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
        require(len(str(error)) < 1_000, "a long error", str(error))
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
        require(one.message_type in MESSAGE_TYPES, "an unknown message type", one.message_type)
        _require_within(one.start, one.end, text, f"the pattern {one.pattern}")
    try:
        decided, span = scorer("default").classify(Turn(text, ""))
    except (RecordError, UnknownLanguageError) as error:
        return [*map(dataclasses.asdict, found), str(error)]
    if span is not None:
        _require_within(*span, text, f"the pattern {decided.pattern}")
    return [*map(dataclasses.asdict, (*found, decided)), span]


def _claim(fields: Mapping[str, Any]) -> Any:
    passage, claim = fields["passage"], fields["claim"]
    try:
        found = Comparator.load(fields["language"]).compare(passage, claim, fields["question"])
    except InputError as error:
        require("has no words" in str(error), "another error", str(error))
        return str(error)
    chances = found.probabilities
    require(found.label in LABELS and set(chances) == set(LABELS), "an unknown label", found.label)
    require(all(0 <= one <= 1 for one in chances.values()), "an invalid probability", chances)
    require(abs(sum(chances.values()) - 1) < 0.001, "chances do not add up to 1", chances)
    require(chances[found.label] == max(chances.values()), "not the most probable label", chances)
    own, theirs = read_text(claim).text, read_text(passage).text
    for slot in found.slots:
        for span, text in ((slot.claim, own), (slot.page, theirs)):
            if span is not None:
                _require_within(*span, text, f"the slot {slot.kind}")
    return dataclasses.asdict(found)


def _read(fields: Mapping[str, Any], reads: Callable[[Path], Any]) -> Any:
    """Return the result of reading a file with these bytes, or its error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "given" + fields["ending"])
        path.write_bytes(fields["bytes"].encode("latin-1"))
        try:
            return reads(path)
        except (ConfigurationError, InputError, LexiconError) as error:
            message = str(error).replace(folder, "")
            require(f"given{fields['ending']}" in message, "an error names no file", message)
            require(len(message) < 20_000, "a long error", len(message))
            return message


def _log(fields: Mapping[str, Any]) -> Any:
    """Read a log; in parts of other sizes it has the same rows."""
    found = _read(fields, lambda path: [*map(_row_found, _log_rows(fields, path))])
    with patch.object(json_rows, "_CHUNK_CHARS", 7), patch.object(formats, "_RECODED_CHARS", 9_001):
        again = _read(fields, lambda path: [*map(_row_found, _log_rows(fields, path))])
    has_rows = isinstance(found, list), isinstance(again, list)
    require(has_rows[0] == has_rows[1], "rows depend on the parts that are read", found, again)
    for one, other in zip(found, again, strict=True) if all(has_rows) else ():
        is_problem = isinstance(one[2], str) and isinstance(other[2], str)  # it names a place
        require(is_problem or one == other, "a row depends on the parts", one, other)
    return found


def _log_rows(fields: Mapping[str, Any], path: Path) -> Iterator[Row]:
    data = fields["bytes"].encode("latin-1")
    count, last = 0, 0
    names, encoding = fields.get("names") or None, fields.get("encoding")
    for row in read_rows(str(path), names=names, encoding=encoding, warn=_no_warning):
        require((row.turn is None) == (row.problem is not None), "neither turn nor problem")
        require(row.number >= last, "rows out of order", row.number)
        require(row.id, "a row without an id", row.number)
        require(len(row.problem or "") < 1_000, "a long problem", row.problem)
        count, last = count + 1, row.number
        yield row
    lines = data.count(b"\n") + 1
    is_one_each = fields["ending"] == ".jsonl" and not fields.get("encoding") and b"\0" not in data
    most = lines + data.count(b"{")  # each message of a conversation can be a row
    require(not is_one_each or last <= most, "more rows than lines and messages", last, most)


def _no_warning(text: str) -> None:
    require(len(text) < 2_000, "a long warning", text)


def _row_found(row: Row) -> list[Any]:
    given = dataclasses.asdict(row.turn) if row.turn else (row.problem or "").rpartition("given")[2]
    return [row.number, row.id, given, list(row.warnings)]


def _page_file(fields: Mapping[str, Any]) -> Any:
    """Read a page from a folder, index it and search the index."""

    def reads(path: Path) -> Any:
        try:
            folder = read_folder(path.parent)
        except InputError as error:
            require(str(path.parent) in str(error), "an error names no folder", str(error))
            return str(error).replace(str(path.parent), "")
        page = folder.pages[path.name]
        found = [page.text, page.title, page.format]
        try:
            plain = read_text(page.text, page.format)
        except RecordError as error:
            require(page.format == "rst", "a page that cannot be read", str(error))
            return [*found, str(error)]
        _check_plain(plain)
        index_path = path.with_suffix(".klopt")
        with index_path.open("wb") as file:
            built = build(file, {path.name: page}, _plain_setup(), language="nl")
        with closing(Index.open(index_path)) as index:
            others = {one.reason for one in index.skipped} - {"empty", "other_language"}
            require(not others, "a page is not searched", index.skipped)
            hits = [hit.page.id for hit in index.search(plain.text[:100], 3, language="nl")]
            require({*hits} <= {path.name}, "an unknown page", hits)
            require(index[path.name] == page, "another page in the index")
        return [*found, plain.text, built.page_count, hits]

    return _read(fields, reads)


def _check_plain(plain: PlainText) -> None:
    require([*plain.origins] == sorted(plain.origins), "offsets are not in order")
    require(len(plain.origins) == len(plain.text) + 1, "an offset is missing")
    _require_within(plain.origins[0], plain.origins[-1], plain.source, "a page")
    for parts, what in ((plain.blocks, "a block"), (plain.marks, "a mark")):
        for part in parts:
            _require_within(part.start, part.end, plain.text, what)


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
    require(spans == plain, "a match is missing", spans, plain)
    for span in spans:
        _require_within(*span, text, "a pattern")
    return found


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "turn": _turn,
    "row": _row,
    "message": _message,
    "claim": _claim,
    "log": _log,
    "page": _page_file,
    "lexicon": _lexicon,
}
