"""The online translators that are known, as ``providers.toml`` describes them."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, cast
from urllib.parse import urlsplit

from klopt.errors import ConfigurationError, TranslationReason
from klopt.translators.wire import Mark

KeyUse = Literal["none", "optional", "required"]


@dataclass(frozen=True, slots=True)
class Provider:
    """One online translator; ``providers.toml`` says what each field is."""

    name: str
    class_name: str
    address: str
    bytes_per_request: int
    seconds_between_requests: float
    several: bool
    key: KeyUse
    mark: Mark
    key_variable: str | None = None
    region_variable: str | None = None
    free_address: str | None = None
    free_key_ending: str | None = None
    own_server: bool = False
    languages_known: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    target_languages: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[tuple[str, TranslationReason], ...] = ()
    refusals: tuple[tuple[str, TranslationReason], ...] = ()

    @property
    def host(self) -> str:
        """Where requests go, without the path: ``api.deepl.com``, ``localhost:5000``."""
        parts = urlsplit(self.address)
        return parts.netloc.rpartition("@")[2]

    def codes(self, source: str, target: str) -> tuple[str, str]:
        """The two languages as the translator calls them.

        >>> provider("mymemory").codes("nl", "en")
        ('nl-NL', 'en-GB')
        >>> provider("deepl").codes("nl", "en")
        ('nl', 'en-US')
        """
        targets = {**self.languages, **self.target_languages}
        return self.languages.get(source, source), targets.get(target, target)


def provider(name: str) -> Provider:
    """The translator of that name.

    Raises:
        ConfigurationError: There is none.

    >>> provider("googel")
    Traceback (most recent call last):
    klopt.errors.ConfigurationError: there is no translator 'googel', did you mean 'google'? known \
are deepl, google, libretranslate, microsoft, mymemory
    """
    known = _providers()
    if name not in known:
        close = difflib.get_close_matches(name.lower(), known, 1)
        hint = f", did you mean {close[0]!r}?" if close else ";"
        raise ConfigurationError(
            f"there is no translator {name!r}{hint} known are {', '.join(sorted(known))}"
        )
    return known[name]


def status_reason(status: int) -> TranslationReason:
    """Why a request failed, by its HTTP status.

    >>> status_reason(456), status_reason(403), status_reason(502)
    ('quota', 'refused', 'server')
    """
    named = _table()["statuses"].get(str(status))
    return cast(TranslationReason, named or ("server" if status >= 500 else "refused"))


def is_about_the_text(status: int) -> bool:
    """Whether a request with another text may do."""
    return status in _table()["about_the_text"]["statuses"]


@cache
def _providers() -> dict[str, Provider]:
    return {name: _provider(name, table) for name, table in _table()["provider"].items()}


def _provider(name: str, table: Mapping[str, Any]) -> Provider:
    fields = {key: value for key, value in table.items() if key != "class"}
    for key in ("warnings", "refusals"):
        fields[key] = tuple((one["text"], one["reason"]) for one in fields.get(key, ()))
    fields["mark"] = Mark(**fields["mark"])
    return Provider(name=name, class_name=table["class"], **fields)


@cache
def _table() -> dict[str, Any]:
    text = resources.files("klopt.translators").joinpath("providers.toml").read_text("utf-8")
    return tomllib.loads(text)


PROVIDERS: Final = tuple(sorted(_providers()))
"""The names of all online translators."""
