"""Translated turns: the features that use the translation, evidence, and failures."""

import pytest

from klopt import Page, Scorer, Turn
from klopt.cli.scoring import demo_rows, demo_terms
from klopt.heuristics import ALL
from klopt.text.markup import read_text
from klopt.translation import CachedTranslator, Translate, TranslationCache
from tests.scoring.turns import parts_of, turn
from tests.translation.fakes import Fake, english, entries, turned_around

MARKED = {one.name for one in ALL if one.reads_translation}
DEMO = [row.turn for row in demo_rows() if row.turn is not None][::5]
GERMAN_PAGE = """# Dokument speichern

Das Dokument wird in der Akte des Mitarbeiters gespeichert.

1. Klicken Sie auf **Datei**.
2. Klicken Sie auf **Speichern**.
"""
GERMAN = {
    "Dokument speichern": "Save a document",
    "Das Dokument wird in der Akte des Mitarbeiters gespeichert.": (
        "The document is saved in the file of the employee."
    ),
    "Klicken Sie auf ⟦1⟧.": "Click ⟦1⟧.",
    "Wie kann ich ein Dokument in der Akte speichern?": "How do I save a document in the file?",
    "Klicken Sie auf ⟦1⟧ und dann auf ⟦2⟧.": "Click ⟦1⟧ and then ⟦2⟧.",
    "Das geht nicht.": "That is not possible.",
}
QUESTION = "Wie kann ich ein Dokument in der Akte speichern?"
ANSWER = "Klicken Sie auf Datei und dann auf Speichern."


def german(answer: str = ANSWER, *pages: Page | str, **fields: str) -> Turn:
    return Turn(QUESTION, answer, list(pages or (GERMAN_PAGE,)), **{"language": "de", **fields})


@pytest.fixture
def cache(tmp_path):
    with TranslationCache(tmp_path / "cache.sqlite", create=True) as opened:
        opened.add(entries(GERMAN.items(), "de"))
        yield opened


def translating(
    cache: TranslationCache,
    fake: Fake | None = None,
    *,
    profile: str = "default",
    terms=(),
    **settings,
) -> Scorer:
    translate = Translate(CachedTranslator(cache, translator=fake), **settings)
    return Scorer.load(profile, all_types=True, terms=terms, translate=translate)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The assessments of demo turns, not translated and in both scopes."""
    own = {"profile": "afas", "terms": demo_terms()}
    scorers = {"none": Scorer.load(**own, all_types=True)}
    with TranslationCache(tmp_path_factory.mktemp("demo") / "cache.sqlite", create=True) as opened:
        for scope in ("marked", "whole"):
            scorers[scope] = translating(opened, Fake(turned_around), scope=scope, **own)
        yield {
            name: [one.score(turn, measure_all=True) for turn in DEMO]
            for name, one in scorers.items()
        }


def test_only_the_marked_features_read_the_translation(demo):
    assert {"hal", "subject_combination", "verbatim_guide_defined"} == MARKED
    changed = set[str]()
    for one, before, after in zip(DEMO, demo["none"], demo["marked"], strict=True):
        assert after.status == before.status == "scored"
        for name in ("message_type", "pattern", "span"):
            assert getattr(after, name) == getattr(before, name)
        own = after.measurements
        differing = {name for name, one in before.measurements.items() if own[name] != one}
        assert differing <= (MARKED if one.language == "nl" else set())
        changed |= differing
    assert changed == MARKED


@pytest.mark.parametrize("scope", ["marked", "whole"])
def test_evidence_points_into_the_original(demo, scope):
    """At the name itself, or at all sentences that it was translated from."""
    seen = 0
    for one, found in zip(DEMO, demo[scope], strict=True):
        for name, measured in found.measurements.items():
            for evidence in measured.evidence:
                assert 0 <= evidence.start < evidence.end <= len(one.answer)
                assert one.answer[evidence.start : evidence.end].strip()
                if evidence.page is not None and evidence.page_start is not None:
                    page = next(page for page in one.pages if page.id == evidence.page)
                    assert 0 <= evidence.page_start < evidence.page_end <= len(page.text)
                if one.language == "nl" and scope == "whole" and name == "components_defined":
                    seen += 1
                    plain = read_text(one.answer[evidence.start : evidence.end]).text
                    assert plain == evidence.text
    assert seen > 10 or scope == "marked"


def test_a_language_without_tables(cache):
    found = translating(cache).score(german(), measure_all=True)
    assert (found.status, found.language, found.read_as) == ("scored", "de", "en")
    assert (found.translation.scope, found.translation.unmasked_count) == ("whole", 0)
    assert found.measurements["components_defined"].value == 1.0
    assert (found.message_type, found.span) == ("instruction", (0, len(QUESTION)))
    assert found.explanation.startswith("Score ")
    detected = translating(cache).score(german(language="auto"))
    assert (detected.status, detected.language) == ("scored", "de")
    assert Scorer.load(all_types=True).score(german(language="auto")).status == "not_scorable"


@pytest.mark.parametrize(
    "page",
    [GERMAN_PAGE, "**Datei** > **Speichern**", "# Save\n\nClick **Datei** and then **Speichern**."],
    ids=["German", "no language", "English"],
)
@pytest.mark.parametrize(("first", "kind"), [("Datei", "supported"), ("Drucken", "unsupported")])
def test_names_are_not_translated(cache, page, first, kind):
    answer = f"Klicken Sie auf **{first}** und dann auf Speichern."
    found = translating(cache).score(german(answer, page), measure_all=True)
    names = found.measurements["components_defined"].evidence
    assert [(one.kind, one.text) for one in names] == [(kind, first), ("supported", "Speichern")]
    for one in names:
        assert answer[one.start : one.end].strip("*") == one.text
        assert one.page is None or page[one.page_start : one.page_end] == one.text


@pytest.mark.parametrize("scope", ["marked", "whole"])
def test_an_untranslated_turn_is_scored_on_the_original_or_refused(cache, scope):
    plain = Scorer.load(all_types=True).score(turn())
    found = translating(cache, scope=scope).score(turn())
    assert (found.score, found.verdict, found.rule) == (plain.score, plain.verdict, plain.rule)
    assert found.measurements == plain.measurements
    assert found.fingerprint == plain.fingerprint
    assert (found.status, found.reason_code) == ("scored_on_original", "not_in_cache")
    assert found.sentences[:-1] == plain.sentences
    assert "staan niet in de vertaalcache" in found.sentences[-1]
    note = found.translation
    assert (note.source, note.target, note.scope) == ("nl", "en", scope)
    assert (note.status, note.reason_code) == ("failed", "not_in_cache")
    assert note.reason in found.reason
    assert found.to_dict()["translation"]["status"] == "failed"
    refused = translating(cache, scope=scope, required=True).score(turn())
    assert (refused.status, refused.reason_code) == ("error", "not_translated")
    assert (refused.score, refused.verdict, refused.measurements) == (None, "unscored", {})
    assert refused.translation == note


@pytest.mark.parametrize(
    ("fails", "status", "code"),
    [(lambda: "", "scored_on_original", "empty"), (lambda: 1 / 0, "error", "internal")],
    ids=["empty", "internal error"],
)
def test_after_a_failure_the_next_turn_is_translated(cache, fails, status, code):
    fake = Fake(lambda text: fails() if "Fout" in text else english(text))
    first, second = translating(cache, fake).score_many([turn(answer="Fout bestand."), turn()])
    assert (first.status, first.reason_code) == (status, code)
    assert (second.status, second.reason_code) == ("scored", None)


PAIRS = [
    ("Hoe opent de gebruiker het bestand?", "How does the user open the file?"),
    ("De gebruiker opent het bestand.", "The user opens the file."),
    ("Bestanden", "Files"),
    ("De gebruiker opent het bestand en daarna leest de klant het.", "The user opens it."),
]


def test_the_fingerprint_names_the_translation(cache):
    cache.add(entries(PAIRS))
    plain = parts_of(Scorer.load(all_types=True).score(turn()).fingerprint)
    marked = parts_of(translating(cache).score(turn()).fingerprint)
    whole = parts_of(translating(cache, scope="whole").score(turn()).fingerprint)
    assert {key for key in plain if plain[key] != marked[key]} == {"lexicons", "translator"}
    assert marked["lexicons"].startswith(f"{plain['lexicons']}+")
    assert marked["translator"].startswith("marked:en:cache@")
    assert whole["translator"] == marked["translator"].replace("marked", "whole")
    assert (plain["language"], marked["language"], plain["translator"]) == ("nl", "nl", "none")
    german_one = parts_of(translating(cache).score(german()).fingerprint)
    assert german_one["language"] == "de"
    assert german_one["translator"].startswith("whole:en:cache@")
    assert marked["lexicons"].endswith(f"+{german_one['lexicons']}")
    scorer = translating(cache)
    assert parts_of(scorer.score(turn()).fingerprint) == marked
    cache.add(entries([("Etwas.", "Something.")], "de"))
    assert parts_of(scorer.score(turn()).fingerprint) == marked
    cache.add(entries([("Iets anders.", "Something else.")]))
    assert parts_of(scorer.score(turn()).fingerprint)["translator"] != marked["translator"]
