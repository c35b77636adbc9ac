"""Decide what a reader sees of an HTML page as its content.

Navigation, banners, forms, hidden elements and the like are marked as unseen, by their tags, roles,
the words in their classes, the share of links in them and known phrases. See
`docs/decisions/0020-reading-pages.md`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import regex

from klopt._internal import shipped
from klopt.text.dialect_patterns import STRUCK
from klopt.text.html_facts import HEADINGS, NO_FACTS, Facts, tags
from klopt.text.html_tree import LINKS, Element, Tree

MAIN_SHARE: Final = 0.5
"""Share of the text outside links that makes a part of a page its content."""
SEVERAL_SHARE: Final = 0.9  # the same, for several parts together
CONTENT_SHARE: Final = 0.3  # the same, for a part whose class says that it is content
SUSPECT_LINK_SHARE: Final = 0.5
"""Share of links that makes a suspect element navigation."""
LINK_SHARE: Final = 0.75
"""Share of links that makes any element navigation, where nothing marks the main content."""
ALONE_LINK_SHARE: Final = 0.5  # of an element that a phrase makes navigation
FEWEST_LINKS: Final = 4  # in a cell beside others that is navigation
MAX_ANCHOR_CHARS: Final = 20  # of the source of a link from a heading to itself
MAX_NAVIGATION_CHARS: Final = 20  # between the links of a paragraph that is navigation
MAX_PHRASE_CHARS: Final = 80
MAX_ALONE_CHARS: Final = 200  # of links to the pages before and after
MAX_PHRASE_EVENTS: Final = 100
"""Tags and texts in an element that is compared with phrases."""
MAX_FEEDBACK_CHARS: Final = 300  # of a form for feedback
MAX_LEGAL_CHARS: Final = 250
LEGAL_FROM: Final = 0.6  # share of a page before its last lines
_SYMBOLS: Final = regex.compile(r"[\s\p{P}\p{S}\p{Co}]*+(?:link|permalink)?", regex.IGNORECASE)
_LINK_BLOCKS: Final = frozenset({"div", "ul", "ol", "p", "center", "td"})
_HEADING_KINDS: Final = HEADINGS | {"p", "div", "strong", "b", "summary"}
_OPENING: Final = HEADINGS | {"dt", "summary"}
"""In these, a button opens the text below."""
_LIST_KINDS: Final = frozenset({"ul", "ol", "div", "section", "p", "table"})
_TEXT_BLOCKS: Final = frozenset({"p", "pre", "ol", "ul", "dl", "aside", *HEADINGS})
_NEVER: Final = frozenset({"nav", "select", "datalist", "menu", "search"})
_CERTAIN: Final = _NEVER | {"dialog", "footer", "form"}
_CONTROLS: Final = regex.compile(
    r"""(?i)\saria-controls\s*+=\s*+["']?([^\s"'>]++)""", regex.VERSION1
)
"""What a button shows and hides, such as the answer of a question."""
_ID: Final = regex.compile(r"""(?i)\sid\s*+=\s*+["']?([^\s"'>]++)""", regex.VERSION1)
_FIELD: Final = regex.compile(
    r"""(?i)<input\b(?![^>]*\stype\s*=\s*["']?(?:checkbox|radio))""", regex.VERSION1
)
"""A field to type in: its label belongs to the page."""
_AROUND: Final = frozenset({"label", "a", "aside", "button", "header", "summary"})
_PAGE_TAG: Final = re.compile(r"<(?:html|body|head|main|nav|!doctype)\b")
_MAIN_ROLE: Final = re.compile(r"""\srole\s*=\s*["']?main\b""")
"""Signs of a whole page, in lower case."""


@cache
def _phrases(name: str) -> regex.Pattern[str]:
    phrases = "|".join(shipped.table("klopt.text", "html_page.toml")[name])
    return regex.compile(rf"(?i)(?:{phrases})", regex.VERSION1)


@cache
def _signs(name: str) -> Sequence[str]:
    signs: Sequence[str] = shipped.table("klopt.text", "html_page.toml")[f"{name}_signs"]
    return signs


def mark_hidden(tree: Tree) -> None:
    """Mark the elements that a browser does not show, and that no button opens."""
    inline, never = tags()["inline"], tags()["invisible"] | STRUCK
    opened = frozenset(_CONTROLS.findall(tree.source))
    for element in tree.elements:
        if not element.parent.is_seen:
            element.is_seen = False
        elif element.facts is not NO_FACTS or element.kind in never:
            is_hidden = element.facts.is_hidden and not element.facts.is_panel
            if is_hidden and opened and (own_id := _ID.search(element.source)):
                is_hidden = own_id[1] not in opened
            if element.kind in never or is_hidden:
                element.is_seen = element.kind in inline and not element.is_closed
            if not element.is_seen:
                _take_away(element)


def _take_away(element: Element) -> None:
    """Subtract the text of an unseen element from those around it."""
    linked = element.chars if element.kind in LINKS else element.linked
    around = element
    while around.parent is not around:
        around = around.parent
        around.chars -= element.chars
        around.linked -= linked


def content_of(tree: Tree, title: str | None = None) -> list[Element]:
    """Mark what is not the content of a page as unseen, and return the elements to read, in order.

    `mark_hidden` has marked the tree. ``title`` is the page's ``<title>``, which its main heading
    repeats: in some help centres that is an ``h2``, and the ``h1`` names the site.
    """
    page = _Page(tree, title)
    page.mark_certain()
    scope = page.with_title(page.scope())
    page.mark_around(scope)
    return scope


class _Page:
    """The search for the content of one page."""

    def __init__(self, tree: Tree, title: str | None) -> None:
        self.tree = tree
        self.small = tree.source.lower()
        is_main = "role" in self.small and _MAIN_ROLE.search(self.small)
        self.is_page = bool(_PAGE_TAG.search(self.small) or is_main)
        self.total = tree.page.plain_chars
        self.in_main = False
        self.tabs = [element.first for element in tree.elements if element.facts.is_tab]
        headings = [e for e in tree.elements if e.kind == "h1" and not _is_site_title(tree, e)]
        own = [e for e in headings if not _is_in_header(e)]
        if not own and title:
            others = (e for e in tree.elements if e.kind in ("h2", "h3"))
            own = [e for e in others if _is_title(tree, e, title.casefold())][:1]
        self.headings = own or headings
        content = [e for e in tree.elements if e.kind == "main" or e.facts.is_content]
        self.around_content: set[Element] = set()
        for element in (*self.headings, *content):
            while element not in self.around_content:
                self.around_content.add(element)
                element = element.parent

    def mark_certain(self) -> None:
        """Mark the elements that are not content wherever they are."""
        for element in self.tree.elements:
            if not element.parent.is_seen:
                element.is_seen = False
            elif (
                (element.facts is not NO_FACTS or element.kind in _CERTAIN)
                and element.is_seen
                and self._is_certain(element)
            ):
                element.is_seen = False
                _take_away(element)

    def _is_certain(self, element: Element) -> bool:
        kind, facts = element.kind, element.facts
        if facts.is_panel or kind in tags()["inline"]:
            return False
        if kind in _NEVER or (kind == "dialog" and "open" not in element.source):
            return not self._has_tabs(element)
        if kind == "footer":
            is_around = not _is_within(element, ("blockquote", "figure"))
        else:
            is_around = facts.is_around or kind == "form"
        if not is_around or element in self.around_content or self._has_tabs(element):
            return False
        share = element.plain_chars / max(1, self.total)
        return share <= MAIN_SHARE or "cookie" in element.source.lower()

    def scope(self) -> list[Element]:
        """The elements that the content is in: one, or the articles of a page."""
        seen = [element for element in self.tree.elements if element.is_seen and element.chars]
        main = _outermost(
            element for element in seen if element.kind == "main" or element.facts.role == "main"
        )
        if main:
            self.in_main = True
            main = [max(main, key=lambda element: element.plain_chars)]
        outer = main or [self.tree.page]
        inside = [e for e in seen if not main or main[0].first <= e.first < main[0].last]
        for candidates, share in (
            (_outermost(e for e in inside if e.kind == "article"), MAIN_SHARE),
            (_outermost(e for e in inside if e.facts.is_content), CONTENT_SHARE),
        ):
            chars = sum(element.plain_chars for element in candidates)
            if len(candidates) > 1:  # parts of the text rather than all of it
                share = SEVERAL_SHARE
            if candidates and chars >= share * sum(e.plain_chars for e in outer):
                self.in_main = True
                return candidates
        return outer

    def with_title(self, scope: list[Element]) -> list[Element]:
        """The scope, after the main heading before it."""
        if any(e.kind == "h1" or e in self.headings for e in _elements_in(self.tree, scope)):
            return scope
        for heading in self.headings:
            if heading.first >= scope[0].first:
                break
            if heading.last > scope[0].first:  # an unclosed heading, with the scope in it
                continue
            around = heading
            while around.is_seen or around.kind == "header":
                if around is around.parent:
                    return [heading, *scope]
                around = around.parent
        return scope

    def mark_around(self, scope: Sequence[Element]) -> None:
        """Mark the elements of the scope that are not content, and those in them."""
        tree, inline = self.tree, tags()["inline"]
        before: dict[Element, str] = {}  # the kind of the last block in an element
        has_feedback, has_toc = self._mentions("feedback"), self._mentions("toc_headings")
        is_checked = not self.in_main and "<header" in self.small
        own = set(scope)
        legal_from = scope[-1].first + LEGAL_FROM * (scope[-1].last - scope[-1].first)
        for element in _elements_in(tree, scope):
            if not element.parent.is_seen:
                element.is_seen = False
            elif element.is_seen and element.chars and element not in own:
                is_plain = element.facts is NO_FACTS and not element.linked
                if is_checked or not is_plain or element.kind in _AROUND:
                    element.is_seen = not self._is_around(element, before.get(element.parent, ""))
                if self.is_page and (element.first > legal_from or not self.in_main):
                    element.is_seen &= not self._is_legal(element)
                if has_toc and element.kind in _HEADING_KINDS:
                    element.is_seen &= not self._says(element, "toc_headings")
                if has_feedback and _is_short(element, MAX_PHRASE_CHARS):
                    self._mark_feedback(element, own)
                if element.is_seen and element.kind not in inline:
                    before[element.parent] = element.kind
        if tree.page.linked:
            self._mark_link_lists(scope)

    def _is_around(self, element: Element, before: str) -> bool:
        """Whether an element of the scope is around the content.

        An aside after a block of text of kind ``before`` is content, unless it is mostly links.
        """
        kind, facts = element.kind, element.facts
        if kind == "button":
            return self._is_alone(element)
        if kind in tags()["inline"]:
            return self._is_aid(element, facts)
        if facts.is_panel or element in self.around_content:
            return False
        if not self.in_main and _is_within(element, ("header",)):
            return True  # beside the main heading
        share = element.plain_chars / max(1, self.total)
        if kind == "header":
            return not self.in_main and share <= MAIN_SHARE
        if facts.is_suspect or kind == "aside":
            if not self.in_main and before not in _TEXT_BLOCKS:
                return share <= MAIN_SHARE and kind not in ("li", "td", "th", "tr")
            return element.linked > SUSPECT_LINK_SHARE * element.chars
        return self._is_alone(element) or (
            self.is_page and not self.in_main and self._is_navigation(element)
        )

    def _is_aid(self, element: Element, facts: Facts) -> bool:
        """Whether an inline element is an icon, or a link of a heading to itself or to a script."""
        if facts.is_aid:
            return True
        if element.kind == "label":
            return _FIELD.search(self.tree.source, element.start, element.end) is not None
        is_short = 0 < element.chars <= MAX_ANCHOR_CHARS and element.kind == "a"
        if is_short and element.parent.kind in HEADINGS and "javascript:" in element.source:
            return True
        return is_short and "#" in element.source and _is_symbol(self.tree, element)

    def _is_alone(self, element: Element) -> bool:
        """Whether an element is nothing but a link or button for the use of the page."""
        if not _is_short(element, MAX_ALONE_CHARS):
            return False
        if element.kind == "button":
            is_heading = element.parent.kind in _OPENING or "accordion" in element.facts.classes
            return not is_heading and not _has_text_beside(self.tree, element)
        if element.linked < ALONE_LINK_SHARE * element.chars and element.kind != "summary":
            return False
        return self._says(element, "alone")

    def _mentions(self, phrases: str) -> bool:
        """Whether the page has one of some phrases somewhere."""
        has_sign = any(sign in self.small for sign in _signs(phrases))
        return has_sign and _phrases(phrases).search(self.tree.source) is not None

    def _says(self, element: Element, phrases: str) -> bool:
        """Whether a short element is nothing but one of some phrases."""
        return _is_short(element, MAX_ALONE_CHARS) and bool(
            _phrases(phrases).fullmatch(self.tree.text_of(element).strip(" :"))
        )

    def _is_navigation(self, element: Element) -> bool:
        if element.kind == "td" and element.parent.chars > element.chars:
            events = self.tree.events[element.first : element.first + MAX_PHRASE_EVENTS]
            links = (e.kind == "a" for e in events if isinstance(e, Element))
            if sum(links) < FEWEST_LINKS:
                return False
        most = MAX_NAVIGATION_CHARS if element.kind in ("p", "td") else element.chars
        return (
            element.kind in _LINK_BLOCKS
            and element.linked > LINK_SHARE * element.chars
            and element.plain_chars <= most
            and element not in self.around_content
        )

    def _is_legal(self, element: Element) -> bool:
        return (
            _is_short(element, MAX_LEGAL_CHARS)
            and element.plain_chars <= MAIN_SHARE * self.total
            and element not in self.around_content
            and element.kind not in tags()["inline"]
            and _phrases("legal").fullmatch(self.tree.text_of(element)) is not None
        )

    def _has_tabs(self, element: Element) -> bool:
        """Whether the label of a tab is in an element."""
        number = bisect_left(self.tabs, element.first)
        return number < len(self.tabs) and self.tabs[number] <= element.last

    def _mark_feedback(self, element: Element, scope: set[Element]) -> None:
        if not _phrases("feedback").match(self.tree.text_of(element)):
            return
        around = element
        while around.chars <= MAX_FEEDBACK_CHARS and around not in self.around_content | scope:
            around.is_seen = False
            around = around.parent

    def _mark_link_lists(self, scope: Sequence[Element]) -> None:
        """Mark lists of links below a heading such as "Related articles", and the heading."""
        heading: Element | None = None
        for element in _elements_in(self.tree, scope):
            if not element.is_seen or not element.chars:
                continue
            is_links = element.kind in _LIST_KINDS and element.linked >= 0.9 * element.chars
            if is_links and heading is not None and element.first > heading.last:
                if self._says(heading, "list_headings"):
                    element.is_seen = heading.is_seen = False
            elif element.kind in _HEADING_KINDS and _is_short(element, MAX_PHRASE_CHARS):
                heading = element
            elif heading is not None and element.first > heading.last:
                heading = None


def _outermost(elements: Iterator[Element]) -> list[Element]:
    outer: list[Element] = []
    for element in elements:
        if not outer or element.first > outer[-1].last:
            outer.append(element)
    return outer


def _elements_in(tree: Tree, scope: Sequence[Element]) -> Iterator[Element]:
    """The elements in some elements, in order."""
    for part in scope:
        if part is tree.page:
            yield from tree.elements
            continue
        events = tree.events[part.first : part.last]
        yield from (event for event in events if isinstance(event, Element))


def _is_within(element: Element, kinds: Sequence[str]) -> bool:
    while element.parent is not element:
        element = element.parent
        if element.kind in kinds:
            return True
    return False


def _is_in_header(element: Element) -> bool:
    while element.parent is not element:
        element = element.parent
        if element.kind == "header" or element.facts.is_suspect:
            return True
    return False


def _is_site_title(tree: Tree, heading: Element) -> bool:
    """Whether a heading is nothing but a link to another page."""
    if heading.linked < heading.chars or not heading.chars:
        return False
    links = tree.events[heading.first : heading.first + 4]
    return not any('"#' in link.source for link in links if isinstance(link, Element))


def _is_title(tree: Tree, heading: Element, title: str) -> bool:
    """Whether a heading begins with a title in small letters, and has little more."""
    is_near = len(title) <= heading.chars <= 2 * len(title) + MAX_ALONE_CHARS
    return is_near and " ".join(tree.text_of(heading).split()).casefold().startswith(title)


def _is_short(element: Element, most_chars: int) -> bool:
    """Whether an element has some text, and little markup in it."""
    return 0 < element.chars <= most_chars and element.last - element.first <= MAX_PHRASE_EVENTS


def _has_text_beside(tree: Tree, element: Element) -> bool:
    """Whether there is text outside links and buttons in the line of an element."""
    for numbers in (
        range(element.first - 1, max(-1, element.first - MAX_PHRASE_EVENTS), -1),
        range(element.last + 1, min(len(tree.events), element.last + MAX_PHRASE_EVENTS)),
    ):
        is_in_link = False
        for number in numbers:
            event = tree.events[number]
            if event is None:
                break
            if isinstance(event, Element) or len(event) == 1:
                other = event if isinstance(event, Element) else event[0]
                if other.kind not in tags()["inline"]:
                    break
                if other.kind in LINKS:
                    is_in_link = not is_in_link
            elif not is_in_link and len(tree.source[event[0] : event[1]].strip()) > 1:
                return True
    return False


def _is_symbol(tree: Tree, element: Element) -> bool:
    return _SYMBOLS.fullmatch(tree.text_of(element)) is not None
