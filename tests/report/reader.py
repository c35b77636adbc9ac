"""Reads a page back as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """The elements with their attributes, and the words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)
