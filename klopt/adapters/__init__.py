"""klopt in the bots and evaluations that people have: one module for each package, by its name.

Each takes a `Scorer`, makes a `Turn` of what its package hands over, and says in that package's own
words what came of it. Nothing is imported here but klopt; a module imports its package, and only
what the verdict is ``send`` for passes unless told otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from klopt.errors import ExtraMissingError, RecordError
from klopt.records import Page, Turn

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.scorer import Scorer

__all__ = ["assess", "assess_async", "needs", "page_of", "to_share", "turn_of"]

_TEXTS: Final = ("page_content", "content", "text")
_ABOUT: Final = ("metadata", "meta")
_NAMES: Final = ("source", "url", "title", "doc_uri", "file_path", "id")


@contextmanager
def needs(extra: str, package: str) -> Iterator[None]:
    """Around the imports of a package that may not be there.

    Raises:
        ExtraMissingError: It is not there, or it is too old; the message names the extra.
    """
    try:
        yield
    except ImportError as error:
        raise ExtraMissingError(
            f"klopt's adapter needs {package} ({error}); "
            f"install it with: pip install 'klopt[{extra}]'"
        ) from error


def page_of(document: object, number: int = 1) -> Page:
    """A page of a document as any of the packages has it.

    Args:
        document: A text, a `Page`, or a mapping or object with a text (``page_content``,
            ``content`` or ``text``) and perhaps what is known of it (``metadata`` or ``meta``).
        number: Its place among the documents, from 1, for one that has no name.

    Returns:
        The page, by the name under which people know it: its source, url, title or file; its own
        id only where there is none of these, since that is often of a chunk.

    Raises:
        RecordError: There is no text.

    >>> page_of({"page_content": "Klik op **Wifi**.", "metadata": {"source": "wifi.md"}}).id
    'wifi.md'
    >>> page_of("Klik op **Wifi**.", 2).id
    'context-2'
    """
    if isinstance(document, Page):
        return document
    if isinstance(document, str):
        return Page(document, id=f"context-{number}")
    has = document if isinstance(document, Mapping) else _attributes(document)
    about = next((has[key] for key in _ABOUT if isinstance(has.get(key), Mapping)), {})
    text = next((has[key] for key in _TEXTS if isinstance(has.get(key), str)), None)
    if text is None:
        raise RecordError(f"document {number} has no text; it may stand in {', '.join(_TEXTS)}")
    known = {key: str(one) for key in _NAMES if (one := about.get(key) or has.get(key))}
    name = next(iter(known.values()), f"context-{number}")
    return Page(text, id=name, title=known.get("title"), url=known.get("url"))


def turn_of(question: object, answer: object, documents: object) -> Turn:
    """A turn of what a package hands over; nothing is an empty text, or no documents.

    Raises:
        RecordError: A text is none, or a document cannot be read.

    >>> turn_of("Kan dat?", None, "Dat kan.").pages[0].text
    'Dat kan.'
    """
    many = [documents] if isinstance(documents, str | Mapping | Page) else documents or ()
    if not isinstance(many, Iterable):
        raise RecordError(f"documents are {type(many).__name__}, not a list")
    pages = [page_of(document, number) for number, document in enumerate(many, 1)]
    said: Any = ["" if text is None else text for text in (question, answer)]
    return Turn(*said, pages)


def assess(scorer: Scorer, question: object, answer: object, documents: object) -> Assessment:
    """The assessment of what a package hands over; what cannot be read is ``unscored``.

    >>> from klopt import Scorer
    >>> assess(Scorer.load(), "Hoe zet ik wifi uit?", "Klik op **Turbo**.", [7]).verdict
    'unscored'
    """
    try:
        return scorer.score(turn_of(question, answer, documents))
    except RecordError as error:
        return scorer.refuse("", str(error))


async def assess_async(
    scorer: Scorer, question: object, answer: object, documents: object
) -> Assessment:
    """The same without holding up the loop."""
    return await asyncio.to_thread(assess, scorer, question, answer, documents)


def to_share(score: float | None) -> float | None:
    """A score from 1 to 5 as other tools count, from 0 to 1; None where there is none.

    >>> to_share(1.0), to_share(3.0), to_share(None)
    (0.0, 0.5, None)
    """
    return None if score is None else (score - 1) / 4


def _attributes(document: object) -> Mapping[str, Any]:
    return {key: getattr(document, key, None) for key in (*_TEXTS, *_ABOUT, *_NAMES)}
