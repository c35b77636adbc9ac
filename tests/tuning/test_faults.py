"""Each corruption on drafts of our own: what it makes of them, and when it must not apply."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from klopt import Page
from klopt.reading.reader import Reader
from klopt.tuning.drafts import Draft
from klopt.tuning.excerpts import excerpts
from klopt.tuning.faults import CORRUPTIONS
from klopt.tuning.setting import Setting
from klopt.tuning.wording import bare, wording

PAGE = """# Contract verlengen

Verlengen kan alleen als de periode open is. U heeft 14 dagen om te tekenen.

1. Ga naar: HRM / Contract.
2. Klik op: **Verlengen**.
3. Klik op: **Voltooien**.
"""
NEAR = """# Factuur boeken

1. Open het tabblad **Boekingen**.
2. Druk op `Ctrl+B`.
"""
FAR = "# Vakantie\n\nEen medewerker vraagt zijn vakantie aan in de agenda van het portaal.\n"


def setting(reader: Reader, *, own: str = PAGE, near: Sequence[str] = (NEAR,), far: str = FAR):
    words = wording(reader.lexicons)
    found = [excerpts(Page(text, id=f"{n}"), reader, words) for n, text in enumerate((own, *near))]
    pages = [page for page in found if page is not None]
    outside = excerpts(Page(far, id="far"), reader, words)
    return Setting(pages[0], pages, [outside] if outside else [], words)


def guide(*steps: str, question: str = "Hoe kan ik contract verlengen?") -> Draft:
    return Draft("guide", question, "instruction", steps, "Zo:")


def prose(*sentences: str) -> Draft:
    return Draft("prose", "Hoe zit dat?", "general", sentences)


def results(kind: str, draft: Draft, where: Setting) -> set[tuple[str, ...] | None]:
    """What a corruption makes of a draft with 40 seeds."""
    made = [CORRUPTIONS[kind](draft, where, random.Random(seed)) for seed in range(40)]
    return {None if one is None else tuple(map(bare, one.points)) for one in made}


STEPS = ("Ga naar: ⟪HRM⟫ / ⟪Contract⟫.", "Klik op: ⟦Verlengen⟧.", "Klik op: ⟦Voltooien⟧.")
PLAIN = tuple(map(bare, STEPS))
HITS = [
    (
        "component_swapped",
        guide("Klik op: ⟦Verlengen⟧.", "Sluit het venster."),
        {
            (f"Klik op: {name}.", "Sluit het venster.")
            for name in ("Contract", "Voltooien", "Boekingen")
        },
    ),
    (
        "step_dropped",
        guide(*STEPS),
        {PLAIN[:place] + PLAIN[place + 1 :] for place in range(3)},
    ),
    (
        "steps_reversed",
        guide(*STEPS),
        {
            PLAIN[::-1],
            (PLAIN[1], PLAIN[0], PLAIN[2]),
            (PLAIN[0], PLAIN[2], PLAIN[1]),
        },
    ),
    (
        "neighbour_guide",
        guide(*STEPS),
        {("Open het tabblad Boekingen.", "Druk op Ctrl+B.")},
    ),
    (
        "polarity_flipped",
        prose("Dit veld is bedoeld voor u."),
        {("Dit veld is niet bedoeld voor u.",)},
    ),
    (
        "number_changed",
        prose("Kies het jaar 2020."),
        {(f"Kies het jaar {year}.",) for year in (2018, 2019, 2021, 2022)},
    ),
    ("key_swapped", prose("Sluit af met ⟨Ctrl+Z⟩."), {("Sluit af met Ctrl+B.",)}),
    (
        "condition_dropped",
        prose("Verlengen kan alleen als de periode open is."),
        {("Verlengen kan altijd.",)},
    ),
    (
        "sentence_foreign",
        prose("U kunt een contract verlengen."),
        {
            (
                "U kunt een contract verlengen.",
                "Een medewerker vraagt zijn vakantie aan in de agenda van het portaal.",
            )
        },
    ),
    (
        "claim_swapped",
        Draft("list", "Wat?", "general", ("Geel: wacht", "Groen: klaar"), "Zo:", claims=(6, 7)),
        {("Geel: klaar", "Groen: wacht")},
    ),
]


@pytest.mark.parametrize(("kind", "draft", "expected"), HITS, ids=[hit[0] for hit in HITS])
def test_hits(kind: str, draft: Draft, expected: set[tuple[str, ...]], dutch: Reader):
    assert results(kind, draft, setting(dutch)) == expected


def test_invented_component_stands_nowhere(dutch: Reader):
    where = setting(dutch)
    made = results("component_invented", guide(*STEPS), where) - {None}
    assert made
    for points in made:
        assert points is not None
        changed = [p for p, plain in zip(points, PLAIN, strict=True) if p != plain]
        assert len(changed) == 1
        assert not where.says(changed[0])


def test_yes_becomes_no(dutch: Reader):
    draft = Draft("binary", "Kan dat?", "binary", ("De knop is bedoeld voor u.",), yes=True)
    made = CORRUPTIONS["polarity_flipped"](draft, setting(dutch), random.Random(1))
    assert made is not None
    assert (made.yes, made.points) == (False, ("De knop is niet bedoeld voor u.",))


def test_a_statement_that_cannot_be_denied_leaves_the_bare_no(dutch: Reader):
    draft = Draft("binary", "Kan dat?", "binary", ("Ziedaar een knop.",), yes=True)
    made = CORRUPTIONS["polarity_flipped"](draft, setting(dutch), random.Random(1))
    assert made is not None
    assert (made.yes, made.points) == (False, ())


CODES = """# Fouten

| Code | Betekenis |
|---|---|
| AB-1001 | De sessie is verlopen. |
| AB-1002 | De app is verouderd. |
"""


def test_an_error_code_gets_the_meaning_of_another(dutch: Reader):
    point = "Foutcode AB-1001: De sessie is verlopen."
    draft = Draft("code", "?", "error", (point,), claims=(18,), code="AB-1001")
    made = results("claim_swapped", draft, setting(dutch, own=CODES))
    assert made == {("Foutcode AB-1001: De app is verouderd.",)}


MISSES = [
    ("component_swapped", prose("Klik hier.")),
    ("component_swapped", guide("Kies bijvoorbeeld ⟦Verlengen⟧.", "Sluit het venster.")),
    ("component_invented", prose("Klik hier.")),
    ("step_dropped", guide("Klik op ⟦Een⟧.", "Klik op ⟦Twee⟧.")),
    ("step_dropped", guide("Klik desgewenst op ⟦Een⟧.", "Sluit ⟦Twee⟧.", "Wacht even.")),
    ("steps_reversed", guide("Vul ⟦Een⟧ in.", "Vul ⟦Twee⟧ in.", "Vul ⟦Drie⟧ in.")),
    ("steps_reversed", prose("Klik op ⟦Een⟧.", "Klik op ⟦Twee⟧.")),
    ("neighbour_guide", guide("Open het tabblad ⟦Boekingen⟧.", "Druk op ⟨Ctrl+B⟩.")),
    ("neighbour_guide", prose("Klik op ⟦Een⟧.")),
    ("polarity_flipped", prose("Ziedaar een knop.")),
    ("polarity_flipped", prose("De knop is bijvoorbeeld beschikbaar.")),
    ("number_changed", prose("Kies een jaar.")),
    ("number_changed", prose("Vul bijvoorbeeld 12 in.")),
    ("number_changed", prose("De code is LN-2041.")),
    ("number_changed", prose("Het werkt met Windows 10.")),
    ("key_swapped", prose("Sluit af met ⟨Ctrl+B⟩.")),
    ("key_swapped", prose("Druk op ⟨Ctrl+Z⟩.")),
    ("key_swapped", prose("Druk op ⟨Enter⟩.")),
    ("condition_dropped", prose("Verlengen kan alleen de beheerder.")),
    ("sentence_foreign", guide(*STEPS)),
    (
        "claim_swapped",
        Draft("list", "Wat?", "general", ("Geel: geel is ja", "Groen: nee"), claims=(6, 7)),
    ),
    ("claim_swapped", Draft("list", "Wat?", "general", ("A: ja", "B: Ja."), claims=(3, 3))),
    ("claim_swapped", prose("Klik hier.")),
]


@pytest.mark.parametrize(("kind", "draft"), MISSES)
def test_misses(kind: str, draft: Draft, dutch: Reader):
    assert results(kind, draft, setting(dutch)) == {None}


def test_nothing_that_a_context_says_is_called_untrue(dutch: Reader):
    """The denied sentence stands in the neighbouring page."""
    where = setting(dutch, near=("# Veld\n\nDit veld is niet bedoeld voor u.",))
    assert results("polarity_flipped", prose("Dit veld is bedoeld voor u."), where) == {None}


def test_a_guide_that_may_be_right_is_no_neighbour(dutch: Reader):
    """The other page's heading says all that the question says."""
    near = "# Contracten verlengen voor velen\n\n1. Open het tabblad **Bulk**.\n2. Druk op **Nu**."
    assert results("neighbour_guide", guide(*STEPS), setting(dutch, near=(near,))) == {None}
