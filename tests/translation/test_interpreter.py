"""Memory first, then a translator: what is asked, what is kept, and what stops."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from klopt.errors import (
    InputError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.reading.reader import Reader
from klopt.scoring.interpretation import Foreign, Interpretation
from klopt.scoring.translated import foreign
from klopt.translation.asking import BATCH_TEXTS
from klopt.translation.interpreter import MemoryInterpreter, MissingSentences
from klopt.translation.memory import Entry, Memory
from klopt.translation.translator import UnfinishedError
from tests.translation.fakes import Fake, english, trusted, turned_around

TEXT = "# Opslaan\n\nKlik op **Bestand**. Wacht dan 5 tellen.\n\n3\n\n```\norl go. Nu\n```\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.sqlite", create=True) as opened:
        yield opened


@pytest.fixture
def of(dutch: Reader):
    """Dutch text → what scoring asks."""

    def read(*texts: str) -> list[Foreign]:
        return [foreign(dutch.read(text), "nl") for text in texts]

    return read


def said(found: Interpretation) -> list[str]:
    return [text.text for text in found.texts]


def stored(memory: Memory) -> dict[str, str]:
    return {one.source: one.target for one in memory.entries()}


def test_what_a_translator_is_asked(memory: Memory, of):
    fake = Fake(turned_around)
    found = MemoryInterpreter(memory, translator=fake).interpret(of(TEXT, "Wacht."), "nl")
    assert fake.asked == [["Opslaan", "Klik op ⟦1⟧.", "Wacht dan ⟦1⟧ tellen.", "Wacht."]]
    assert said(found) == [
        "It is that: naalspos.\nIt is that: Bestand pos kilks. It is that: nellets 5 nads thcaws.\n"
        "3\norl go. Nu",
        "It is that: thcaws.",
    ]
    assert found.unmasked_counts == (0, 0)
    assert [(one.provider, one.origin) for one in memory.entries()] == [("fake", "")] * 4


def test_what_was_translated_once_is_not_asked_again(memory: Memory, of):
    fake = Fake()
    interpreter = MemoryInterpreter(memory, translator=fake)
    first = interpreter.interpret(of(TEXT), "nl")
    asked = len(fake.texts)
    again = interpreter.interpret(of("Klik op **Ander**.", TEXT), "nl")
    assert len(fake.texts) == asked
    assert said(again)[1] == said(first)[0]
    assert "Ander" in said(again)[0]
    offline = MemoryInterpreter(memory, provider="fake").interpret(of(TEXT), "nl")
    assert said(offline) == said(first)


def test_nothing_to_translate_asks_nobody(memory: Memory, of):
    fake = Fake()
    found = MemoryInterpreter(memory, translator=fake).interpret(of("", "3 × 4", "`orl go`"), "nl")
    assert said(found) == ["", "3 × 4", "orl go"]
    assert fake.asked == []
    nothing = Interpretation((), (), f"en:memory@{'0' * 8}")
    assert MemoryInterpreter(memory).interpret([], "nl") == nothing


def test_people_go_before_a_translator(memory: Memory, of):
    memory.add([Entry("nl", "en", "fake", "Klik op ⟦1⟧.", "Klick on the ⟦1⟧.")])
    interpreter = MemoryInterpreter(memory, translator=Fake())
    assert said(interpreter.interpret(of("Klik op **Nu**."), "nl")) == ["Klick on the Nu."]
    memory.add(trusted([("Klik op ⟦1⟧.", "Click ⟦1⟧.")]))
    assert said(interpreter.interpret(of("Klik op **Nu**."), "nl")) == ["Click Nu."]


def test_a_whole_block_goes_before_its_sentences(memory: Memory, of):
    memory.add(
        trusted(
            [
                ("Klik op ⟦1⟧. Wacht ⟦2⟧ s.", "Wait ⟦2⟧ s after you click ⟦1⟧."),
                ("Klik op ⟦1⟧.", "Click ⟦1⟧."),
                ("Wacht ⟦1⟧ s.", "Wait ⟦1⟧ s."),
            ]
        )
    )
    interpreter = MemoryInterpreter(memory)
    texts = "Klik op **Nu**. Wacht 5 s.", "Wacht 5 s. Klik op **Nu**."
    assert said(interpreter.interpret(of(*texts), "nl")) == [
        "Wait 5 s after you click Nu.",
        "Wait 5 s. Click Nu.",
    ]


def test_of_a_translator_no_block_is_taken(memory: Memory, of):
    """Only people translate whole blocks; a translator's entry of that form is a sentence."""
    memory.add([Entry("nl", "en", "fake", "Een. Twee.", "One and two.")])
    with pytest.raises(TranslationError, match="2 of 2 sentences"):
        MemoryInterpreter(memory, provider="fake").interpret(of("Een. Twee."), "nl")


def test_two_translators_do_not_mix(memory: Memory, of):
    memory.add(
        [
            Entry("nl", "en", "other", "Klik nu.", "Other click."),
            Entry("nl", "en", "other", "Wacht.", "Other wait."),
            Entry("nl", "en", "fake", "Klik nu.", "Fake click."),
        ]
    )
    assert said(MemoryInterpreter(memory, provider="fake").interpret(of("Klik nu."), "nl")) == [
        "Fake click."
    ]
    with pytest.raises(TranslationError, match="not in the memory"):
        MemoryInterpreter(memory, provider="fake").interpret(of("Wacht."), "nl")
    fake = Fake()
    MemoryInterpreter(memory, translator=fake).interpret(of("Klik nu.", "Wacht."), "nl")
    assert fake.texts == ["Wacht."]
    everybody = MemoryInterpreter(memory)
    assert everybody.providers("nl") == ("trusted", "fake", "other")
    assert everybody.providers("de") == ("trusted",)


def test_what_the_memory_lacks_is_told(memory: Memory, of):
    memory.add(trusted([("Klik nu.", "Click now.")]))
    with pytest.raises(TranslationError) as caught:
        MemoryInterpreter(memory).interpret(
            of("Klik nu. Wacht op **Nu**.", "Wacht op **Dan**."), "nl"
        )
    assert caught.value.reason_code == "not_in_memory"
    assert str(caught.value) == (
        "1 of 2 sentences are not in the memory; the first is “Wacht op Nu.”"
    )


def test_a_target_without_tables(memory: Memory):
    with pytest.raises(UnknownLanguageError):
        MemoryInterpreter(memory, target="xx")


def losing(text: str) -> str:
    """Loses the marks."""
    return english(text.replace("⟦1⟧", "the one").replace("⟦2⟧", "the other"))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda text: losing(text),
        lambda text: f"{english(text)} ⟦7⟧",
        lambda text: english(f"{text} ⟦1⟧"),
        lambda text: english(text.replace("⟦2⟧", "⟦1⟧")),
    ],
    ids=["lost", "invented", "doubled", "one for the other"],
)
def test_wrong_marks_are_tried_without(memory: Memory, of, wrong):
    fake = Fake(lambda text: wrong(text) if "⟦" in text else f"It is now the {text}")
    texts = "Klik op **Opslaan** na 5 tellen.", "Klik nu."
    found = MemoryInterpreter(memory, translator=fake).interpret(of(*texts), "nl")
    assert fake.asked == [
        ["Klik op ⟦1⟧ na ⟦2⟧ tellen.", "Klik nu."],
        ["Klik op Opslaan na 5 tellen."],
    ]
    assert said(found) == ["It is now the Klik op Opslaan na 5 tellen.", "It is now the Klik nu."]
    assert found.unmasked_counts == (1, 0)
    copies = found.texts[0].copies  # type: ignore[attr-defined]
    assert [found.texts[0].text[one.start : one.end] for one in copies] == ["Opslaan", "5"]
    assert set(stored(memory)) == {"Klik op Opslaan na 5 tellen.", "Klik nu."}
    again = MemoryInterpreter(memory, provider="fake").interpret(of(*texts), "nl")
    assert (said(again), again.unmasked_counts) == (said(found), found.unmasked_counts)


def test_marks_where_there_were_none_are_left_out(memory: Memory, of):
    fake = Fake(lambda text: f"⟦1⟧ {english(text)} ⟦3⟧")
    interpreters = (
        MemoryInterpreter(memory, translator=fake),
        MemoryInterpreter(memory, provider="fake"),
    )
    for interpreter in interpreters:
        found = interpreter.interpret(of("Wacht even."), "nl")
        assert (said(found), found.unmasked_counts) == (["It is the one: thcaws neves."], (0,))


def test_lost_marks_of_two_sentences_that_differ_in_their_names_alone(memory: Memory, of):
    """Both are "Klik op ⟦1⟧." while they are away."""
    fake = Fake(lambda text: losing(text) if "⟦" in text else f"It is the {text}")
    texts = "Klik op **Opslaan**.", "Klik op **Bewaren**. Klik op **Opslaan**."
    found = MemoryInterpreter(memory, translator=fake).interpret(of(*texts), "nl")
    assert fake.asked == [["Klik op ⟦1⟧."], ["Klik op Opslaan.", "Klik op Bewaren."]]
    assert said(found) == [
        "It is the Klik op Opslaan.",
        "It is the Klik op Bewaren. It is the Klik op Opslaan.",
    ]
    assert found.unmasked_counts == (1, 2)


def test_a_sentence_with_marks_of_its_own_does_not_stand_for_another(memory: Memory, of):
    fake = Fake(lambda text: losing(text) if "⟦" in text else f"It is the {text}")
    interpreter = MemoryInterpreter(memory, translator=fake)
    found = interpreter.interpret(of("Klik op ⟦1⟧."), "nl")
    assert said(found) == ["It is the Klik op [1]."]
    found = interpreter.interpret(of("Klik op **Opslaan**."), "nl")
    assert said(found) == ["It is the Klik op Opslaan."]


def fail(text: str) -> str:
    raise TranslationError("quota", "used up")


class Odd(Fake):
    """Gives another number of texts."""

    def translate(self, texts, source, target):
        return [*super().translate(texts, source, target), "More of the same."]


@pytest.mark.parametrize(
    ("fake", "code", "message"),
    [
        (Odd(), "bad_reply", "fake gave 5 texts for 4"),
        (Fake(fail), "quota", "used up"),
        (Fake(lambda _: " \u200b\n"), "empty", "fake gave nothing for 4 of 4 sentences"),
        (
            Fake(str),
            "wrong_language",
            'fake gave "nl" where "en" was asked for',
        ),
    ],
)
def test_replies_that_are_none(memory: Memory, of, fake: Fake, code: str, message: str):
    texts = of(TEXT, "Ga naar de map van de medewerker om het te doen.")
    with pytest.raises(TranslationError) as caught:
        MemoryInterpreter(memory, translator=fake).interpret(texts, "nl")
    assert (caught.value.reason_code, str(caught.value)) == (code, message)
    assert stored(memory) == {}


def test_what_came_beside_an_empty_translation_is_kept(memory: Memory, of):
    long = "Ga naar de map van de medewerker om het te doen."
    fake = Fake(lambda text: "…" if text == long else english(text))
    interpreter = MemoryInterpreter(memory, translator=fake)
    for count in (4, 1):
        fake.asked.clear()
        with pytest.raises(TranslationError) as caught:
            interpreter.interpret(of(TEXT, long), "nl")
        assert str(caught.value) == f"fake gave nothing for 1 of {count} sentences"
    assert fake.texts == [long]
    assert len(stored(memory)) == 3


DUTCH = "Ga naar de map van het dossier om dat te doen."


def test_one_sentence_in_a_wrong_language_is_not_kept_and_not_asked_again(memory: Memory, of):
    fake = Fake(lambda text: text if text == DUTCH else english(text))
    interpreter = MemoryInterpreter(memory, translator=fake)
    for _ in range(2):
        with pytest.raises(TranslationError) as caught:
            interpreter.interpret(of(f"{TEXT}\n\nEen. Twee. {DUTCH}"), "nl")
        assert caught.value.reason_code == "wrong_language"
        assert str(caught.value) == f'fake gave "nl" where "en" was asked for: “{DUTCH}”'
    assert fake.texts.count(DUTCH) == 1
    assert DUTCH not in stored(memory)
    assert len(stored(memory)) == 5
    assert len(fake.texts) == 6


def test_a_wrong_language_in_the_memory(memory: Memory, of):
    memory.add(trusted([(DUTCH, f"{DUTCH} Dat is het.")]))
    with pytest.raises(TranslationError) as caught:
        MemoryInterpreter(memory).interpret(of(DUTCH), "nl")
    assert str(caught.value) == 'the memory gave "nl" where "en" was asked for'


def test_a_sentence_that_people_left_as_it_was_is_not_translated(memory: Memory, of):
    texts = of(f"{DUTCH} Klik op de knop in het scherm.", "Dashboard")
    memory.add(
        trusted((text, text) for text in (DUTCH, "Dashboard"))
        + trusted([("Klik op de knop in het scherm.", "Click the button on the screen.")])
    )
    with pytest.raises(TranslationError) as caught:
        MemoryInterpreter(memory).interpret(texts, "nl")
    assert caught.value.reason_code == "not_in_memory"
    assert str(caught.value).startswith("1 of 3 sentences are not in the memory; ")
    missing = MissingSentences(memory, target="en")
    with pytest.raises(TranslationError, match="1 sentences are not in the memory"):
        missing.interpret(texts, "nl")
    assert list(missing.found) == [("nl", DUTCH)]
    fake = Fake()
    for _ in range(2):
        found = MemoryInterpreter(memory, translator=fake).interpret(texts, "nl")
        assert english(DUTCH) in said(found)[0]
        assert said(found)[1] == "Dashboard"
    assert fake.texts == [DUTCH]


def test_what_was_given_before_it_failed_is_kept(memory: Memory, of):
    class Unfinished(Fake):
        def translate(self, texts, source, target):
            super().translate(texts, source, target)
            done = {texts[0]: english(texts[0]), texts[1]: "It is the one without."}
            raise UnfinishedError("quota", "used up", done)

    with pytest.raises(TranslationError, match="used up"):
        MemoryInterpreter(memory, translator=Unfinished()).interpret(of(TEXT), "nl")
    assert stored(memory) == {"Opslaan": "It is the one: naalspos"}
    fake = Fake()
    MemoryInterpreter(memory, translator=fake).interpret(of(TEXT), "nl")
    assert fake.texts == ["Klik op ⟦1⟧.", "Wacht dan ⟦1⟧ tellen."]


def numbered(count: int) -> str:
    """So many sentences of which no two are the same without their numbers."""
    return "\n\n".join(f"Wacht {'nog ' * place}even." for place in range(count))


def test_a_run_that_is_broken_off_keeps_the_batches_before(memory: Memory, of):
    class Stopped(Fake):
        def translate(self, texts, source, target):
            if self.asked:
                raise KeyboardInterrupt
            return super().translate(texts, source, target)

    count = BATCH_TEXTS + 5
    with pytest.raises(KeyboardInterrupt):
        MemoryInterpreter(memory, translator=Stopped()).interpret(of(numbered(count)), "nl")
    assert len(stored(memory)) == BATCH_TEXTS
    fake = Fake()
    found = MemoryInterpreter(memory, translator=fake).interpret(of(numbered(count)), "nl")
    assert len(fake.texts) == 5
    assert len(found.texts[0].blocks) == count


def test_the_good_ones_are_kept_when_the_second_try_fails(memory: Memory, of):
    class Once(Fake):
        def translate(self, texts, source, target):
            if self.asked:
                raise TranslationError("timeout", "too long")
            return super().translate(texts, source, target)

    with pytest.raises(TranslationError, match="too long"):
        MemoryInterpreter(memory, translator=Once(losing)).interpret(
            of("Wacht even. Klik op **Opslaan**."), "nl"
        )
    assert set(stored(memory)) == {"Wacht even."}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("Click\n\n now. ", "Click now."),
        ("Cafe\u0301\u200b now.", "Café now."),
        ("Click ⟦5⟧ now.", "Click now."),
    ],
)
def test_what_stands_in_a_memory_is_made_tidy(memory: Memory, of, target: str, text: str):
    memory.add(trusted([("Klik nu.", target)]))
    found = MemoryInterpreter(memory).interpret(of("Klik nu."), "nl")
    assert said(found)[0].split() == text.split()


@pytest.mark.parametrize(
    ("text", "target"),
    [("Klik nu.", " \u200b"), ("Klik nu op de knop.", "..."), ("Klik nu op de knop.", "⟦1⟧")],
)
def test_an_empty_translation_is_none(memory: Memory, of, text: str, target: str):
    memory.add(trusted([(text, target)]))
    with pytest.raises(TranslationError, match="not in the memory"):
        MemoryInterpreter(memory).interpret(of(text), "nl")


def test_threads_agree_whatever_a_translator_says(memory: Memory, of):
    """A translator that never says the same twice: what the memory has first, holds."""
    counter, lock = iter(range(1000)), threading.Lock()

    def fickle(text: str) -> str:
        with lock:
            return f"{english(text)} {'so ' * next(counter)}it is."

    interpreter = MemoryInterpreter(memory, translator=Fake(fickle))
    texts, start = of(TEXT), threading.Barrier(4)
    found: list[list[str]] = []

    def run() -> None:
        start.wait()
        found.append(said(interpreter.interpret(texts, "nl")))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 4
    assert all(one == found[0] for one in found)
    assert said(interpreter.interpret(texts, "nl")) == found[0]


def signature(interpreter: MemoryInterpreter, source: str) -> str:
    return interpreter.interpret([], source).signature


class Broken:
    """A memory whose file was damaged after it was opened."""

    def find(self, *_: object) -> None:
        raise InputError("ours.tm: this memory is damaged")

    digest = counts = find


def test_a_memory_that_fails_is_a_reason(of):
    interpreter = MemoryInterpreter(Broken())
    for fails in (
        lambda: interpreter.interpret(of("Klik nu."), "nl"),
        lambda: interpreter.edition("nl"),
    ):
        with pytest.raises(TranslationError, match=r"^ours\.tm: this memory is damaged$") as caught:
            fails()
        assert caught.value.reason_code == "memory"


def test_signature_and_edition(memory: Memory, of):
    offline = MemoryInterpreter(memory, provider="fake")
    before = signature(offline, "nl"), offline.edition("nl")
    assert before[0].startswith("en:fake@")
    fake = Fake()
    online = MemoryInterpreter(memory, translator=fake)
    assert (signature(online, "nl"), online.edition("nl")) == before
    online.interpret(of("Klik nu."), "nl")
    after = signature(offline, "nl"), offline.edition("nl")
    assert after[0] != before[0]
    assert online.edition("nl") == before[1]
    assert after[1] != before[1]
    memory.add(trusted([("Klik nu.", "Click now.")]))
    assert signature(offline, "nl") != after[0]
    assert offline.edition("nl") != after[1]
    assert signature(offline, "de") == signature(MemoryInterpreter(memory, provider="fake"), "de")
    assert signature(MemoryInterpreter(memory), "nl").startswith("en:memory@")
