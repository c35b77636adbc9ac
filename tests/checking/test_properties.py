"""What holds for any reference, any reply and any order."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.checking.check import Strategy, score
from klopt.checking.grading import ERROR_KINDS, Error, Fill, Grading, Solution, grade
from klopt.checking.llm_solver import cloze_test, ordering_test, read_fills, read_order, read_task
from klopt.checking.reference import KEY_TERM_MODES, plain_title, read_reference
from klopt.errors import ReplyError

WORDS = "1. |2) |- |**|*|`|'|  |. |Open|orl.ini|/opt/orl|9.7.1|--all|Stap 1: |één|İ|<BLANK 1>|\\|# "
PIECES = st.sampled_from([*WORDS.split("|"), "\n", "\r\n", "\u2028", "\x00"])
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60)
MODES = st.sampled_from(KEY_TERM_MODES)
NOTHING = Solution((), (), ())
GRADINGS: st.SearchStrategy[Grading] = st.sampled_from(["strict", "published"])
STRATEGIES: st.SearchStrategy[Strategy] = st.sampled_from(["strict", "gate"])
FIVE = read_reference("\n".join(f"{n}. Press **key {n}**." for n in range(1, 6)))
FIGURES = st.integers(-2, 99) | st.floats(allow_nan=False)
KEYS = st.sampled_from(["blank", "content", "1", "answer"])
JSON = st.recursive(
    st.none() | st.booleans() | FIGURES | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(TEXTS, MODES)
def test_a_text_with_blanks_has_every_blank(text: str, mode: str):
    reference = read_reference(text, key_terms=mode)  # type: ignore[arg-type]
    blanks = map(int, re.findall(r"<BLANK (\d{1,6})>", cloze_test(reference)))
    ours = [blank for blank in blanks if blank > 0]
    assert len(ours) >= len(reference.terms)
    if "<BLANK" not in text:
        assert ours == list(range(1, len(reference.terms) + 1))


@given(TEXTS, st.text(max_size=5))
def test_a_shuffle_is_read_back(text: str, seed: str):
    reference = read_reference(text)
    test = ordering_test(reference, seed)
    assert test == ordering_test(reference, seed)
    assert sorted(step for _, step in test.options) == list(range(len(reference.steps)))
    again = read_task(test.text, reference)
    titles = [plain_title(step.title) for step in reference.steps]
    assert [titles[step] for _, step in again.options] == [titles[step] for _, step in test.options]


@given(st.permutations(range(5)), GRADINGS, STRATEGIES)
def test_a_shuffled_order_is_never_complete(order: list[int], mode: Grading, strategy: Strategy):
    fills = tuple(Fill(term + 1, each.text, "filled") for term, each in enumerate(FIVE.terms))
    errors = grade(FIVE, Solution(fills, tuple(order), ()), mode)
    assert (errors == ()) == (order == sorted(order))
    assert (score(FIVE, errors, strategy, NOTHING) == 1.0) == (order == sorted(order))


@given(st.sets(st.integers(0, 4)), GRADINGS)
def test_every_step_that_is_left_out_is_missing(kept: set[int], mode: Grading):
    errors = grade(FIVE, Solution((), tuple(sorted(kept)), ()), mode)
    missing = {error.step for error in errors if error.kind == "step_missing"}
    assert missing == set(range(5)) - kept


ERRORS = st.builds(
    lambda kind, number, severity: Error(
        kind, number, number if kind == "key_term_mismatch" else None, "x", None, severity, 0, 1
    ),
    st.sampled_from(ERROR_KINDS),
    st.integers(0, 4),
    st.floats(0, 1),
)


@given(st.lists(ERRORS, max_size=12), ERRORS, STRATEGIES)
def test_more_errors_never_raise_the_score(errors: list[Error], more: Error, strategy: Strategy):
    before = score(FIVE, errors, strategy, NOTHING)
    after = score(FIVE, [*errors, more], strategy, NOTHING)
    assert 0.0 <= after <= before <= 1.0


@given(st.lists(st.integers(0, 4), max_size=8), st.lists(st.text(max_size=8), max_size=7), GRADINGS)
def test_one_error_at_most_for_a_term_or_a_step(order: list[int], texts: list[str], mode: Grading):
    fills = tuple(Fill(blank, text, "filled") for blank, text in enumerate(texts))
    errors = grade(FIVE, Solution(fills, tuple(order), ()), mode)
    places = [(error.term, None if error.term is not None else error.step) for error in errors]
    assert len(places) == len(set(places))
    for error in errors:
        assert FIVE.text[error.reference_start : error.reference_end]
        assert 0.0 <= error.severity <= 1.0


@settings(max_examples=300)
@given(JSON)
def test_any_reply_is_read_or_asked_for_again(answer: object):
    text = json.dumps({"answer": answer})
    test = ordering_test(FIVE, "0")
    with suppress(ReplyError):
        fills = read_fills(text, 5, "Press key 1.").value
        assert [fill.blank for fill in fills] == [1, 2, 3, 4, 5]
    with suppress(ReplyError):
        assert set(read_order(text, test, FIVE, "published").value) <= set(range(5))
    with suppress(ReplyError):
        order = read_order(text, test, FIVE, "strict").value
        assert set(order) <= set(range(5))
        assert len(order) == len(set(order))
