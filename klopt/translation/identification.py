"""Which language a text is in, of many more than klopt has words of: asked of py3langid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import regex

from klopt.extras import needs

LANGUAGES: Final = (
    *("bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv"),
    *("nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk"),
)
"""Those that are told apart, all of Latin, Greek or Cyrillic script."""
SURE_FROM: Final = 0.5
"""Below this chance none is named."""
MOST_CHARS: Final = 2_000
"""So much of a text is looked at."""

_LETTER: Final = regex.compile(r"\p{L}")
_READ: Final = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}]")


def identified(texts: Sequence[str]) -> str | None:
    """The language of some texts together, one of `LANGUAGES`; None where that is not sure.

    Raises:
        ExtraMissingError: py3langid is not installed.

    >>> identified(["Jak zmienić hasło?", "Kliknij przycisk Zmień hasło."])
    'pl'
    >>> identified(["LN-2047 15"]), identified(["كيف أغير كلمة المرور؟"])
    (None, None)
    """
    text = "\n".join(texts)[:MOST_CHARS]
    letters = "".join(_LETTER.findall(text))
    if 2 * len(_READ.findall(letters)) <= len(letters):
        return None
    language, chance = _classifier()(text)
    return language if chance >= SURE_FROM else None


@cache
def _classifier() -> Callable[[str], tuple[str, float]]:
    with needs("languages", "telling other languages apart needs py3langid"):
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    classify: Callable[[str], tuple[str, float]] = identifier.classify
    return classify
