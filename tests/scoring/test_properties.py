"""Properties of any question, answer and page, besides those of `tests/fuzz`."""

import dataclasses
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Page, Scorer
from klopt.heuristics import ALL
from klopt.heuristics.declaration import NO_CONTEXT
from klopt.scoring.profile import BUILT_IN
from tests.fuzz.checks import turn_of
from tests.fuzz.inputs import INVENTED, KINDS
from tests.heuristics.materials import material, measured

few = settings(max_examples=25)

TURNS = KINDS["turn"][1].map(turn_of)
PAGES = st.lists(st.builds(Page, INVENTED, st.sampled_from(["a.md", "b.md"])), max_size=3)
LANGUAGES = st.sampled_from(["nl", "en"])


@cache
def scorer(profile: str) -> Scorer:
    return Scorer.load(profile, all_types=True)


@few
@given(TURNS, st.sampled_from(BUILT_IN))
def test_measure_all_only_adds_measurements(turn, profile):
    plain = scorer(profile).score(turn)
    whole = scorer(profile).score(turn, measure_all=True)
    assert dataclasses.replace(whole, measurements=plain.measurements) == plain
    assert plain.measurements.items() <= whole.measurements.items()
    names = [heuristic.name for heuristic in ALL if heuristic.name in plain.weights]
    assert list(whole.measurements) == (names if plain.status == "scored" else [])
    assert list(plain.measurements) == [name for name in names if name in plain.measurements]


NAMES = ("components_defined", "hal", "subject_combination", "verbatim_guide_defined")


@few
@given(INVENTED, INVENTED, PAGES.filter(bool), LANGUAGES, st.booleans())
def test_a_page_that_contains_the_answer_lowers_no_value(
    languages, question, answer, pages, language, first
):
    own = languages[language]
    support = Page(answer, id="support.md")
    more = [support, *pages] if first else [*pages, support]
    for name in NAMES:
        before = measured(name, material(own, question, answer, pages))
        if before.reason == NO_CONTEXT:
            continue
        after = measured(name, material(own, question, answer, more))
        assert (before.value is None) == (after.value is None)
        assert before.reason == after.reason
        if before.value is not None and after.value is not None:
            assert after.value >= before.value - 1e-9
            assert after.value >= 1 - 1e-9
