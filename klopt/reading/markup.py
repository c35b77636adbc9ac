"""Which reader a text needs, and its plain text."""

from __future__ import annotations

from typing import Final, Literal

import regex

from klopt.errors import RecordError
from klopt.reading.html import read_html
from klopt.reading.markdown import read_markdown
from klopt.reading.text import PlainText, read_plain
from klopt.records import PageFormat

_HTML_TAG: Final = regex.compile(
    r"<(?:!doctype\s+html|/?(?:html|head|body|div|p|ul|ol|li|table|h[1-6]|br|section|article)\b)"
    r"[^<>]{0,500}>",
    regex.IGNORECASE,
)
_LOOK_CHARS: Final = 20_000


def read_text(source: str, page_format: PageFormat = "auto") -> PlainText:
    """Plain text, blocks and marks of a text in any of the formats.

    Args:
        source: The text as it is stored.
        page_format: ``auto`` takes HTML when the text starts with a tag or has two block tags
            and no Markdown heading or fence; Markdown otherwise, of which plain text is a part.

    Raises:
        RecordError: The format is unknown.

    >>> read_text("<p>Klik op <b>Nieuw</b></p>").text
    'Klik op Nieuw'
    """
    match page_format if page_format != "auto" else guess_format(source):
        case "markdown":
            return read_markdown(source)
        case "html":
            return read_html(source)
        case "plain":
            return read_plain(source)
    raise RecordError(f'format "{page_format}" is not one of auto, markdown, html, plain')


def guess_format(source: str) -> Literal["markdown", "html"]:
    """The format of a text that does not say which it is in; see `read_text`.

    >>> guess_format("<p>Klik op <b>Nieuw</b></p>"), guess_format("Klik op <naam>")
    ('html', 'markdown')
    """
    head = source[:_LOOK_CHARS].lstrip("\ufeff \t\r\n")
    first = _HTML_TAG.search(head)
    if first is None or head.startswith("#") or "```" in head or "\n# " in head:
        return "markdown"
    return "html" if first.start() == 0 or _HTML_TAG.search(head, first.end()) else "markdown"
