"""Reads a page back as a browser would."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the words."""

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
    """What is read of a page, but for its head and its scripts."""
    body = page.partition("</head>")[2].partition("<script>")[0]
    return " ".join(" ".join(Reader(body).words).split())
