"""What holds for any reference, any reply and any order."""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.errors import ReplyError
from klopt.reference.check import Strategy
from klopt.reference.grading import Solution
from klopt.reference.llm_solver import ordering_test, read_fills, read_order, read_task
from klopt.reference.reference import plain_title, read_reference

WORDS = "1. |2) |- |**|*|`|'|  |. |Open|orl.ini|/opt/orl|9.7.1|--all|Stap 1: |één|İ|<BLANK 1>|\\|# "
PIECES = st.sampled_from([*WORDS.split("|"), "\n", "\r\n", "\u2028", "\x00"])
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60)
NOTHING = Solution((), (), ())
STRATEGIES: st.SearchStrategy[Strategy] = st.sampled_from(["strict", "gate"])
FIVE = read_reference("\n".join(f"{n}. Press **key {n}**." for n in range(1, 6)))
FIGURES = st.integers(-2, 99) | st.floats(allow_nan=False)
KEYS = st.sampled_from(["blank", "content", "1", "answer"])
JSON = st.recursive(
    st.none() | st.booleans() | FIGURES | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(TEXTS, st.text(max_size=5))
def test_a_shuffle_is_read_back(text, seed):
    reference = read_reference(text)
    test = ordering_test(reference, seed)
    assert test == ordering_test(reference, seed)
    assert sorted(step for _, step in test.options) == list(range(len(reference.steps)))
    again = read_task(test.text, reference)
    titles = [plain_title(step.title) for step in reference.steps]
    assert [titles[step] for _, step in again.options] == [titles[step] for _, step in test.options]


@settings(max_examples=300)
@given(JSON)
def test_any_reply_is_read_or_asked_for_again(answer):
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
