"""Online translators, against a scripted server on loopback."""

import json
from urllib.parse import urlsplit

import pytest

from klopt.errors import TranslationError
from klopt.translation import online_translator, translators
from klopt.translation.translators import TRANSLATORS
from tests.translation.server import TranslationServer

KEY = "orlinde-0123456789abcdefghijkl"
KEYS = {"DEEPL_API_KEY": KEY, "LIBRE_API_KEY": KEY, "MICROSOFT_API_KEY": KEY}


@pytest.fixture
def server(monkeypatch):
    """A server that receives the requests to all addresses, otherwise unchanged."""
    session = translators.session()
    send = session.send

    def to_loopback(request, **settings):
        parts = urlsplit(request.url)
        assert parts.scheme == "https" or parts.hostname == "127.0.0.1"
        is_microsoft = "microsoft" in parts.netloc and parts.path == "/translate"
        path = "/microsofttranslate" if is_microsoft else parts.path
        if parts.port != 9:
            request.url = f"{found.url}{path}{'?' + parts.query if parts.query else ''}"
        return send(request, **settings)

    monkeypatch.setattr(session, "send", to_loopback)
    monkeypatch.setattr(translators.time, "sleep", lambda _: None)
    monkeypatch.setenv("NO_PROXY", "*")
    for adapter in session.adapters.values():
        monkeypatch.setattr(adapter.max_retries, "backoff_factor", 0)
    with TranslationServer() as found:
        yield found


def translator(name, server, environment=KEYS):
    url = server.url if name == "libretranslate" else None
    return online_translator(name, environment, url=url)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_every_translator_keeps_order_and_placeholders(server, name):
    made = translator(name, server)
    found = list(made.translate(["Klik op ⟦1⟧ & <b>.", "Wacht ⟦2⟧ s."], "nl", "en"))
    assert found == ["KLIK OP ⟦1⟧ & <B>.", "WACHT ⟦2⟧ S."]
    assert "\n".join(server.texts) == "Klik op [X1X] & <b>.\nWacht [X2X] s."
    assert len(server.received) == 1


@pytest.mark.parametrize("name", ["deepl", "libretranslate", "microsoft"])
def test_no_key_and_no_text_is_in_an_address(server, name):
    list(translator(name, server).translate(["Klik nu."], "nl", "en"))
    (request,) = server.received
    assert request["method"] == "POST"
    assert KEY not in str(request["query"])
    assert "Klik" not in str(request["query"])
    header = {
        "deepl": ("authorization", f"DeepL-Auth-Key {KEY}"),
        "microsoft": ("ocp-apim-subscription-key", KEY),
    }
    if name in header:
        field_name, value = header[name]
        assert request["headers"][field_name] == value
        assert KEY not in str(request["form"])
    else:
        assert request["form"]["api_key"] == KEY


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("google", {"sl": "nl", "tl": "en"}),
        ("deepl", {"source_lang": "nl", "target_lang": "en-US"}),
        ("libretranslate", {"source": "nl", "target": "en"}),
        ("microsoft", {}),
    ],
)
def test_languages_are_named_as_the_service_names_them(server, name, codes):
    list(translator(name, server).translate(["Nu."], "nl", "en"))
    request = server.received[0]
    assert request["query"] | request["form"] == request["query"] | request["form"] | codes


def test_replies_with_another_number_of_lines_are_requested_one_by_one(server):
    server.script = [json.dumps({"translatedText": "one line"})]
    found = list(translator("libretranslate", server).translate(["Een.", "Twee."], "nl", "en"))
    assert found == ["EEN.", "TWEE."]
    assert server.texts == ["Een.\nTwee.", "Een.", "Twee."]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_temporary_failures_are_retried(server, status):
    server.script = [status, status]
    assert list(translator("libretranslate", server).translate(["Nu."], "nl", "en")) == ["NU."]
    assert len(server.received) == 3


FAILURES = {
    "too many": ([429] * 9, "rate_limited", 4),
    "failing": ([500] * 9, "server", 4),
    "quota": ([456], "quota", 1),
    "refused": ([403], "refused", 1),
    "redirect": ([302], "refused", 1),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failing_translator_gets_no_more_requests(server, kind):
    server.script, code, count = FAILURES[kind]
    made = translator("libretranslate", server)
    for _ in range(2):
        with pytest.raises(TranslationError) as caught:
            list(made.translate(["Geheim woord."], "nl", "en"))
        assert caught.value.reason_code == code
        assert KEY not in repr(caught.value)
        assert "Geheim" not in repr(caught.value)
        assert caught.value.__context__ is None
    assert len(server.received) == count


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ([413], "too_long"),
        ([501], "unsupported"),
        (["no JSON"], "bad_reply"),
        (['{"other": 1}'], "bad_reply"),
        (['{"translatedText": 5}'], "bad_reply"),
    ],
)
def test_a_failure_of_one_text_does_not_affect_the_next(server, script, code):
    server.script = script
    made = translator("libretranslate", server)
    with pytest.raises(TranslationError) as caught:
        list(made.translate(["Nu."], "nl", "en"))
    assert caught.value.reason_code == code
    assert list(made.translate(["Nu."], "nl", "en")) == ["NU."]


def test_a_silent_server_times_out(server, monkeypatch):
    monkeypatch.setattr(translators, "TIMEOUT_S", 0.2)
    server.script = ["silent"]
    with pytest.raises(TranslationError) as caught:
        list(translator("libretranslate", server).translate(["Nu."], "nl", "en"))
    assert caught.value.reason_code == "timeout"
    assert len(server.received) == 1


def test_an_unreachable_server(server):
    made = online_translator("libretranslate", {}, url="http://127.0.0.1:9")
    with pytest.raises(TranslationError) as caught:
        list(made.translate(["Nu."], "nl", "en"))
    assert caught.value.reason_code == "no_network"
