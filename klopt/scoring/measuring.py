"""From a turn to its assessment: read it, measure features, score, decide, explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

import regex

from klopt.classifier import Classification
from klopt.errors import PatternTimeoutError, UnknownLanguageError
from klopt.heuristics import BY_NAME, Heuristic, Material
from klopt.scoring.assessment import Assessment, CheckedClaim, CutOff, PagePlace, Quote, Slot
from klopt.scoring.explanation import (
    UNKNOWN_NAMES,
    Refusal,
    capitalised,
    explain_cut_off,
    explain_walk,
    headline,
    lost_part_sentence,
    texts,
    whole,
)
from klopt.scoring.notes import LostPart, TranslationNote
from klopt.scoring.reading import Case, NotScorableError, OutOfTimeError, TurnReader
from klopt.scoring.setup import Deadline, Setup
from klopt.scoring.tree import DENIED, Grounds, Node, Walk, highest_score, needed, stars, walk
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from klopt.types import MESSAGE_TYPES, Measurement, Turn
from klopt.verification import LABELS, Claim, Context, Finding
from klopt.verification.findings import NOTHING, Stretch, differing

QUOTED_WORD_CHARS: Final = 60
"""Maximum length of a word that an explanation quotes."""
COMPARING_CHARS: Final = 600
"""Assumed cost of verifying an answer: that of reading this many characters and its own."""
MIN_WORD_SHARE: Final = 0.5
"""Share of a claim's words that a passage must have to be shown for a claim not stated."""
_CACHED: Final = 256
"""Cached fingerprints and weights of languages."""
_LATIN: Final = regex.compile(r"\p{Latin}")
_OTHER_SCRIPT: Final = regex.compile(r"[\p{Greek}\p{Cyrillic}]")
_WORD: Final = regex.compile(r"\p{L}{3,}")


class Measuring(TurnReader):
    """Measures turns and assesses their answers; safe in threads."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._nodes: dict[str | None, Node] = {node.node: node for node in self.profile.tree}
        # The signature of a translation grows with its cache, and with it the fingerprint.
        self._fingerprint = lru_cache(_CACHED)(self.languages.fingerprint)
        self._weights = lru_cache(_CACHED)(self.profile.counts)

    def assess(self, turn: Turn, *, measure_all: bool, deadline: Deadline) -> Assessment:
        """Score a turn as `klopt.scoring.scorer.Scorer.score` does, without second opinions."""
        case = Case(turn, deadline)
        try:
            return self._assess(case, *self.materials(case), measure_all)
        except NotScorableError as stop:
            return self.refused(case, stop)
        except OutOfTimeError as stop:
            return self._unfinished(case, (), tuple(self.profile.weights), stop.unread)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self.refused(case, NotScorableError(refusal, is_error=True))

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """Classify a question as `klopt.scoring.scorer.Scorer.classify` does."""
        case = Case(turn)
        try:
            question = self.question(case, read_text(turn.question))
            return self.admit(case, question, MESSAGE_TYPES), case.span
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None

    def _assess(self, case: Case, own: Material, marked: Material, measure_all: bool) -> Assessment:
        """Measure what the tree needs, score the answer, and measure what the verdict needs."""
        late, profile = case.late, self.profile
        weighing = profile.evidence.get(own.language.code)
        while names := needed(profile.tree, {**case.made, **late}, weighing):
            self._measure(case, own, marked, names)
        outcome = walk(profile.tree, profile.weights, case.made, weighing)
        is_weighed = bool(profile.evidence) and outcome.rule in (None, profile.tree[-1].node)
        has_score = not late
        if has_score:
            read = own.answer
            if is_weighed and not (own.match.claims or read.components or read.guides):
                raise NotScorableError(Refusal("nothing_checked"))
            if outcome.score is None:
                raise NotScorableError(Refusal("nothing_measurable"))
            wanted = [name for name in (UNKNOWN_NAMES, DENIED) if name in profile.weights]
            is_blocked = outcome.score < profile.block_below and is_weighed
            if self.setup.adviser or outcome.score >= profile.send_from or is_blocked:
                wanted += profile.review_on
            if measure_all:
                wanted += profile.weights
            self._measure(case, own, marked, wanted)
        claims: tuple[CheckedClaim, ...] = ()
        if "comparator" in self.languages.needs and (not late or self._is_compared(case)):
            claims = checked_claims(own, self.languages.fault_below)
        if has_score:
            return self._scored(case, own, claims, outcome, is_weighed=is_weighed)
        return self._unfinished(case, claims, tuple(late))

    def _measure(self, case: Case, own: Material, marked: Material, names: Iterable[str]) -> None:
        """Measure heuristics that are not measured yet, as far as there is time."""
        for name in names:
            if name in case.made or name in case.late:
                continue
            heuristic = BY_NAME[name]
            if case.deadline.is_set and self._is_late(case, heuristic):
                case.late[name] = Measurement.missing("the time was up")
            else:
                reads = marked if heuristic.reads_translation else own
                case.made[name] = heuristic(reads, self.languages.options[name])

    def _is_late(self, case: Case, heuristic: Heuristic) -> bool:
        """Return whether there is no time left for a heuristic."""
        compares = "comparator" in heuristic.needs and not self._is_compared(case)
        chars = COMPARING_CHARS + len(case.turn.answer) if compares else 0
        return bool(case.late) or not case.deadline.allows(chars)

    def _is_compared(self, case: Case) -> bool:
        """Return whether the answer's claims were compared with the pages."""
        return any("comparator" in BY_NAME[name].needs for name in case.made)

    def refused(self, case: Case, stop: NotScorableError) -> Assessment:
        """Return the assessment of a turn that was not scored."""
        refusal = stop.refusal
        if refusal.code == "no_contexts" and case.retriever and not case.retrieved:
            refusal = Refusal("nothing_found")
        language = case.refusal_language
        why = texts(language)["verdict"]["unscored"]
        return Assessment(
            **self._about(case),
            score=None,
            stars=None,
            verdict="unscored",
            status="error" if stop.is_error else "not_scorable",
            reason_code=refusal.code,
            reason=refusal.words(None),
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            claims=(),
            weights=self._weights(case.language),
            sentences=(f"{why.format(reason=refusal.words(language))}.",),
        )

    def _scored(
        self,
        case: Case,
        material: Material,
        claims: tuple[CheckedClaim, ...],
        outcome: Walk,
        *,
        is_weighed: bool,
    ) -> Assessment:
        """Return the assessment of a turn that has its score.

        Where something is ``late``, the time was up before all faults were looked for.
        """
        profile, answer = self.profile, material.answer
        note = case.note = _with_losses_used(case, claims)
        abstained = material.match.refusal is not None
        mixed = look_alike(answer.plain.text)
        grounds = Grounds(
            score=outcome.score,
            faults=profile.faulty(case.made),
            is_weighed=is_weighed,
            is_open=is_weighed and abstained,
            is_partly_read=bool(material.others),
            is_rough=mixed is not None,
            is_lossy=note is not None and bool(note.lost),
            is_bare_reply=is_weighed and material.match.is_bare_reply,
        )
        decided = profile.decide(grounds)
        language = case.language or material.language.code
        sentences = explain_walk(
            replace(outcome, score=decided.score),
            self._nodes[outcome.rule],
            case.made,
            decided.verdict,
            language,
            abstained=abstained,
            held=decided.held,
            claims=claims,
            # Evidence from a translated answer is quoted in the words of the answer itself.
            quote=attrgetter("text")
            if case.translator is None
            else lambda one: answer.plain.quoted(one.start, one.end) or one.text,
        )
        if decided.verdict != "send":
            claims = with_unknown_names(claims, case.made.get(UNKNOWN_NAMES))
        code, reason = note.reason_code if note is not None else None, None
        if note is not None and note.status == "failed":
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
        if note is not None and note.lost:
            sentences = (sentences[0], lost_part_sentence(note.lost[0], language), *sentences[1:])
        if grounds.is_bare_reply and profile.verdict(outcome.score or 0.0) == "send":
            sentences = (sentences[0], texts(language)["bare_reply"], *sentences[1:])
        if material.others:
            count = whole(len(material.others), language)
            sentences = (*sentences, texts(language)["other_pages"].format(count=count))
        if mixed is not None:
            warning = texts(language)["look_alike"].format(word=mixed[:QUOTED_WORD_CHARS])
            sentences = (*sentences, warning)
        cut_off = None
        if case.late:
            budget_ms = case.deadline.budget_ms
            cut_off = CutOff(budget_ms, (), tuple(case.late))
            reason = Refusal("out_of_time", found=f"{budget_ms:g}")
            code = reason.code
            rest = () if decided.verdict == "send" else sentences[1:]
            decided = profile.decide(replace(grounds, is_cut_off=True))
            sentences = (headline(decided.verdict, decided.score or 0.0, case.language), *rest)
        if reason is not None:
            sentences = (*sentences, f"{capitalised(reason.words(language))}.")
        return Assessment(
            **self._about(case),
            score=decided.score,
            stars=stars(decided.score or 0.0),
            verdict=decided.verdict,
            status="cut_off" if cut_off else "scored_on_original" if reason else "scored",
            reason_code=code,
            reason=None if reason is None else reason.words(None),
            rule=outcome.rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=case.measurements,
            claims=claims,
            weights=self._weights(material.language.code),
            sentences=sentences,
            cut_off=cut_off,
        )

    def _unfinished(
        self,
        case: Case,
        claims: tuple[CheckedClaim, ...],
        late: tuple[str, ...],
        unread: tuple[str, ...] = (),
    ) -> Assessment:
        """Return the assessment of a turn whose time was up before it had a score.

        It is blocked if the whole would be: for a fault found so far and the highest score that
        it can still reach. Else a person reviews it.
        """
        profile, budget_ms = self.profile, case.deadline.budget_ms
        weighing = profile.evidence.get(case.language or "")
        grounds = Grounds(
            score=highest_score(profile.tree, profile.weights, case.made, weighing),
            faults=profile.faulty(case.made),
            is_weighed=bool(profile.evidence),
            is_cut_off=True,
        )
        verdict = profile.decide(grounds).verdict
        refusal = Refusal("out_of_time", found=f"{budget_ms:g}")
        language = case.refusal_language
        sentences = explain_cut_off(case.made, verdict, language, claims)
        return replace(
            self.refused(case, NotScorableError(refusal)),
            verdict=verdict,
            status="cut_off",
            measurements=case.measurements,
            claims=with_unknown_names(claims, case.made.get(UNKNOWN_NAMES)),
            sentences=(*sentences, f"{capitalised(refusal.words(language))}."),
            cut_off=CutOff(budget_ms, unread, late),
        )

    def _about(self, case: Case) -> dict[str, Any]:
        """Return the fields that any assessment has, scored or not."""
        classification, note = case.classification, case.note
        read: tuple[str, ...] = () if case.language is None else (case.own,)
        if case.translator is not None and note is not None:
            read = tuple(dict.fromkeys((case.own, note.target)))
        line = self._fingerprint(case.language, read, case.translator)
        return {
            "id": case.turn.id,
            "language": case.language,
            "message_type": classification.message_type if classification else None,
            "pattern": classification.pattern if classification else None,
            "span": case.span,
            "fingerprint": f"{line}|retrieved:{case.retriever}" if case.retriever else line,
            "translation": note,
            "retrieved": case.retrieved,
            "languages": case.languages,
            "parts": case.parts,
            "meta": case.turn.meta,
        }


def _with_losses_used(case: Case, claims: Sequence[CheckedClaim]) -> TranslationNote | None:
    """Keep of the losses on pages those in passages of claims; all if a claim is at fault.

    A claim may be at fault because the passage that supports it lost its value. Where no feature
    that was measured reads the translation, no loss counts.
    """
    note = case.note
    if note is None or not note.lost:
        return note
    readers = (
        BY_NAME[name].reads_translation for name, one in case.made.items() if one.value is not None
    )
    if note.scope == "marked" and not any(readers):
        return replace(note, lost=())
    if any(claim.fault for claim in claims):
        return note
    passages = [claim.passage for claim in claims if claim.passage is not None]

    def is_used(part: LostPart) -> bool:
        places = (one for one in passages if one.page == part.page)
        return any(one.start < part.end and part.start < one.end for one in places)

    lost = tuple(part for part in note.lost if part.page is None or is_used(part))
    return replace(note, lost=lost)


def look_alike(text: str) -> str | None:
    """Return the first word that mixes Latin letters with Greek or Cyrillic ones, or None.

    >>> look_alike("Klik op \u039fpslaan."), look_alike("Klik op Opslaan.")
    ('\u039fpslaan', None)
    """
    if _OTHER_SCRIPT.search(text):
        for match in _WORD.finditer(text):
            if _OTHER_SCRIPT.search(match[0]) and _LATIN.search(match[0]):
                return match[0]
    return None


def checked_claims(
    material: Material, fault_below: float, claims: Sequence[Claim] | None = None
) -> tuple[CheckedClaim, ...]:
    """Return the claims of an answer in order; none in a language without a comparator."""
    checked: list[CheckedClaim] = []
    answer = material.answer.plain
    for one in (material.claims if claims is None else claims) or ():
        relation, passage, is_fault = one.label, None, one.truth < fault_below
        if is_fault and relation == "supported":
            relation = max(LABELS[1:], key=lambda label: one.chances[LABELS.index(label)])
        slots: tuple[Slot, ...] = ()
        differs = NOTHING
        text, start, end = answer.excerpt(one.start, one.end)
        place = one.passage
        is_far = relation == "not_stated" and place and place.share < MIN_WORD_SHARE
        if place is not None and not is_far:
            context = material.contexts[place.page]
            page = context.index.reading
            span = page.plain.original(*place.span)
            passage = place_of(context, span)
            slots = slots_in(one.findings, answer, page.plain, place.span)
            claim = Stretch(material.answer, *answer.plain(start, end))
            beside = Stretch(page, *page.plain.plain(*span))
            differs = differing(one.findings, claim, beside, material.language.relations)
        checked.append(
            CheckedClaim(
                *(text, start, end, relation, is_fault, one.truth, passage, slots),
                *(differs.page, differs.claim, differs.rivals),
            )
        )
    return tuple(checked)


def with_unknown_names(
    claims: Iterable[CheckedClaim], names: Measurement | None
) -> tuple[CheckedClaim, ...]:
    """Return the claims; those with a name that is on no page are at fault and not stated."""
    marked = list(claims)
    for name in () if names is None else names.evidence:
        if name.kind != "unsupported":
            continue
        for number, claim in enumerate(marked):
            if claim.start <= name.start and name.end <= claim.end:
                relation = "not_stated" if claim.relation == "supported" else claim.relation
                marked[number] = replace(claim, relation=relation, fault=True)
    return tuple(marked)


def place_of(context: Context, span: tuple[int, int]) -> PagePlace:
    """Return a stretch of an original page, with its words and its line."""
    page = context.index.reading.plain
    line = page.source.count("\n", 0, span[0]) + 1
    return PagePlace(context.page, page.quoted(*span), *span, line)


def slots_in(
    findings: Iterable[Finding], claim: PlainText, page: PlainText, passage: tuple[int, int]
) -> tuple[Slot, ...]:
    """Return the findings in a passage with their words, each once."""
    slots: dict[Slot, None] = {}
    for finding in findings:
        if finding.page and not passage[0] <= finding.page[0] <= finding.page[1] <= passage[1]:
            continue
        claimed = None if finding.claim is None else Quote(*claim.excerpt(*finding.claim))
        on_page = None if finding.page is None else Quote(*page.excerpt(*finding.page))
        slots[Slot(finding.kind, finding.side, claimed, on_page)] = None
    return tuple(slots)
