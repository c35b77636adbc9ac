"""Translation: translators, a cache of translations, and evidence that points into the original."""

from klopt.translation.cache import CacheEntry, TranslationCache
from klopt.translation.measuring import Translate
from klopt.translation.text import CachedTranslator, Translator
from klopt.translation.translators import online_translator

__all__ = [
    "CacheEntry",
    "CachedTranslator",
    "Translate",
    "TranslationCache",
    "Translator",
    "online_translator",
]
