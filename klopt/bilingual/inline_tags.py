"""Messages of translation files, with tags and inline elements of their own, become HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

import regex

from klopt import shipped
from klopt.reading.key_terms import RuleHit
from klopt.reading.text import read_plain
from klopt.translation.masks import find_masks

_TAG: Final = regex.compile(
    r"""
    <(?P<close>/?+)(?P<name>[A-Za-z_][\w:.-]*+|\d{1,3}+)
      (?P<attributes>(?:\s++(?:[^<>"'/]|"[^"]*+"|'[^']*+'|/(?!>))*+)?+)
      (?P<alone>/?+)>
    """,
    regex.VERBOSE,
)
_COMMENT: Final = regex.compile("(?s)<!--.*?-->")
_ENTITY: Final = regex.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_BLANK_LINE: Final = regex.compile(r"(?>\r\n?|\n)[^\S\r\n]*+(?>\r\n?|\n)\s*+")
_HTML: Final = {"strong": "b", "code": "code"}

_TABLE: Final = shipped.table("klopt.bilingual", "inline_tags.toml")
_SENSES: Final = {tag: sense for sense, tags in _TABLE["marks"].items() for tag in tags}
"""Tag → ``strong``, ``code``, ``nothing`` or ``break``."""


class _Writer:
    """Writes HTML piece by piece, of which `klopt.reading.html` reads the words and marks."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.depths = dict.fromkeys(_HTML, 0)
        self.has_words = False

    def text(self, text: str) -> None:
        """Characters of the message; a blank line parts paragraphs where nothing is open."""
        self.has_words |= bool(text.strip())
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
        # Bots put Markdown's stars between tags, so they are read there too.
        text = html.escape(text, quote=False).replace("*", "&#42;")
        self.parts.append(text if any(self.depths.values()) else _BLANK_LINE.sub("<p>", text))

    def tag(self, sense: str, *, closes: bool) -> None:
        """A stretch starts or ends; within code, or within another of its kind, it has no tag."""
        if sense == "break":
            self.depths = dict.fromkeys(_HTML, 0)
            self.parts.append("<p>")
        elif sense in _HTML:
            if closes and not self.depths[sense]:
                return
            if closes:
                self.depths[sense] -= 1
            if not (self.depths[sense] or self.depths["code"]):
                self.parts.append(f"<{'/' * closes}{_HTML[sense]}>")
            if not closes:
                self.depths[sense] += 1


def message_html(text: str) -> str:
    r"""A message with tags as HTML; empty where it has no words.

    Known tags become strong or code or go; their table is ``inline_tags.toml``. The entities of
    XML and HTML are read. Placeholders (``{0}``, ``%s``, ``<naam>``) stay, and so do the signs of
    an accelerator (``&Bestand``), which cannot be told from other signs.

    >>> message_html("Klik op <gui>Bestand</gui> &amp; typ <key>F2</key> in <naam>_1.")
    'Klik op <b>Bestand</b> &amp; typ <code>F2</code> in &lt;naam&gt;_1.'
    """
    end = text.rfind("-->") + 3  # a comment that does not end is text, and is not looked through
    text = _COMMENT.sub("", text[:end]) + text[end:]
    tags = list(_TAG.finditer(text))
    closed = {tag["name"] for tag in tags if tag["close"]}
    paired = closed & {tag["name"] for tag in tags if not tag["close"]}
    writer, place, joins, part_ended = _Writer(), 0, list[str](), False
    for tag in tags:
        name, closes = tag["name"], bool(tag["close"])
        between, place = text[place : tag.start()], tag.end()
        if joins and not between.strip():
            between = joins[-1] if part_ended and not closes else ""
        if between:
            writer.text(between)
        part_ended = closes
        sense = _SENSES.get(name.lower())
        if sense is None:
            if name not in paired and not tag["attributes"].strip():
                writer.text(tag[0])
        elif sense == "break" or not tag["alone"]:
            writer.tag(sense, closes=closes)
            if closes and name in _TABLE["joined"] and joins:
                joins.pop()
            elif not closes and name in _TABLE["joined"]:
                joins.append(_TABLE["joined"][name])
                part_ended = False
    writer.text(text[place:])
    return "".join(writer.parts) if writer.has_words else ""


def segment_html(segment: Element) -> str:
    """The text of a segment (``seg`` of TMX) as HTML.

    What inline elements say of bold and code becomes that of HTML, by their type or by a tag in the
    code that they hold. A placeholder that one stands for (``{0}``, ``%s``) stays; other code goes.
    """
    return message_html("".join(_pieces(segment, {})))


def _pieces(element: Element, ends: dict[str, str]) -> Iterator[str]:
    """The text of an element with the tags that its inline elements stand for."""
    yield element.text or ""
    for child in element:
        # What is to be translated in the code of an element (``sub``) is a text of its own.
        code = (child.text or "") + "".join(inner.tail or "" for inner in child)
        tags = [tag for tag in _TAG.finditer(code) if tag["name"].lower() in _SENSES]
        opened = [tag["name"] for tag in tags if not (tag["close"] or tag["alone"])]
        if typed := _TABLE["types"].get(child.get("type")):
            opened = [_HTML[typed]]
        start = "".join(f"<{name}>" for name in opened)
        end = "".join(f"</{name}>" for name in reversed(opened))
        match child.tag:
            case "hi" if typed:
                yield from (start, *_pieces(child, ends), end)
            case "hi":
                yield from _pieces(child, ends)
            case "bpt":
                ends[child.get("i", "")] = end
                yield start
            case "ept":
                yield ends.pop(child.get("i", ""), "")
            case "it" | "ph" | "ut":
                yield code if _is_placeholder(code) else "".join(tag[0] for tag in tags)
        yield child.tail or ""


def _is_placeholder(code: str) -> bool:
    """Whether the code is one placeholder; a tag is markup here, whatever its name."""
    plain = read_plain(code.strip())
    whole = RuleHit(0, len(plain.text), "placeholder")
    return not plain.text.startswith("<") and find_masks(plain) == (whole,)
