"""Turns that are read in translation: what reads it, where evidence points, and what fails."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from klopt import Assessment, Page, Profile, Scorer, Turn
from klopt.cli.demo_log import demo_rows, demo_terms
from klopt.errors import ConfigurationError, RecordError, TranslationError, UnknownLanguageError
from klopt.heuristics import ALL
from klopt.reading.markup import read_text
from klopt.reading.text import read_plain
from klopt.scoring.interpretation import Scope, Translate
from klopt.scoring.measuring import Case
from klopt.scoring.profile import TranslateSettings
from klopt.scoring.translated import TranslatedMeasuring, named_in
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import Entry, Memory
from tests.scoring.turns import ENGLISH_PAGE, turn
from tests.translation.fakes import Fake, english, trusted, turned_around

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
ASKED = "Wie kann ich ein Dokument in der Akte speichern?"
ANSWERED = "Klicken Sie auf Datei und dann auf Speichern."


def german(answer: str = ANSWERED, *pages: Page | str, **fields: str) -> Turn:
    return Turn(ASKED, answer, list(pages or (GERMAN_PAGE,)), **{"language": "de", **fields})


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.sqlite", create=True) as opened:
        opened.add(trusted(GERMAN.items(), "de"))
        yield opened


def translating(
    memory: Memory, fake: Fake | None = None, *, profile: str = "default", terms=(), **settings
) -> Scorer:
    translate = Translate(MemoryInterpreter(memory, translator=fake), **settings)
    return Scorer.load(profile, all_types=True, terms=terms, translate=translate)


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Iterator[dict[str, list[Assessment]]]:
    """The demo turns as they are, and by either scope, all measured."""
    own = {"profile": "afas", "terms": demo_terms()}
    scorers = {"none": Scorer.load(**own, all_types=True)}
    with Memory.open(tmp_path_factory.mktemp("demo") / "memory.sqlite", create=True) as opened:
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


def test_a_turn_in_the_target_language_is_left_as_it_is(demo):
    rows = zip(DEMO, demo["none"], demo["marked"], demo["whole"], strict=True)
    own = [found for one, *found in rows if one.language == "en"]
    assert len(own) > 3
    for before, marked, whole in own:
        assert before == marked == whole
        assert marked.translation is None


@pytest.mark.parametrize("scope", ["marked", "whole"])
def test_evidence_points_into_the_original(demo, scope: Scope):
    """At the name that it is about, or at all of the sentences that it was translated from."""
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


def test_whole_reads_everything_in_translation_and_keeps_the_names(demo):
    """They are masked, so as many of them are found in the translation, in another order."""
    for one, before, found in zip(DEMO, demo["none"], demo["whole"], strict=True):
        if one.language == "nl":
            assert (found.language, found.read_as, found.translation.scope) == ("nl", "en", "whole")
            assert found.span is None or 0 <= found.span[0] < found.span[1] <= len(one.question)
            own, other = (
                {(e.start, e.end) for e in each.measurements["components_defined"].evidence}
                for each in (before, found)
            )
            assert own <= other


def test_a_language_without_tables(memory: Memory):
    found = translating(memory).score(german(), measure_all=True)
    assert (found.status, found.language, found.read_as) == ("scored", "de", "en")
    assert (found.translation.scope, found.translation.unmasked_count) == ("whole", 0)
    assert found.measurements["components_defined"].value == 1.0
    assert (found.message_type, found.span) == ("instruction", (0, len(ASKED)))
    assert found.explanation.startswith("Score ")
    told = translating(memory).score(german(language="auto"))
    assert (told.status, told.language) == ("scored", "de")
    assert Scorer.load(all_types=True).score(german(language="auto")).status == "not_scorable"


@pytest.mark.parametrize(
    "page",
    [GERMAN_PAGE, "**Datei** > **Speichern**", "# Save\n\nClick **Datei** and then **Speichern**."],
    ids=["in German", "in no language that shows", "in English"],
)
@pytest.mark.parametrize(("first", "kind"), [("Datei", "supported"), ("Drucken", "unsupported")])
def test_names_stay_as_they_are(memory: Memory, page: str, first: str, kind: str):
    answer = f"Klicken Sie auf **{first}** und dann auf Speichern."
    found = translating(memory).score(german(answer, page), measure_all=True)
    names = found.measurements["components_defined"].evidence
    assert [(one.kind, one.text) for one in names] == [(kind, first), ("supported", "Speichern")]
    for one in names:
        assert answer[one.start : one.end].strip("*") == one.text
        assert one.page is None or page[one.page_start : one.page_end] == one.text


def test_english_pages_of_a_dutch_turn_are_read_as_english(memory: Memory):
    """Though they were read as Dutch when the turn was."""
    fake = Fake(lambda text: {"Wat kan ik doen?": "What can I do?"}.get(text, turned_around(text)))
    page = "# Save\n\nGo to the tab Save. You can then click the menu-item Publish to do it."
    one = Turn("Wat kan ik doen?", "U kunt op de knop **Publish** klikken.", [page], language="nl")
    scorer = translating(memory, fake, scope="whole")
    measuring = TranslatedMeasuring(scorer.setup, scorer.setup.translate)
    material, _ = measuring.materials(Case(one))
    readings = [context.index.reading for context in material.contexts]
    assert [reading.language for reading in readings] == ["en"]
    assert [component.text for component in readings[0].components] == ["Save"]
    for _ in range(2):
        found = scorer.score(one, measure_all=True)
        names = found.measurements["components_defined"].evidence
        assert [(one.kind, one.page) for one in names] == [("supported", one.pages[0].id)]
    assert fake.texts == ["Wat kan ik doen?", "U kunt op de knop ⟦1⟧ klikken."]


def test_pages_of_a_third_language_are_left_out(memory: Memory):
    french = "# Enregistrer\n\nVous pouvez cliquer sur le bouton pour enregistrer le document."
    scorer = translating(memory)
    found = scorer.score(german(ANSWERED, french, GERMAN_PAGE), measure_all=True)
    alone = scorer.score(german(), measure_all=True)
    assert found.score == alone.score
    found = scorer.score(german(ANSWERED, french))
    assert (found.status, found.reason_code) == ("not_scorable", "context_language")
    assert "(fr)" in found.explanation


def test_classify_reads_a_question_in_translation(memory: Memory):
    found, span = translating(memory).classify(german())
    assert (found.message_type, span) == ("instruction", (0, len(ASKED)))
    with pytest.raises(TranslationError, match="not in the memory"):
        translating(memory).classify(Turn("Was ist das denn?", "", language="de"))
    with pytest.raises(RecordError):
        translating(memory).classify(Turn("Was? " * 5_000, "", language="de"))
    with pytest.raises(UnknownLanguageError):
        translating(memory).classify(Turn("123", "", language="auto"))


@pytest.mark.parametrize("scope", ["marked", "whole"])
def test_what_is_not_translated_is_scored_on_the_original_or_refused(memory: Memory, scope: Scope):
    plain = Scorer.load(all_types=True).score(turn())
    found = translating(memory, scope=scope).score(turn())
    assert (found.score, found.verdict, found.rule) == (plain.score, plain.verdict, plain.rule)
    assert found.measurements == plain.measurements
    assert found.fingerprint == plain.fingerprint
    assert (found.status, found.reason_code) == ("scored_on_original", "not_in_memory")
    assert found.sentences[:-1] == plain.sentences
    assert "not in the memory" in found.sentences[-1]
    note = found.translation
    assert (note.source, note.target, note.scope) == ("nl", "en", scope)
    assert (note.status, note.reason_code) == ("failed", "not_in_memory")
    assert note.reason in found.reason
    assert found.to_dict()["translation"]["status"] == "failed"
    refused = translating(memory, scope=scope, required=True).score(turn())
    assert (refused.status, refused.reason_code) == ("error", "not_translated")
    assert (refused.score, refused.verdict, refused.measurements) == (None, "unscored", {})
    assert refused.translation == note


def test_out_of_scope_is_told_before_the_translation_is_missed(memory: Memory):
    interpreter = MemoryInterpreter(memory)
    scorer = Scorer.load("afas", translate=Translate(interpreter, required=True))
    found = scorer.score(turn(message_type="general"))
    assert (found.status, found.reason_code) == ("not_scorable", "out_of_scope")
    assert found.translation is None


@pytest.mark.parametrize(
    ("fails", "status", "code"),
    [(lambda: "", "scored_on_original", "empty"), (lambda: 1 / 0, "error", "internal")],
    ids=["nothing", "a fault"],
)
def test_after_a_failure_the_next_turn_is_translated(memory: Memory, fails, status, code):
    fake = Fake(lambda text: fails() if "Fout" in text else english(text))
    first, second = translating(memory, fake).score_many([turn(answer="Fout bestand."), turn()])
    assert (first.status, first.reason_code) == (status, code)
    assert (second.status, second.reason_code) == ("scored", None)


def test_lost_marks_are_counted(memory: Memory):
    fake = Fake(lambda text: english(text.replace("⟦1⟧", "this")))
    scorer = translating(memory, fake)
    one = turn(answer="Klik op **Bestand**.", contexts=["# Doen\n\nKlik nu op **Bestand** hier."])
    for _ in range(2):
        found = scorer.score(one)
        assert found.translation.unmasked_count == 2


def fields(fingerprint: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in fingerprint.split("|"))


HERE = [
    ("Hoe opent de gebruiker het bestand?", "How does the user open the file?"),
    ("De gebruiker opent het bestand.", "The user opens the file."),
    ("Bestanden", "Files"),
    ("De gebruiker opent het bestand en daarna leest de klant het.", "The user opens it."),
]


def test_what_the_fingerprint_says(memory: Memory):
    memory.add(trusted(HERE))
    plain = fields(Scorer.load(all_types=True).score(turn()).fingerprint)
    marked = fields(translating(memory).score(turn()).fingerprint)
    whole = fields(translating(memory, scope="whole").score(turn()).fingerprint)
    assert {key for key in plain if plain[key] != marked[key]} == {"lexicons", "translator"}
    assert marked["lexicons"].startswith(f"{plain['lexicons']}+")
    assert marked["translator"].startswith("marked:en:memory@")
    assert whole["translator"] == marked["translator"].replace("marked", "whole")
    assert (plain["language"], marked["language"], plain["translator"]) == ("nl", "nl", "none")
    german_one = fields(translating(memory).score(german()).fingerprint)
    assert german_one["language"] == "de"
    assert german_one["translator"].startswith("whole:en:memory@")
    assert marked["lexicons"].endswith(f"+{german_one['lexicons']}")
    scorer = translating(memory)
    assert fields(scorer.score(turn()).fingerprint) == marked
    memory.add([Entry("nl", "en", "memo", "Iets.", "Something.")])
    assert fields(scorer.score(turn()).fingerprint) == marked
    memory.add(trusted([("Iets anders.", "Something else.")]))
    assert fields(scorer.score(turn()).fingerprint)["translator"] != marked["translator"]


def test_a_profile_that_translates_and_a_scorer_that_cannot():
    translating = TranslateSettings("en", "marked")
    scorer = Scorer(dataclasses.replace(Profile.load(), translate=translating))
    message = (
        'profile "default" translates to "en", and this scorer has no translation; '
        "Scorer(profile, translate=...) takes one"
    )
    for call in (scorer.score, scorer.classify, lambda one: list(scorer.score_many([one]))):
        with pytest.raises(ConfigurationError) as caught:
            call(turn())
        assert str(caught.value) == message


def test_a_target_that_the_profile_does_not_have(memory: Memory):
    loaded = Profile.load("default")
    dutch = dataclasses.replace(loaded, languages={"nl": loaded.languages["nl"]})
    with pytest.raises(UnknownLanguageError, match='has no language "en"; it has nl'):
        Scorer(dutch, translate=Translate(MemoryInterpreter(memory)))


def test_dutch_is_a_target_too(memory: Memory):
    """English turns through Dutch: nothing in the path knows which language is which."""
    fake = Fake(lambda text: f"Dit is het en dat zijn de {text[::-1]}" if "⟦" not in text else text)
    translate = Translate(MemoryInterpreter(memory, target="nl", translator=fake))
    scorer = Scorer.load(all_types=True, translate=translate)
    one = Turn("How does the user open the file?", "The user opens the file.", [ENGLISH_PAGE])
    found = scorer.score(one)
    assert (found.language, found.translation.target, found.status) == ("en", "nl", "scored")
    assert scorer.score(turn()).translation is None


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("Klicken Sie auf Speichern.", {"Speichern"}, ["Speichern"]),
        ("Speichern unter", {"Speichern", "Speichern unter"}, ["Speichern unter"]),
        ("Das Zwischenspeichern, speichern", {"Speichern"}, []),
        ("Zeit (min) und C++.", {"Zeit (min)", "C++"}, ["Zeit (min)", "C++"]),
        ("Nichts", set(), []),
    ],
)
def test_names_of_pages(text: str, names: set[str], found: list[str]):
    assert [text[one.start : one.end] for one in named_in(read_plain(text), names)] == found


@pytest.mark.parametrize("answer", ["", "…", "x" * 20_001])
def test_what_is_refused_is_not_translated(memory: Memory, answer: str):
    fake = Fake()
    found = translating(memory, fake, scope="whole").score(turn(answer=answer))
    assert found.status == "not_scorable"
    assert fake.asked == []


@pytest.mark.parametrize("scope", ["marked", "whole"])
@pytest.mark.parametrize(
    "answer",
    [
        "Klik op **Opslaan**. " * 950,
        "<table><tr><td>Klik op <b>Opslaan</b></td><td>Klaar.</td></tr></table><p>En nu?</p>",
        "1. Open het dossier.\r\n   - Klik op *Nieuw*.\r\n2. Sluit.\r\n\r\n```\norl go\n```",
        "Cafe\u0301 😀 en de\u200b rest &amp; meer. | a | b |",
        "⟦1⟧ en **⟦2⟧** van de gebruiker.",
        "De gebruiker \ud800 opent het.",
    ],
    ids=["long", "html", "lists", "unicode", "marks", "surrogate"],
)
def test_answers_of_every_form(memory: Memory, answer: str, scope: Scope):
    fakes = Fake(turned_around), Fake(lambda text: english(text.replace("⟦", "("))), Fake()
    for fake in fakes[: 1 if len(answer) > 10_000 else None]:
        found = translating(memory, fake, scope=scope).score(turn(answer=answer), measure_all=True)
        assert found.status == "scored"
        for measured in found.measurements.values():
            for one in measured.evidence:
                assert 0 <= one.start < one.end <= len(answer)


class Changing(MemoryInterpreter):
    """One of which somebody changes the memory while it works."""

    def __init__(self, memory: Memory, better: list[tuple[str, str]], *, always: bool) -> None:
        super().__init__(memory)
        self.memory, self.better, self.always, self.count = memory, better, always, 0

    def interpret(self, texts, source: str):
        found = super().interpret(texts, source)
        if self.always or not self.count:
            self.count += 1
            self.memory.add(trusted((key, f"{text} {self.count}") for key, text in self.better))
        return found


def test_a_memory_that_changes_while_a_turn_is_read(memory: Memory):
    memory.add(trusted(HERE))
    changing = Changing(memory, HERE[-1:], always=False)
    scorer = Scorer(Profile.load("afas"), translate=Translate(changing))
    found = scorer.score(turn(), measure_all=True)
    assert changing.count == 1
    assert found == translating(memory, profile="afas").score(turn(), measure_all=True)


def test_a_memory_that_never_rests(memory: Memory):
    memory.add(trusted(HERE))
    changing = Changing(memory, HERE[-1:], always=True)
    found = Scorer(Profile.load("afas"), translate=Translate(changing)).score(turn())
    assert (found.status, found.reason_code) == ("scored_on_original", "memory")
    assert found.translation.reason == "the translations change while they are read"


STONE = (HERE[-1][0], "The stone is in the water.")


@pytest.mark.parametrize(
    "better",
    [*trusted([STONE]), Entry("nl", "en", "alfa", *STONE)],
    ids=["by people", "by another translator"],
)
def test_a_new_translation_of_a_page_is_used_at_once(memory: Memory, better: Entry):
    memory.add(Entry("nl", "en", "zeta", *pair) for pair in HERE)
    memory.add([Entry("nl", "en", "alfa", "Iets.", "Something.")])
    scorer = translating(memory, profile="afas")
    before = scorer.score(turn(), measure_all=True)
    memory.add([better])
    after = scorer.score(turn(), measure_all=True)
    assert after.fingerprint != before.fingerprint
    assert after == translating(memory, profile="afas").score(turn(), measure_all=True)
    assert after.measurements["hal"].value != before.measurements["hal"].value


@pytest.mark.parametrize("language", ["nl-NL", "NL", "German", "de|translator:none"])
def test_what_is_no_code_of_a_language(memory: Memory, language: str):
    fake = Fake()
    found = translating(memory, fake).score(dataclasses.replace(turn(), language=language))
    assert (found.status, found.reason_code) == ("not_scorable", "language_unsupported")
    assert found.reason == f"the profile has no language {language}; it has nl, en"
    assert "language:none" in found.fingerprint
    assert fake.texts == []
