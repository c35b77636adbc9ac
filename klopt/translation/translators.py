"""Online translators: the classes of deep-translator, with timeouts, retries and placeholders."""

from __future__ import annotations

import difflib
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from klopt._internal import shipped
from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, CredentialsError, TranslationError, TranslationReason

TIMEOUT_S: Final = 20.0  # Longest wait for the connection, and for each piece of a reply
RETRIES: Final = 3  # Retries after a refused connection, too many requests or a failing server
PAUSE_S: Final = 300.0  # that a failed translator is left alone, not tried row after row

_REASONS: Final[Mapping[int, TranslationReason]] = {
    402: "quota", 408: "timeout", 413: "too_long", 414: "too_long", 429: "rate_limited",
    456: "quota", 501: "unsupported", 504: "timeout",
}  # fmt: skip
_EXCEPTIONS: Final[Mapping[str, TranslationReason]] = {
    "LanguageNotSupportedException": "unsupported",
    "NotValidLength": "too_long",
}
_ABOUT_THE_TEXT: Final = frozenset({"too_long", "unsupported", "bad_reply"})  # another may succeed
_PLACEHOLDER: Final = re.compile(r"⟦([1-9]\d{0,3})⟧", re.ASCII)
_TRAVELLED: Final = re.compile(r"[\[［]\s*[XxＸｘ]\s*(\d{1,4})\s*[XxＸｘ]\s*[\]］]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Service:
    """One online translator; ``translators.toml`` describes the fields."""

    name: str
    class_name: str
    host: str
    request_bytes: int
    seconds_between_requests: float
    key_variable: str = ""
    needs_key: bool = False
    region_variable: str = ""
    knows_languages: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    target_languages: Mapping[str, str] = field(default_factory=dict)


_SERVICES: Final = {
    name: _Service(name=name, **table)
    for name, table in shipped.table("klopt.translation", "translators.toml").items()
}
TRANSLATORS: Final = tuple(_SERVICES)  # The names of all online translators


def online_translator(
    name: str, environment: Mapping[str, str], *, url: str | None = None
) -> OnlineTranslator:
    """Return a translator that calls a server; nothing is sent before the first text.

    ``name`` is one of `TRANSLATORS`; keys are in the environment, such as ``DEEPL_API_KEY``;
    ``url`` is the address of your own LibreTranslate server, which needs no key. ConfigurationError
    for an unknown name or address, CredentialsError without a key.

    >>> online_translator("libretranslate", {}, url="http://localhost:5000").destination
    'localhost:5000'
    """
    if name not in _SERVICES:
        close = difflib.get_close_matches(name.lower(), _SERVICES, 1)
        hint = f'did you mean "{close[0]}"? Use' if close else "use"
        raise ConfigurationError(f'unknown translator "{name}"; {hint} {", ".join(TRANSLATORS)}')
    service = _SERVICES[name]
    settings: dict[str, Any] = {}
    key = environment.get(service.key_variable, "").strip() if service.needs_key else ""
    if service.needs_key:
        settings["api_key"] = key or "none"
    if url is not None:
        settings["custom_url"] = address = _address(service, url)
        service = replace(service, host=urlsplit(address).netloc, seconds_between_requests=0)
    elif service.needs_key and not key:
        own = " or give the address of your own server" if name == "libretranslate" else ""
        raise CredentialsError(
            f"{service.key_variable} is not set; put the key of {name} in it{own}"
        )
    if not key.isascii():
        raise CredentialsError(f"{service.key_variable} is not a key: it is not ASCII")
    if name in ("deepl", "libretranslate"):
        settings["use_free_api"] = name == "deepl" and key.endswith(":fx")
    if region := environment.get(service.region_variable, "").strip():
        settings["region"] = region
    with needs("translation", "an online translator needs deep-translator"):
        import deep_translator  # noqa: F401
    return OnlineTranslator(service, settings, has_key=bool(key))


def _address(service: _Service, url: str) -> str:
    if service.name != "libretranslate":
        raise ConfigurationError(
            f"{service.name} has one address; only libretranslate takes another"
        )
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "the address of a translator is http(s)://HOST[:PORT][/PATH], without user name, "
            f"password, ? or #; a key belongs in {service.key_variable}"
        )
    return url.rstrip("/").removesuffix("/translate") + "/"


class OnlineTranslator:
    """A `klopt.translation.Translator` of deep-translator; see `online_translator`.

    Safe to use from several threads, one request at a time. After a failure that another text
    would meet too, the translator is left alone for `PAUSE_S`.
    """

    def __init__(self, service: _Service, settings: Mapping[str, Any], *, has_key: bool) -> None:
        self.name, self.destination = service.name, service.host
        self._service, self._settings, self._has_key = service, settings, has_key
        self._clients: dict[tuple[str, str], Any] = {}
        self._lock = threading.Lock()
        self._next_request_s = 0.0
        self._failure: TranslationError | None = None
        self._paused_until_s = 0.0

    def translate(self, texts: Sequence[str], source: str, target: str) -> Iterator[str]:
        """Yield the translations in order; see `klopt.translation.Translator`."""
        for lines in _packed(list(map(_to_wire, texts)), self._service):
            reply = self._send("\n".join(lines), source, target)
            replies = reply.strip().splitlines() if len(lines) > 1 else [reply]
            if len(replies) != len(lines):
                replies = [self._send(line, source, target) for line in lines]
            yield from map(_from_wire, replies)

    def _send(self, text: str, source: str, target: str) -> str:
        with self._lock:
            if self._failure is not None and time.monotonic() < self._paused_until_s:
                raise TranslationError(self._failure.reason_code, self._failure.message)
            time.sleep(max(0.0, self._next_request_s - time.monotonic()))
            self._next_request_s = time.monotonic() + self._service.seconds_between_requests
            try:
                reply = self._client(source, target).translate(text)
                if reply is not None and not isinstance(reply, str):
                    raise TranslationError("bad_reply", f"{self.destination} sent no text")
                return reply or ""
            except TranslationError as error:
                failure = error.with_traceback(None)
            except Exception as error:
                # Exceptions of deep-translator quote keys and texts: none is raised or chained.
                kind = type(error).__name__
                reason = _EXCEPTIONS.get(kind, "bad_reply")
                failure = TranslationError(reason, f"{self.destination} failed: {kind}")
            if failure.reason_code not in _ABOUT_THE_TEXT:
                self._failure, self._paused_until_s = failure, time.monotonic() + PAUSE_S
        raise failure

    def _client(self, source: str, target: str) -> Any:  # noqa: ANN401 (deep-translator is untyped)
        if (source, target) in self._clients:
            return self._clients[source, target]
        import deep_translator

        service = self._service
        kind = getattr(deep_translator, service.class_name)
        # deep-translator calls `requests.get` and `post`, which have no timeout; in its module the
        # name `requests` stands for a session that has one.
        sys.modules[kind.__module__].requests = session()  # type: ignore[attr-defined]
        targets = {**service.languages, **service.target_languages}
        codes = service.languages.get(source, source), targets.get(target, target)
        if service.knows_languages:
            made = kind(source=codes[0], target=codes[1], **self._settings)
        else:
            made = kind(**self._settings)
            made.source, made.target = codes
        if service.needs_key and not self._has_key:
            made.api_key = ""  # deep-translator demands a key even for a server without one
        return self._clients.setdefault((source, target), made)


@cache
def session() -> Any:  # noqa: ANN401 (imported late)
    """Return the HTTP session of all translators: timeouts, retries, no redirects.

    It keeps keys and texts out of addresses, which servers and proxies log: DeepL's key moves to
    the header that its API demands, and form parameters move to the body.
    """
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util import Retry

    class Session(requests.Session):
        exceptions = requests.exceptions  # as in the module `requests`

        def request(self, method: str, url: str, *, params: Any = None, **settings: Any) -> Any:  # type: ignore[override]  # noqa: ANN401
            headers = dict(settings.pop("headers", None) or {})
            if params and "auth_key" in params:
                headers["Authorization"] = f"DeepL-Auth-Key {params['auth_key']}"
                method = "POST"
                params = {name: one for name, one in params.items() if name != "auth_key"}
            if method == "POST" and settings.get("json") is None:
                settings["data"], params = params, None
            settings |= {"timeout": TIMEOUT_S, "allow_redirects": False, "headers": headers}
            host = urlsplit(url).netloc
            reason: TranslationReason
            try:
                response = super().request(method, url, params=params, **settings)
            except requests.Timeout:
                reason, what = "timeout", f"no reply within {TIMEOUT_S:g} s"
            except requests.ConnectionError as error:
                reason, what = "no_network", type(error).__name__
            except requests.RequestException as error:
                reason, what = "server", type(error).__name__
            else:
                status = response.status_code
                if 200 <= status < 300:
                    return response
                reason = _REASONS.get(status, "server" if status >= 500 else "refused")
                what = f"status {status}"
            raise TranslationError(reason, f"{host}: {what}")

    made = Session()
    retry = Retry(
        RETRIES,
        read=False,
        redirect=False,
        status_forcelist=(429, 500, 502, 503),
        allowed_methods=None,
        backoff_factor=0.5,
        raise_on_status=False,
        respect_retry_after_header=False,
    )
    for scheme in ("http://", "https://"):
        made.mount(scheme, HTTPAdapter(max_retries=retry))
    return made


def _packed(lines: Sequence[str], service: _Service) -> Iterator[list[str]]:
    """Yield lines that travel in one request."""
    batch: list[str] = []
    for line in lines:
        if batch and len("\n".join([*batch, line, ""]).encode()) > service.request_bytes:
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch


def _to_wire(text: str) -> str:
    """Return the text on one line with placeholders that translators leave alone.

    Translators translate words in braces and reformat ⟦1⟧; Weblate sends [X1X] too.

    >>> _to_wire("Klik op ⟦1⟧.")
    'Klik op [X1X].'
    """
    return _PLACEHOLDER.sub(r"[X\1X]", " ".join(_SURROGATE.sub("\ufffd", text).split()))


def _from_wire(text: str) -> str:
    """Return the text with its placeholders as klopt writes them.

    >>> _from_wire("Click [x 1X ]."), _from_wire("Click [1] or (X1X).")
    ('Click ⟦1⟧.', 'Click [1] or (X1X).')
    """
    return _TRAVELLED.sub(lambda match: f"⟦{int(match[1])}⟧", text)
