"""Memory first, then a translator: what is asked, what is kept, and what stops."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from klopt.errors import InputError, TranslationError, UnknownLanguageError
from klopt.scoring.interpretation import Interpretation
from klopt.scoring.translated import foreign
from klopt.translation.asking import BATCH_TEXTS
from klopt.translation.interpreter import MemoryInterpreter, MissingSentences
from klopt.translation.memory import Entry, Memory
from klopt.translation.translator import UnfinishedError
from tests.translation.fakes import Fake, english, trusted, turned_around

TEXT = "# Opslaan\n\nKlik op **Bestand**. Wacht dan 5 tellen.\n\n3\n\n```\norl go. Nu\n```\n"
DUTCH = "Ga naar de map van het dossier om dat te doen."
FOLDER = "Ga naar de map van de medewerker om het te doen."


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "memory.sqlite", create=True) as opened:
        yield opened


@pytest.fixture
def of(dutch):
    """Dutch text → what scoring asks."""
    return lambda *texts: [foreign(dutch.read(text), "nl") for text in texts]


def read(interpreter, texts):
    """The texts in translation, and how many sentences of each came back without marks."""
    found = interpreter.interpret(texts, "nl")
    return [text.text for text in found.texts], found.unmasked_counts


def said(interpreter, texts):
    return read(interpreter, texts)[0]


def refused(interpreter, texts):
    with pytest.raises(TranslationError) as caught:
        interpreter.interpret(texts, "nl")
    return caught.value.reason_code, str(caught.value)


def stored(memory):
    return {entry.source: entry.target for entry in memory.entries()}


def test_what_a_translator_is_asked(memory, of):
    fake = Fake(turned_around)
    assert read(MemoryInterpreter(memory, translator=fake), of(TEXT, "Wacht.")) == (
        [
            "It is that: naalspos.\nIt is that: Bestand pos kilks. It is that: nellets 5 nads "
            "thcaws.\n3\norl go. Nu",
            "It is that: thcaws.",
        ],
        (0, 0),
    )
    assert fake.asked == [["Opslaan", "Klik op ⟦1⟧.", "Wacht dan ⟦1⟧ tellen.", "Wacht."]]
    assert [(entry.provider, entry.origin) for entry in memory.entries()] == [("fake", "")] * 4


def test_what_was_translated_once_is_not_asked_again(memory, of):
    fake = Fake()
    interpreter = MemoryInterpreter(memory, translator=fake)
    (first,) = said(interpreter, of(TEXT))
    asked = len(fake.texts)
    other, again = said(interpreter, of("Klik op **Ander**.", TEXT))
    assert (len(fake.texts), again) == (asked, first)
    assert "Ander" in other
    assert said(MemoryInterpreter(memory, provider="fake"), of(TEXT)) == [first]


def test_nothing_to_translate_asks_nobody(memory, of):
    fake = Fake()
    texts = of("", "3 × 4", "`orl go`")
    assert said(MemoryInterpreter(memory, translator=fake), texts) == ["", "3 × 4", "orl go"]
    assert fake.asked == []
    nothing = Interpretation((), (), f"en:memory@{'0' * 8}")
    assert MemoryInterpreter(memory).interpret([], "nl") == nothing


def test_people_go_before_a_translator(memory, of):
    memory.add([Entry("nl", "en", "fake", "Klik op ⟦1⟧.", "Klick on the ⟦1⟧.")])
    interpreter = MemoryInterpreter(memory, translator=Fake())
    assert said(interpreter, of("Klik op **Nu**.")) == ["Klick on the Nu."]
    memory.add(trusted([("Klik op ⟦1⟧.", "Click ⟦1⟧.")]))
    assert said(interpreter, of("Klik op **Nu**.")) == ["Click Nu."]


def test_a_whole_block_goes_before_its_sentences(memory, of):
    whole = "Klik op ⟦1⟧. Wacht ⟦2⟧ s.", "Wait ⟦2⟧ s after you click ⟦1⟧."
    memory.add(trusted([whole, ("Klik op ⟦1⟧.", "Click ⟦1⟧."), ("Wacht ⟦1⟧ s.", "Wait ⟦1⟧ s.")]))
    texts = of("Klik op **Nu**. Wacht 5 s.", "Wacht 5 s. Klik op **Nu**.")
    assert said(MemoryInterpreter(memory), texts) == [
        "Wait 5 s after you click Nu.",
        "Wait 5 s. Click Nu.",
    ]


def test_of_a_translator_no_block_is_taken(memory, of):
    """Only people translate whole blocks; a translator's entry of that form is a sentence."""
    memory.add([Entry("nl", "en", "fake", "Een. Twee.", "One and two.")])
    code, told = refused(MemoryInterpreter(memory, provider="fake"), of("Een. Twee."))
    assert (code, told[:18]) == ("not_in_memory", "2 of 2 sentences a")


def test_two_translators_do_not_mix(memory, of):
    memory.add(
        [
            Entry("nl", "en", "other", "Klik nu.", "Other click."),
            Entry("nl", "en", "other", "Wacht.", "Other wait."),
            Entry("nl", "en", "fake", "Klik nu.", "Fake click."),
        ]
    )
    by_fake = MemoryInterpreter(memory, provider="fake")
    assert said(by_fake, of("Klik nu.")) == ["Fake click."]
    assert refused(by_fake, of("Wacht."))[0] == "not_in_memory"
    fake = Fake()
    MemoryInterpreter(memory, translator=fake).interpret(of("Klik nu.", "Wacht."), "nl")
    assert fake.texts == ["Wacht."]
    everybody = MemoryInterpreter(memory)
    assert everybody.providers("nl") == ("trusted", "fake", "other")
    assert everybody.providers("de") == ("trusted",)


def test_what_the_memory_lacks_is_told(memory, of):
    memory.add(trusted([("Klik nu.", "Click now.")]))
    texts = of("Klik nu. Wacht op **Nu**.", "Wacht op **Dan**.")
    assert refused(MemoryInterpreter(memory), texts) == (
        "not_in_memory",
        "1 of 2 sentences are not in the memory; the first is “Wacht op Nu.”",
    )


def test_a_target_without_tables(memory):
    with pytest.raises(UnknownLanguageError):
        MemoryInterpreter(memory, target="xx")


def losing(text):
    """Loses the marks."""
    return english(text.replace("⟦1⟧", "the one").replace("⟦2⟧", "the other"))


def at_first_losing(text):
    return losing(text) if "⟦" in text else f"It is the {text}"


@pytest.mark.parametrize(
    "wrong",
    [
        losing,
        lambda text: f"{english(text)} ⟦7⟧",
        lambda text: english(f"{text} ⟦1⟧"),
        lambda text: english(text.replace("⟦2⟧", "⟦1⟧")),
    ],
    ids=["lost", "invented", "doubled", "one for the other"],
)
def test_wrong_marks_are_tried_without(memory, of, wrong):
    fake = Fake(lambda text: wrong(text) if "⟦" in text else f"It is now the {text}")
    texts = of("Klik op **Opslaan** na 5 tellen.", "Klik nu.")
    found = MemoryInterpreter(memory, translator=fake).interpret(texts, "nl")
    asked = "Klik op Opslaan na 5 tellen."
    assert fake.asked == [["Klik op ⟦1⟧ na ⟦2⟧ tellen.", "Klik nu."], [asked]]
    first = found.texts[0]
    assert [first.text[copy.start : copy.end] for copy in first.copies] == ["Opslaan", "5"]
    assert set(stored(memory)) == {asked, "Klik nu."}
    expected = [f"It is now the {asked}", "It is now the Klik nu."], (1, 0)
    assert ([text.text for text in found.texts], found.unmasked_counts) == expected
    assert read(MemoryInterpreter(memory, provider="fake"), texts) == expected


def test_marks_where_there_were_none_are_left_out(memory, of):
    fake = Fake(lambda text: f"⟦1⟧ {english(text)} ⟦3⟧")
    for who in ({"translator": fake}, {"provider": "fake"}):
        found = read(MemoryInterpreter(memory, **who), of("Wacht even."))
        assert found == (["It is the one: thcaws neves."], (0,))


def test_lost_marks_of_two_sentences_that_differ_in_their_names_alone(memory, of):
    """Both are "Klik op ⟦1⟧." while they are away."""
    fake = Fake(at_first_losing)
    texts = of("Klik op **Opslaan**.", "Klik op **Bewaren**. Klik op **Opslaan**.")
    assert read(MemoryInterpreter(memory, translator=fake), texts) == (
        ["It is the Klik op Opslaan.", "It is the Klik op Bewaren. It is the Klik op Opslaan."],
        (1, 2),
    )
    assert fake.asked == [["Klik op ⟦1⟧."], ["Klik op Opslaan.", "Klik op Bewaren."]]


def test_a_sentence_with_marks_of_its_own_does_not_stand_for_another(memory, of):
    interpreter = MemoryInterpreter(memory, translator=Fake(at_first_losing))
    assert said(interpreter, of("Klik op ⟦1⟧.")) == ["It is the Klik op [1]."]
    assert said(interpreter, of("Klik op **Opslaan**.")) == ["It is the Klik op Opslaan."]


def fail(text):
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
        (Fake(str), "wrong_language", 'fake gave "nl" where "en" was asked for'),
    ],
)
def test_replies_that_are_none(memory, of, fake, code, message):
    interpreter = MemoryInterpreter(memory, translator=fake)
    assert refused(interpreter, of(TEXT, FOLDER)) == (code, message)
    assert stored(memory) == {}


def test_what_came_beside_an_empty_translation_is_kept(memory, of):
    fake = Fake(lambda text: "…" if text == FOLDER else english(text))
    interpreter = MemoryInterpreter(memory, translator=fake)
    for count in (4, 1):
        fake.asked.clear()
        told = f"fake gave nothing for 1 of {count} sentences"
        assert refused(interpreter, of(TEXT, FOLDER)) == ("empty", told)
    assert fake.texts == [FOLDER]
    assert len(stored(memory)) == 3


def test_one_sentence_in_a_wrong_language_is_not_kept_and_not_asked_again(memory, of):
    fake = Fake(lambda text: text if text == DUTCH else english(text))
    interpreter = MemoryInterpreter(memory, translator=fake)
    for _ in range(2):
        assert refused(interpreter, of(f"{TEXT}\n\nEen. Twee. {DUTCH}")) == (
            "wrong_language",
            f'fake gave "nl" where "en" was asked for: “{DUTCH}”',
        )
    assert fake.texts.count(DUTCH) == 1
    assert DUTCH not in stored(memory)
    assert (len(stored(memory)), len(fake.texts)) == (5, 6)


def test_a_wrong_language_in_the_memory(memory, of):
    memory.add(trusted([(DUTCH, f"{DUTCH} Dat is het.")]))
    assert refused(MemoryInterpreter(memory), of(DUTCH)) == (
        "wrong_language",
        'the memory gave "nl" where "en" was asked for',
    )


def test_a_sentence_that_people_left_as_it_was_is_not_translated(memory, of):
    texts = of(f"{DUTCH} Klik op de knop in het scherm.", "Dashboard")
    button = "Klik op de knop in het scherm.", "Click the button on the screen."
    memory.add(trusted([(DUTCH, DUTCH), ("Dashboard", "Dashboard"), button]))
    code, told = refused(MemoryInterpreter(memory), texts)
    assert (code, told[:40]) == ("not_in_memory", "1 of 3 sentences are not in the memory; ")
    missing = MissingSentences(memory, target="en")
    told = "1 sentences are not in the memory"
    assert refused(missing, texts) == ("not_in_memory", told)
    assert list(missing.found) == [("nl", DUTCH)]
    fake = Fake()
    for _ in range(2):
        first, second = said(MemoryInterpreter(memory, translator=fake), texts)
        assert english(DUTCH) in first
        assert second == "Dashboard"
    assert fake.texts == [DUTCH]


def test_what_was_given_before_it_failed_is_kept(memory, of):
    class Unfinished(Fake):
        def translate(self, texts, source, target):
            done = {texts[0]: english(texts[0]), texts[1]: "It is the one without."}
            raise UnfinishedError("quota", "used up", done)

    interpreter = MemoryInterpreter(memory, translator=Unfinished())
    assert refused(interpreter, of(TEXT)) == ("quota", "used up")
    assert stored(memory) == {"Opslaan": "It is the one: naalspos"}
    fake = Fake()
    MemoryInterpreter(memory, translator=fake).interpret(of(TEXT), "nl")
    assert fake.texts == ["Klik op ⟦1⟧.", "Wacht dan ⟦1⟧ tellen."]


class Once(Fake):
    """Answers once and then raises."""

    error: BaseException = TranslationError("timeout", "too long")

    def translate(self, texts, source, target):
        if self.asked:
            raise self.error
        return super().translate(texts, source, target)


def test_a_run_that_is_broken_off_keeps_the_batches_before(memory, of):
    count, fake = BATCH_TEXTS + 5, Once()
    fake.error = KeyboardInterrupt()
    numbered = of("\n\n".join(f"Wacht {'nog ' * place}even." for place in range(count)))
    with pytest.raises(KeyboardInterrupt):
        MemoryInterpreter(memory, translator=fake).interpret(numbered, "nl")
    assert len(stored(memory)) == BATCH_TEXTS
    fake = Fake()
    found = MemoryInterpreter(memory, translator=fake).interpret(numbered, "nl")
    assert (len(fake.texts), len(found.texts[0].blocks)) == (5, count)


def test_the_good_ones_are_kept_when_the_second_try_fails(memory, of):
    interpreter = MemoryInterpreter(memory, translator=Once(losing))
    texts = of("Wacht even. Klik op **Opslaan**.")
    assert refused(interpreter, texts) == ("timeout", "too long")
    assert set(stored(memory)) == {"Wacht even."}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("Click\n\n now. ", "Click now."),
        ("Cafe\u0301\u200b now.", "Café now."),
        ("Click ⟦5⟧ now.", "Click now."),
    ],
)
def test_what_stands_in_a_memory_is_made_tidy(memory, of, target, text):
    memory.add(trusted([("Klik nu.", target)]))
    assert said(MemoryInterpreter(memory), of("Klik nu."))[0].split() == text.split()


@pytest.mark.parametrize(
    ("text", "target"),
    [("Klik nu.", " \u200b"), ("Klik nu op de knop.", "..."), ("Klik nu op de knop.", "⟦1⟧")],
)
def test_an_empty_translation_is_none(memory, of, text, target):
    memory.add(trusted([(text, target)]))
    assert refused(MemoryInterpreter(memory), of(text))[0] == "not_in_memory"


def test_threads_agree_whatever_a_translator_says(memory, of):
    """A translator that never says the same twice: what the memory has first, holds."""
    counter, lock, start = iter(range(1000)), threading.Lock(), threading.Barrier(4)

    def fickle(text):
        with lock:
            return f"{english(text)} {'so ' * next(counter)}it is."

    def run(_):
        start.wait()
        return said(interpreter, texts)

    interpreter, texts = MemoryInterpreter(memory, translator=Fake(fickle)), of(TEXT)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, range(4)))
    assert found == [said(interpreter, texts)] * 4


class Broken:
    """A memory whose file was damaged after it was opened."""

    def find(self, *_):
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


def signature(interpreter, source):
    return interpreter.interpret([], source).signature


def test_signature_and_edition(memory, of):
    offline = MemoryInterpreter(memory, provider="fake")
    online = MemoryInterpreter(memory, translator=Fake())

    def both(interpreter):
        return signature(interpreter, "nl"), interpreter.edition("nl")

    before = both(offline)
    assert before[0].startswith("en:fake@")
    assert both(online) == before
    online.interpret(of("Klik nu."), "nl")
    after = both(offline)
    assert online.edition("nl") == before[1]
    memory.add(trusted([("Klik nu.", "Click now.")]))
    assert all(len(set(three)) == 3 for three in zip(before, after, both(offline), strict=True))
    assert signature(offline, "de") == signature(MemoryInterpreter(memory, provider="fake"), "de")
    assert signature(MemoryInterpreter(memory), "nl").startswith("en:memory@")
