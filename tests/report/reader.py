"""Parse a page as a browser does."""

from html.parser import HTMLParser

from hypothesis import strategies as st

MARKUP = st.text(alphabet="<>/\"'=&;! -abonlerscipt\n\x00\u202e\ud800", max_size=30)
"""Texts that may be read as markup, with characters that a page must not contain."""


class Reader(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def words(page: str) -> str:
    """Return the text of a page without its head and scripts."""
    body = page.partition("</head>")[2].partition("<script>")[0]
    return " ".join(" ".join(Reader(body).words).split())
