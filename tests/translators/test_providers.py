from __future__ import annotations

import pytest
from deep_translator.constants import MY_MEMORY_LANGUAGES_TO_CODES

from klopt.errors import ConfigurationError
from klopt.translators.providers import PROVIDERS, provider


def test_the_names():
    assert PROVIDERS == ("deepl", "google", "libretranslate", "microsoft", "mymemory")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Google", "there is no translator 'Google', did you mean 'google'? known are "),
        ("mymemry", "there is no translator 'mymemry', did you mean 'mymemory'? known are "),
        ("bing", "there is no translator 'bing'; known are "),
    ],
)
def test_a_name_that_is_not_there(name, message):
    with pytest.raises(ConfigurationError) as caught:
        provider(name)
    assert str(caught.value) == message + "deepl, google, libretranslate, microsoft, mymemory"


def test_languages_of_mymemory_are_those_of_its_class():
    codes = set(provider("mymemory").languages.values())
    assert codes <= set(MY_MEMORY_LANGUAGES_TO_CODES.values())


@pytest.mark.parametrize("name", PROVIDERS)
def test_each_is_whole(name):
    one = provider(name)
    assert one.address.startswith("https://")
    assert 0 < one.bytes_per_request < 5_000
    assert one.seconds_between_requests > 0
    assert (one.key == "none") == (one.key_variable is None)
