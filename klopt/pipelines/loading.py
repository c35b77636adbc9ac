"""Loading a pipeline, once a process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from klopt.errors import PipelineError
from klopt.pipelines.inventory import PipelineInfo, find

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["load"]

_NEEDED: Final = {
    "parser": ("parser",),
    "part-of-speech tagger": ("morphologizer", "tagger"),
    "lemmatizer": ("lemmatizer", "trainable_lemmatizer"),
}


def load(language: str, name: str | None = None) -> Language:
    """The pipeline that was named, and never another one.

    A pipeline is loaded once a process and shared: do not add components to it.

    Args:
        language: ISO 639-1 code: ``nl``, ``en``.
        name: ``klopt`` or None for the bundled pipeline; else an installed spaCy pipeline package,
            such as ``nl_core_news_sm``.

    Raises:
        UnknownLanguageError: No pipeline is bundled for the language.
        PipelineError: The package is not installed, is for another language, or lacks a parser,
            tagger or lemmatizer.

    >>> document = load("nl")("De wijziging wordt opgeslagen.")
    >>> [word.text for word in document if word.dep_ == "nsubj:pass"]
    ['wijziging']
    >>> load("nl", "nl_core_news_xx")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    klopt.errors.PipelineError: pipeline "nl_core_news_xx" is not installed; ...
    """
    return _load(find(language, name))


@cache
def _load(info: PipelineInfo) -> Language:
    import spacy

    from klopt.pipelines import lemma_rules  # noqa: F401 - registers the factory

    # The bundled ones' tokenizer is spaCy's own for the language, which is there already; reading
    # it from its file would make its hundreds of special cases again, for half a second.
    nlp = spacy.load(info.path, exclude=["tokenizer"] if info.bundled else [])
    missing = [
        what for what, pipes in _NEEDED.items() if not any(pipe in nlp.pipe_names for pipe in pipes)
    ]
    if missing:
        raise PipelineError(
            f'pipeline "{info.name}" has no {" and no ".join(missing)}; '
            f"it has {', '.join(nlp.pipe_names) or 'no components'}"
        )
    return nlp
