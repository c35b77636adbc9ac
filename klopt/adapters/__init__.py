"""klopt in the bots and evaluations that people have: one module for each package, by its name.

Each is a function of question, answer and documents (`assess`, `assess_async`) in the words of its
package. Nothing is imported here but klopt; a module imports its package, and only what the verdict
is ``send`` for passes unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from klopt.errors import ConfigurationError, RecordError
from klopt.records import Context, Page, Turn, field_of
from klopt.scoring.profile import Verdict

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.scorer import Scorer

Next = TypeVar("Next")

_TEXTS: Final = ("page_content", "content", "text")
_ABOUT: Final = ("metadata", "meta")
_NAMES: Final = ("source", "url", "title", "doc_uri", "file_path", "file_name", "id")


def page_of(document: object, number: int) -> Context:
    """A document as any of the packages has it, to be a context of a `Turn`.

    It is a text, a `Page`, or a mapping or object with a text (``page_content``, ``content`` or
    ``text``) and perhaps what is known of it (``metadata`` or ``meta``). The page goes by its
    source, url, title or file; by its own id only where there is none of these, since that is often
    of a chunk; and else by its number. A mapping without metadata is left for `Turn` to read.

    Raises:
        RecordError: There is no text.

    >>> page_of({"page_content": "Klik op **Wifi**.", "metadata": {"source": "wifi.md"}}, 1).id
    'wifi.md'
    """
    if isinstance(document, str):
        return Page(document, id=f"context-{number}")
    if isinstance(document, Page):
        return document
    has: Mapping[str, Any] = (
        document
        if isinstance(document, Mapping)
        else {key: getattr(document, key, None) for key in (*_TEXTS, *_ABOUT, "id")}
    )
    abouts = (value for key in _ABOUT if isinstance(value := has.get(key), Mapping))
    about: Mapping[str, Any] = next(abouts, {})
    if isinstance(document, Mapping) and not about:
        return document
    text = next((has[key] for key in _TEXTS if isinstance(has.get(key), str)), None)
    if text is None:
        raise RecordError(f"document {number} has no text; it may stand in {', '.join(_TEXTS)}")
    names = (*map(about.get, _NAMES), has.get("id"), f"context-{number}")
    name = next(value for value in names if value and isinstance(value, str))
    title, url = (
        known if isinstance(known := about.get(key), str) else None for key in ("title", "url")
    )
    return Page(text, id=name, title=title, url=url)


def assess(scorer: Scorer, question: object, answer: object, documents: object) -> Assessment:
    """The assessment of what a package hands over; what cannot be read is ``unscored``.

    The documents are as `page_of` takes them, one or many, or texts by the names of their pages.

    >>> from klopt import Scorer
    >>> assess(Scorer.load(), "Hoe zet ik wifi uit?", "Klik op **Turbo**.", [7]).verdict
    'unscored'
    """
    try:
        return scorer.score(_turn(question, answer, documents))
    except RecordError as error:
        return scorer.refuse("", str(error))


async def assess_async(
    scorer: Scorer, question: object, answer: object, documents: object
) -> Assessment:
    """The same without holding up the event loop."""
    try:
        return await scorer.ascore(_turn(question, answer, documents))
    except RecordError as error:
        return scorer.refuse("", str(error))


def next_by(verdicts: Mapping[str, Next], otherwise: Next) -> Callable[[str], Next]:
    """What comes after a verdict: what is named for it, or `otherwise`.

    Raises:
        ConfigurationError: A name is no verdict.
    """
    allowed = get_args(Verdict)
    for name in verdicts:
        if name not in allowed:
            raise ConfigurationError(f'"{name}" is no verdict; they are {", ".join(allowed)}')
    return lambda verdict: verdicts.get(verdict, otherwise)


def to_share(score: float | None) -> float | None:
    """A score from 1 to 5 as other tools count, from 0 to 1; None where there is none."""
    return None if score is None else (score - 1) / 4


def _turn(question: object, answer: object, documents: object) -> Turn:
    """What is not there is an empty text, or no documents."""
    many: Any = () if documents is None else documents
    try:
        if isinstance(many, Mapping) and _is_by_name(many):
            many = [Page(text, id=name) for name, text in many.items()]
        elif isinstance(many, str | Page | Mapping):
            many = [many]
        if not isinstance(many, Iterable):
            raise RecordError(f"documents are {type(many).__name__}, not a list")
        pages = [page_of(document, number) for number, document in enumerate(many, 1)]
    except RecordError:
        raise
    except Exception as error:  # whatever the bot's own retriever fails with
        raise RecordError(f"documents cannot be read: {type(error).__name__}: {error}") from error
    texts: list[Any] = ["" if text is None else text for text in (question, answer)]
    return Turn(texts[0], texts[1], pages)


def _is_by_name(documents: Mapping[Any, Any]) -> bool:
    """Whether they are texts by the names of their pages, and not one document."""
    return all(
        isinstance(name, str)
        and isinstance(text, str)
        and name not in (*_ABOUT, *_NAMES)
        and field_of(name, kind="page") is None
        for name, text in documents.items()
    )
