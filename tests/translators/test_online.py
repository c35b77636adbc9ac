from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.errors import ConfigurationError, CredentialsError, ExtraMissingError, TranslationError
from klopt.extras import install
from klopt.models.door import THREAD
from klopt.models.retrying import Patience
from klopt.translators.clients import Access
from klopt.translators.online import PROVIDERS, OnlineTranslator, online_translator
from klopt.translators.providers import provider
from tests.growth.growing import assert_linear
from tests.models.server import (
    FakeClock,
    bomb,
    drips,
    floods,
    hangs_up,
    redirects,
    sends,
    sends_bytes,
    status,
)
from tests.translators.server import KEY, PATHS, TranslationServer, quotes_everything, says

ENGLISH = {
    "Klik op [X1X].": "Click [X1X].",
    "Wacht even.": "Wait a moment.",
    "Sluit de app.": "Close the app.",
}
SECRET = " ".join(("Geheime", "tekst."))
"""Put together, so that no line of code in a traceback holds it."""


def libre(server, time=None, *, timeout_seconds=5.0, tries=3):
    return online_translator(
        "libretranslate",
        {},
        url=server.url,
        clock=(time or FakeClock()).clock,
        timeout_seconds=timeout_seconds,
        patience=Patience(tries=tries),
    )


def at(server, name, *, region=None):
    found = server.provider(name, 0.0)
    access = Access(found, None if found.key == "none" else KEY, region)
    return OnlineTranslator(access, 5.0, Patience(tries=2), FakeClock().clock)


def failure(translator, texts=("Wacht even.",), source="nl"):
    with pytest.raises(TranslationError) as caught:
        translator.translate(list(texts), source, "en")
    return caught.value


def test_texts_travel_together_and_come_back_in_order():
    texts = ["Wacht even.", "Klik op ⟦1⟧.", "Wacht even.", "⟦1⟧", "Sluit de app."]
    with TranslationServer(ENGLISH) as server:
        found = libre(server).translate(texts, "nl", "en")
    assert found == ["Wait a moment.", "Click ⟦1⟧.", "Wait a moment.", "⟦1⟧", "Close the app."]
    assert server.texts == ["Wacht even.\nKlik op [X1X].\nSluit de app."]
    assert "api_key" not in server.asked[0].body


def test_nothing_is_asked_for_nothing():
    with TranslationServer() as server:
        translator = libre(server)
        assert translator.translate([], "nl", "en") == []
        assert translator.translate(["⟦1⟧ – 2"], "nl", "en") == ["⟦1⟧ – 2"]
        assert translator.translate(["Wacht even."], "en", "en") == ["Wacht even."]
    assert server.asked == []


@pytest.mark.parametrize("reply", ["one", "one\ntwo\nthree", "one\n\n"])
def test_another_number_of_lines_is_asked_one_by_one(reply):
    with TranslationServer(script=[says(reply)]) as server:
        assert libre(server).translate(["een", "twee"], "nl", "en") == ["EEN", "TWEE"]
    assert server.texts == ["een\ntwee", "een", "twee"]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab1 .[]⟦⟧\n"), max_size=12), max_size=8))
def test_any_texts_keep_order_and_number(texts):
    with TranslationServer(lambda line: line) as server:
        found = libre(server).translate(texts, "nl", "en")
    assert [text.split() for text in found] == [text.split() for text in texts]


FAILURES = {
    "429": (status(429), "rate_limited", "answered 429 (3 tries)", 3),
    "403": (status(403), "refused", "answered 403", 1),
    "502": (status(502), "server", "answered 502 (3 tries)", 3),
    "400": (status(400), "refused", "answered 400", 1),
    "413": (status(413), "too_long", "answered 413", 1),
    "language": (status(400, message="nl is not supported"), "unsupported", "answered 400", 1),
    "hang up": (hangs_up(), "server", "was cut off (3 tries)", 3),
    "no JSON": (sends_bytes(b"<html>"), "bad_reply", "JSONDecodeError", 1),
    "other": (sends({"text": "x"}), "bad_reply", "KeyError", 1),
    "nothing": (sends({}), "bad_reply", "TranslationNotFound", 1),
    "deep": (sends_bytes(b"[" * 100_000), "bad_reply", "RecursionError", 1),
    "null": (sends({"translatedText": None}), "empty", "sent an empty translation", 1),
    "empty": (sends({"translatedText": ""}), "empty", "sent an empty translation", 1),
    "large": (floods(), "bad_reply", "is larger than 2,000,000 bytes", 1),
    "packed": (bomb(), "bad_reply", "packed its reply unasked", 1),
}


@pytest.mark.parametrize(
    ("behaviour", "reason", "ending", "requests"), FAILURES.values(), ids=FAILURES
)
def test_each_failure_has_its_reason(behaviour, reason, ending, requests):
    with TranslationServer(script=[behaviour] * 9) as server:
        host = server.url.removeprefix("http://")
        found = failure(libre(server))
    assert found.reason_code == reason
    assert f"libretranslate ({host}) " in str(found)
    assert str(found).endswith(ending)
    assert len(server.asked) == requests


def test_a_slow_server_is_given_up():
    with TranslationServer(script=[drips()] * 2) as server:
        found = failure(libre(server, timeout_seconds=0.2, tries=2))
        assert THREAD not in [thread.name for thread in threading.enumerate()]
    assert found.reason_code == "timeout"
    assert str(found).endswith("was not done within 0.2 s (2 tries)")


@pytest.mark.parametrize("name", PROVIDERS)
def test_no_key_and_no_text_follows_a_redirect(name):
    with TranslationServer() as elsewhere:
        script = [redirects(f"{elsewhere.url}{PATHS[name]}", 302)]
        with TranslationServer(script=script) as server:
            found = failure(at(server, name))
        assert elsewhere.asked == []
    assert found.reason_code == "refused"
    assert str(found).endswith("answered 302: it redirects; is its address right?")


@pytest.mark.parametrize("shape", ["<a", "<!--", "</", "<div>", "&#9", 'class="t0">'])
def test_a_page_of_google_is_read_in_one_pass(shape):
    """A parser of trees took 34 s for 200,000 characters of the first."""

    def read(page: bytes) -> None:
        with TranslationServer(script=[sends_bytes(page)]) as server:
            assert failure(at(server, "google")).reason_code == "bad_reply"

    assert_linear(lambda size: (shape * size)[:size].encode(), 1_900_000, google=read)


@pytest.mark.parametrize(
    "page",
    [
        '<div class="result-container">Click &amp; <b>wait</b>.</div><div>more</div>',
        '<form></form><div dir="ltr" class="t0"> Click &amp; wait.\n</div>',
    ],
)
def test_what_stands_in_a_page_of_google(page):
    with TranslationServer(script=[sends_bytes(page.encode())]) as server:
        assert at(server, "google").translate(["Klik en wacht."], "nl", "en") == ["Click & wait."]


def test_a_closed_port_is_no_network():
    with TranslationServer() as server:
        translator = libre(server, tries=1)
    found = failure(translator)
    assert found.reason_code == "no_network"
    assert str(found).endswith(" cannot be reached: All connection attempts failed")


def test_too_many_requests_and_then_fine():
    time = FakeClock()
    with TranslationServer(script=[status(429, {"Retry-After": "7"})]) as server:
        assert libre(server, time).translate(["een"], "nl", "en") == ["EEN"]
    assert time.slept == [7.0]


def test_requests_are_kept_apart_over_batches():
    time = FakeClock()
    with TranslationServer() as server:
        access = Access(server.provider("google", 3.0))
        translator = OnlineTranslator(access, 5.0, Patience(tries=1), time.clock)
        for text in ("een", "twee", "drie"):
            translator.translate([text], "nl", "en")
    assert time.slept == [3.0, 3.0]


@pytest.mark.parametrize("code", [402, 403])
def test_a_spent_quota_or_refused_key_is_not_asked_again(code, caplog):
    time = FakeClock()
    with TranslationServer(script=[status(code)]) as server:
        translator = libre(server, time)
        first = failure(translator)
        time.at += 10_000_000
        second = failure(translator)
    assert (second.reason_code, str(second)) == (
        first.reason_code, f"{first}; not asked again for now"
    )  # fmt: skip
    assert len(server.asked) == 1
    assert caplog.messages == [
        f"translator libretranslate: {first.reason_code}; it is not asked any more"
    ]


def test_a_dead_server_is_left_alone_for_five_minutes():
    time = FakeClock()
    with TranslationServer(script=[status(500)] * 3) as server:
        translator = libre(server, time)
        failure(translator)
        time.at += 299
        assert str(failure(translator)).endswith("not asked again for now")
        assert len(server.asked) == 3
        time.at += 1
        assert translator.translate(["een"], "nl", "en") == ["EEN"]


def test_only_bad_replies_in_a_row_are_a_wrong_server():
    odd = sends_bytes(b"<html>")
    script = [odd, odd, says("EEN"), *[odd] * 4]
    with TranslationServer(script=script) as server:
        translator = libre(server)
        for _ in range(6):
            with suppress(TranslationError):
                translator.translate(["een"], "nl", "en")
        assert str(failure(translator)).endswith("not asked again for now")
    assert len(server.asked) == 6


def test_a_text_that_is_refused_does_not_stop_the_others():
    def behave(exchange):
        bad = "slecht" in exchange.received.text
        (status(400) if bad else says(exchange.received.text.upper()))(exchange)

    with TranslationServer(script=[behave] * 9) as server:
        found = failure(libre(server), ["een", "slecht", "twee"])
    assert found.reason_code == "refused"
    assert found.done == {"een": "EEN", "twee": "TWEE"}


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("code", [200, 400, 401, 403, 500])
def test_no_failure_quotes_a_key_or_a_text(name, code, caplog):
    caplog.set_level(logging.DEBUG)
    with TranslationServer(script=[quotes_everything(code)] * 5) as server:
        translator = at(server, name)
        found = failure(translator, [SECRET])
    told = "".join(traceback.format_exception(found))
    error = found
    while error is not None:
        told += repr(error) + str(error.args)
        error = error.__context__ or error.__cause__
    told += repr(translator) + caplog.text
    for secret in (KEY, KEY[:12], SECRET, SECRET.split()[0]):
        assert secret not in told


@pytest.mark.parametrize("name", [name for name in PROVIDERS if provider(name).key != "none"])
def test_a_translation_that_quotes_the_key_is_none(name):
    with TranslationServer(script=[says(f"The key {KEY} is fine.")]) as server:
        found = failure(at(server, name))
    assert found.reason_code == "bad_reply"
    assert str(found).endswith("sent a reply that cannot be used: it quotes the key")
    assert found.done == {}


REGION = {"ocp-apim-subscription-key": KEY, "ocp-apim-subscription-region": "westeurope"}


@pytest.mark.parametrize(
    ("name", "languages", "headers"),
    [
        ("google", {"sl": "nl", "tl": "en"}, {}),
        (
            "deepl",
            {"source_lang": "NL", "target_lang": "EN-US"},
            {"authorization": f"DeepL-Auth-Key {KEY}"},
        ),
        ("libretranslate", {"source": "nl", "target": "en", "api_key": KEY}, {}),
        ("microsoft", {"from": "nl", "to": "en"}, REGION),
        ("mymemory", {"langpair": "nl-NL|en-GB"}, {}),
    ],
)
def test_each_provider_in_its_own_words(name, languages, headers):
    region = "westeurope" if headers is REGION else None
    with TranslationServer(ENGLISH) as server:
        translator = at(server, name, region=region)
        found = translator.translate(["Klik op ⟦1⟧.", "Wacht even."], "nl", "en")
    assert found == ["Click ⟦1⟧.", "Wait a moment."]
    assert len(server.asked) == (2 if name == "mymemory" else 1)
    asked = server.asked[0]
    assert asked.dialect == name
    assert KEY not in "".join(asked.query.values())
    fields = asked.body if name in ("deepl", "libretranslate") else asked.query
    assert languages.items() <= fields.items()
    assert headers.items() <= asked.headers.items()


QUOTA = "MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY. NEXT AVAILABLE IN  9"


@pytest.mark.parametrize(
    ("name", "behaviour", "reason"),
    [
        ("google", sends_bytes(b"<html>are you a robot?</html>"), "bad_reply"),
        ("google", sends_bytes(b'<div class="result-container"></div>'), "empty"),
        ("deepl", status(456), "quota"),
        ("deepl", sends({"translations": []}), "bad_reply"),
        ("deepl", status(400, message="Value for 'source_lang' not supported."), "unsupported"),
        ("mymemory", says(QUOTA), "quota"),
        ("mymemory", status(429, message=QUOTA), "quota"),
        ("mymemory", sends({"responseData": None}), "bad_reply"),
        ("mymemory", sends({"responseData": {"translatedText": None}}), "bad_reply"),
        ("mymemory", says("INVALID LANGUAGE PAIR SPECIFIED. EXAMPLE: EN|IT"), "unsupported"),
        ("microsoft", status(403, message="403001: quota"), "quota"),
        ("microsoft", status(400, message="400036"), "unsupported"),
        ("microsoft", sends([]), "bad_reply"),
        ("microsoft", sends("x"), "empty"),
    ],
)
def test_what_each_provider_fails_with(name, behaviour, reason):
    with TranslationServer(script=[behaviour] * 3) as server:
        assert failure(at(server, name)).reason_code == reason


def test_a_language_that_a_provider_does_not_have():
    with TranslationServer() as server:
        found = failure(at(server, "google"), source="xx")
    host = server.url.removeprefix("http://")
    assert (found.reason_code, str(found)) == ("unsupported", f"google ({host}) does not have 'xx'")
    assert server.asked == []


def test_many_threads_at_once():
    texts = [[f"tekst{number}", "samen"] for number in range(12)]
    with TranslationServer() as server, ThreadPoolExecutor(12) as pool:
        translator = libre(server)
        found = list(pool.map(lambda two: translator.translate(two, "nl", "en"), texts))
    assert found == [[text.upper() for text in two] for two in texts]


@pytest.mark.parametrize(
    ("name", "environment", "url", "host"),
    [
        ("google", {}, None, "translate.google.com"),
        ("mymemory", {}, None, "api.mymemory.translated.net"),
        ("deepl", {"DEEPL_API_KEY": KEY}, None, "api.deepl.com"),
        ("deepl", {"DEEPL_API_KEY": f"{KEY}:fx"}, None, "api-free.deepl.com"),
        ("microsoft", {"MICROSOFT_API_KEY": KEY}, None, "api.cognitive.microsofttranslator.com"),
        ("libretranslate", {"LIBRE_API_KEY": KEY}, None, "libretranslate.com"),
        ("libretranslate", {}, "http://orlinde:5000/mt/translate", "orlinde:5000"),
    ],
)
def test_where_texts_go(name, environment, url, host):
    translator = online_translator(name, environment, url=url)
    assert (translator.name, translator.destination) == (name, host)


def test_the_address_of_an_own_server_below_a_folder():
    with TranslationServer() as server:
        translator = online_translator("libretranslate", {}, url=f"{server.url}/mt/translate")
        translator.translate(["een"], "nl", "en")
    assert server.asked[0].path == "/mt/translate"


OWN_SERVER = "put the key of libretranslate in it, or give the address of your own server"
MICROSOFT = {"MICROSOFT_API_KEY": KEY, "MICROSOFT_API_REGION": "west europe"}


@pytest.mark.parametrize(
    ("name", "environment", "url", "told"),
    [
        ("deepl", {}, None, "DEEPL_API_KEY is not set; put the key of deepl in it"),
        ("libretranslate", {}, None, OWN_SERVER),
        ("google", {}, "http://localhost:5000", "google has one address; only libretranslate"),
        ("libretranslate", {}, "localhost:5000", "begins with http:// or https://"),
        ("libretranslate", {}, "http://[", "begins with http:// or https://"),
        ("libretranslate", {}, "http://me:secret@localhost", "must not hold a user name"),
        ("libretranslate", {}, "http://localhost/?key=a", "must not hold a user name"),
        ("microsoft", MICROSOFT, None, "MICROSOFT_API_REGION does not hold a key"),
    ],
)
def test_what_cannot_be_configured(name, environment, url, told):
    with pytest.raises(ConfigurationError, match=re.escape(told)) as caught:
        online_translator(name, environment, url=url)
    assert "secret" not in str(caught.value)


def test_keys_come_from_the_mapping_alone(monkeypatch):
    monkeypatch.setenv("DEEPL_API_KEY", KEY)
    with pytest.raises(CredentialsError):
        online_translator("deepl", {})


def test_a_time_out_is_above_0():
    with pytest.raises(ValueError, match="timeout_seconds is above 0, not 0"):
        online_translator("google", {}, timeout_seconds=0)


@pytest.mark.parametrize("missing", ["deep_translator", "httpx"])
def test_the_extra_is_not_there(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ExtraMissingError) as caught:
        online_translator("google", {})
    assert str(caught.value) == (
        "asking an online translator needs deep-translator and httpx; install with: "
        + install("translation")
    )
