"""klopt in bot and evaluation frameworks: one module per framework, with its name.

Each module calls `assess` or `assess_async` with question, answer and documents in the terms of its
framework, and accepts only the verdict ``send`` unless configured otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from klopt.errors import ConfigurationError, RecordError
from klopt.scoring.tree import Verdict
from klopt.types import Context, Page, Turn, field_of

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.scorer import Scorer

Next = TypeVar("Next")

_TEXTS: Final = ("page_content", "content", "text")
_METADATA: Final = ("metadata", "meta")
_NAMES: Final = ("source", "url", "title", "doc_uri", "file_path", "file_name", "id")


def page_of(document: object, number: int) -> Context:
    """Convert a framework's document to a context of a `Turn`.

    It is a text, a `Page`, or a mapping or object with a text (``page_content``, ``content`` or
    ``text``; else a RecordError) and perhaps ``metadata`` or ``meta``. The page is named after its
    source, url, title or file; else after its id, which is often that of a chunk; else
    ``context-NUMBER``. A mapping without metadata is returned as it is.

    >>> page_of({"page_content": "Klik op **Wifi**.", "metadata": {"source": "wifi.md"}}, 1).id
    'wifi.md'
    """
    if isinstance(document, str):
        return Page(document, id=f"context-{number}")
    if isinstance(document, Page):
        return document
    if isinstance(document, Mapping):
        fields = document
    else:
        fields = {key: getattr(document, key, None) for key in (*_TEXTS, *_METADATA, "id")}
    found = (value for key in _METADATA if isinstance(value := fields.get(key), Mapping))
    metadata: Mapping[str, Any] = next(found, {})
    if isinstance(document, Mapping) and not metadata:
        return document
    text = next((fields[key] for key in _TEXTS if isinstance(fields.get(key), str)), None)
    if text is None:
        raise RecordError(f"document {number} has no text; give it as {' or '.join(_TEXTS)}")
    names = (*map(metadata.get, _NAMES), fields.get("id"), f"context-{number}")
    name = next(value for value in names if value and isinstance(value, str))
    title, url = (
        value if isinstance(value := metadata.get(key), str) else None for key in ("title", "url")
    )
    return Page(text, id=name, title=title, url=url)


def text_of(value: object) -> object:
    """Return the text of a message: of its ``content``, a text or a list of blocks with texts.

    A text stays itself; what has no content too.

    >>> text_of([{"type": "text", "text": "Klik op "}, "**Wifi**."])
    'Klik op **Wifi**.'
    """
    content = getattr(value, "content", value)
    if not isinstance(content, list):
        return content
    if content is value and not any(isinstance(block, Mapping) for block in content):
        return value
    texts = [block.get("text") if isinstance(block, Mapping) else block for block in content]
    return "".join(text for text in texts if isinstance(text, str)) or value


def assess(
    scorer: Scorer,
    question: object,
    answer: object,
    documents: object,
    *,
    budget_ms: float | None = None,
) -> Assessment:
    """Assess the turn of a framework; one that cannot be read is ``unscored``.

    Question and answer are texts or messages, as `text_of` takes them; the documents are one or
    many as `page_of` takes them, or page name → text.

    >>> from klopt import Scorer
    >>> assess(Scorer.load(), "Hoe zet ik wifi uit?", "Klik op **Turbo**.", [7]).verdict
    'unscored'
    """
    try:
        return scorer.score(_turn(question, answer, documents), budget_ms=budget_ms)
    except RecordError as error:
        return scorer.refuse("", str(error))


async def assess_async(
    scorer: Scorer,
    question: object,
    answer: object,
    documents: object,
    *,
    budget_ms: float | None = None,
) -> Assessment:
    """Do the same without blocking the event loop."""
    try:
        return await scorer.ascore(_turn(question, answer, documents), budget_ms=budget_ms)
    except RecordError as error:
        return scorer.refuse("", str(error))


def next_by(verdicts: Mapping[str, Next], otherwise: Next) -> Callable[[str], Next]:
    """Return a function from verdict to value, or `otherwise`; ConfigurationError if invalid."""
    allowed = get_args(Verdict)
    for name in verdicts:
        if name not in allowed:
            raise ConfigurationError(f'"{name}" is not a verdict; they are {", ".join(allowed)}')
    return lambda verdict: verdicts.get(verdict, otherwise)


def to_share(score: float | None) -> float | None:
    """Convert a score from 1–5 to 0–1; None stays None."""
    return None if score is None else (score - 1) / 4


def _turn(question: object, answer: object, documents: object) -> Turn:
    given: Any = () if documents is None else documents
    try:
        if isinstance(given, Mapping) and _is_by_name(given):
            given = [Page(text, id=name) for name, text in given.items()]
        elif isinstance(given, str | Page | Mapping) or hasattr(given, "page_content"):
            given = [given]
        if not isinstance(given, Iterable):
            raise RecordError(f"documents are {type(given).__name__}, not a list")
        pages = [page_of(document, number) for number, document in enumerate(given, 1)]
    except RecordError:
        raise
    except Exception as error:  # any error of the bot's own retriever
        raise RecordError(f"documents cannot be read: {type(error).__name__}: {error}") from error
    texts: list[Any] = ["" if text is None else text_of(text) for text in (question, answer)]
    for name, text in zip(("question", "answer"), texts, strict=True):
        if not isinstance(text, str):
            raise RecordError(f"the {name} is {type(text).__name__}, not a text or a message")
    return Turn(texts[0], texts[1], pages)


def _is_by_name(documents: Mapping[Any, Any]) -> bool:
    """Return whether the mapping is page name → text, and not one document."""

    def is_page(name: object, text: object) -> bool:
        is_name = isinstance(name, str) and name not in (*_METADATA, *_NAMES)
        return is_name and isinstance(text, str) and field_of(str(name), kind="page") is None

    return all(is_page(name, text) for name, text in documents.items())
