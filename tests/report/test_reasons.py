"""The page has words for every reason why a text was not translated."""

from __future__ import annotations

from typing import get_args

from klopt.errors import TranslationReason
from klopt.report.wording import texts


def test_every_reason_has_words_of_its_own():
    words = texts()["untranslated"]
    assert set(get_args(TranslationReason)) <= set(words)
    assert len(set(words.values())) == len(words)
