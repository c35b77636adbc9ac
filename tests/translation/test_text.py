"""A translator with a cache: requested, cached, rejected and missing translations."""

import pytest

from klopt.errors import TranslationError
from klopt.translation import CachedTranslator, TranslationCache
from klopt.translation.measuring import source_text
from tests.translation.fakes import Fake, english, entries, turned_around

TEXT = "# Opslaan\n\nKlik op **Bestand**. Wacht dan 5 tellen.\n\n3\n\n```\norl go. Nu\n```\n"
DUTCH = "Ga naar de map van het dossier om dat te doen."


@pytest.fixture
def cache(tmp_path):
    with TranslationCache(tmp_path / "cache.sqlite", create=True) as opened:
        yield opened


@pytest.fixture
def of(dutch):
    """Dutch texts as a scorer passes them."""
    return lambda *texts: [source_text(dutch.read(text)) for text in texts]


def read(translator, texts):
    found = translator.translate(texts, "nl")
    return [text.text for text in found.texts], found.unmasked_count


def refused(translator, texts):
    with pytest.raises(TranslationError) as caught:
        translator.translate(texts, "nl")
    return caught.value.reason_code, str(caught.value)


def stored(cache):
    return {entry.text: entry.translation for entry in cache.entries()}


def test_sentences_are_masked_and_translated_once(cache, of):
    fake = Fake(turned_around)
    translator = CachedTranslator(cache, translator=fake)
    expected = (
        [
            "It is that: naalspos.\nIt is that: Bestand pos kilks. It is that: nellets 5 nads "
            "thcaws.\n3\norl go. Nu",
            "It is that: thcaws.",
        ],
        0,
    )
    assert read(translator, of(TEXT, "Wacht.")) == expected
    assert fake.batches == [["Opslaan", "Klik op ⟦1⟧.", "Wacht dan ⟦1⟧ tellen.", "Wacht."]]
    assert read(translator, of("Klik op **Ander**."))[0] == ["It is that: Ander pos kilks."]
    assert read(CachedTranslator(cache), of(TEXT, "Wacht.")) == expected
    assert len(fake.batches) == 1


def test_cached_sentences_are_not_requested(cache, of):
    cache.add(entries([("Klik op ⟦1⟧.", "Click ⟦1⟧."), ("Wacht op Nu.", "Wait for Nu.")]))
    fake = Fake()
    translator = CachedTranslator(cache, translator=fake)
    assert read(translator, of("Klik op **Dan**.")) == (["Click Dan."], 0)
    found = translator.translate(of("Wacht op **Nu**."), "nl")
    assert found.unmasked_count == 1
    assert [found.texts[0].text[one.start : one.end] for one in found.texts[0].copies] == ["Nu"]
    assert fake.batches == []


def test_without_a_translator_the_missing_sentences_are_reported(cache, of):
    cache.add(entries([("Klik nu.", "Click now.")]))
    texts = of("Klik nu. Wacht op **Nu**.", "Wacht op **Dan**.")
    code, message = refused(CachedTranslator(cache), texts)
    assert code == "not_in_cache"
    assert message.endswith(": 1/2, “Wacht op Nu.”")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda text: english(text.replace("⟦1⟧", "the one").replace("⟦2⟧", "the other")),
        lambda text: f"{english(text)} ⟦7⟧",
        lambda text: english(f"{text} ⟦1⟧"),
        lambda text: english(text.replace("⟦2⟧", "⟦1⟧")),
    ],
    ids=["lost", "invented", "doubled", "swapped"],
)
def test_a_sentence_with_wrong_placeholders_is_sent_unmasked(cache, of, wrong):
    fake = Fake(lambda text: wrong(text) if "⟦" in text else f"It is now the {text}")
    texts = of("Klik op **Opslaan** na 5 tellen.", "Klik nu.")
    found = CachedTranslator(cache, translator=fake).translate(texts, "nl")
    unmasked = "Klik op Opslaan na 5 tellen."
    assert fake.batches == [["Klik op ⟦1⟧ na ⟦2⟧ tellen.", "Klik nu."], [unmasked]]
    first = found.texts[0]
    assert [first.text[copy.start : copy.end] for copy in first.copies] == ["Opslaan", "5"]
    assert set(stored(cache)) == {unmasked, "Klik nu."}
    assert found.unmasked_count == 1


def fail(text):
    raise TranslationError("quota", "used up")


class TooFew(Fake):
    def translate(self, texts, source, target):
        return super().translate(texts, source, target)[:-1]


@pytest.mark.parametrize(
    ("fake", "code", "kept"),
    [
        (TooFew(), "bad_reply", 3),
        (Fake(fail), "quota", 0),
        (Fake(lambda _: " \u200b\n"), "empty", 0),
        (Fake(lambda text: "…" if text == DUTCH else english(text)), "empty", 3),
        (Fake(lambda text: text if text == DUTCH else english(text)), "wrong_language", 3),
    ],
    ids=["too few", "failure", "blank", "one blank", "untranslated"],
)
def test_valid_translations_before_a_failure_are_cached(cache, of, fake, code, kept):
    assert refused(CachedTranslator(cache, translator=fake), of(TEXT, DUTCH))[0] == code
    assert len(stored(cache)) == kept


def test_a_rejected_sentence_is_not_sent_again(cache, of):
    fake = Fake(lambda text: text if text == DUTCH else english(text))
    translator = CachedTranslator(cache, translator=fake)
    assert refused(translator, of(DUTCH)) == refused(translator, of(DUTCH))
    assert fake.texts == [DUTCH]


def test_translations_before_an_interrupt_are_cached(cache, of):
    class Interrupted(Fake):
        def translate(self, texts, source, target):
            yield english(texts[0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CachedTranslator(cache, translator=Interrupted()).translate(of("Een dag. Een week."), "nl")
    fake = Fake()
    CachedTranslator(cache, translator=fake).translate(of("Een dag. Een week."), "nl")
    assert fake.texts == ["Een week."]


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        (DUTCH, DUTCH),
        ("Klik nu.", " \u200b"),
        ("Klik nu op de knop.", "..."),
        ("Wacht op ⟦1⟧.", "Wait."),
    ],
    ids=["untranslated", "blank", "no words", "lost placeholder"],
)
def test_an_unusable_entry_counts_as_missing(cache, of, text, translation):
    cache.add(entries([(text, translation)]))
    assert refused(CachedTranslator(cache), of(text.replace("⟦1⟧", "5")))[0] == "not_in_cache"


def test_the_signature_names_translator_and_state_of_the_cache(cache, of):
    translator = CachedTranslator(cache, translator=Fake())
    before = translator.translate([], "nl").signature
    assert before == f"en:fake@{'0' * 8}"
    after = translator.translate(of("Klik nu."), "nl").signature
    assert after != before
    assert translator.translate([], "de").signature == before
    assert CachedTranslator(cache).translate([], "nl").signature == after.replace("fake", "cache")
