"""The online translators that are known, as ``providers.toml`` describes them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlsplit

from klopt import shipped
from klopt.errors import ConfigurationError, TranslationReason


@dataclass(frozen=True, slots=True)
class Provider:
    """One online translator; ``providers.toml`` says what each field is."""

    name: str
    class_name: str
    address: str
    bytes_per_request: int
    seconds_between_requests: float
    several: bool
    key: Literal["none", "optional", "required"]
    key_variable: str | None = None
    region_variable: str | None = None
    free_address: str | None = None
    free_key_ending: str = ""
    languages_known: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    target_languages: Mapping[str, str] = field(default_factory=dict)
    warnings: Mapping[str, TranslationReason] = field(default_factory=dict)
    refusals: Mapping[str, TranslationReason] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """Where requests go, without the path: ``api.deepl.com``, ``localhost:5000``."""
        return urlsplit(self.address).netloc

    @property
    def label(self) -> str:
        """The translator in a message: ``deepl (api.deepl.com)``."""
        return f"{self.name} ({self.host})"

    def codes(self, source: str, target: str) -> tuple[str, str]:
        """The two languages as the translator calls them.

        >>> provider("mymemory").codes("nl", "en"), provider("deepl").codes("nl", "en")
        (('nl-NL', 'en-GB'), ('nl', 'en-US'))
        """
        targets = {**self.languages, **self.target_languages}
        return self.languages.get(source, source), targets.get(target, target)

    def reason(self, status: int, body: str) -> tuple[TranslationReason, bool]:
        """Why a request failed, and whether one with another text may do.

        >>> provider("deepl").reason(456, ""), provider("deepl").reason(413, "")
        (('quota', False), ('too_long', True))
        """
        reason: TranslationReason = _TABLE["statuses"].get(
            str(status), "server" if status >= 500 else "refused"
        )
        reason = next((why for text, why in self.refusals.items() if text in body), reason)
        of_the_text = status in _TABLE["about_the_text"]["statuses"]
        return reason, of_the_text and reason in ("refused", "too_long")


def provider(name: str) -> Provider:
    """The translator of that name; `ConfigurationError` where there is none."""
    if name not in _KNOWN:
        close = difflib.get_close_matches(name.lower(), _KNOWN, 1)
        hint = f", did you mean {close[0]!r}?" if close else ";"
        raise ConfigurationError(
            f"there is no translator {name!r}{hint} known are {', '.join(PROVIDERS)}"
        )
    return _KNOWN[name]


_TABLE: Final = shipped.table("klopt.translators", "providers.toml")
_KNOWN: Final = {name: Provider(name=name, **table) for name, table in _TABLE["provider"].items()}
PROVIDERS: Final = tuple(sorted(_KNOWN))
"""The names of all online translators."""
