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


def message_html(text: str) -> str:
    r"""A message with tags as HTML; empty where it has no words.

    Known tags become strong or code or go; their table is ``inline_tags.toml``. The entities of
    XML and HTML are read, and a blank line parts paragraphs. Placeholders (``{0}``, ``%s``,
    ``<naam>``) stay, and so do the signs of an accelerator (``&Bestand``), which cannot be told
    from other signs.

    >>> message_html("Klik op <gui>Bestand</gui> &amp; typ <key>F2</key> in <naam>_1.")
    'Klik op <b>Bestand</b> &amp; typ <code>F2</code> in &lt;naam&gt;_1.'
    """
    end = text.rfind("-->") + 3  # a comment that does not end is text, and is not looked through
    text = _COMMENT.sub("", text[:end]) + text[end:]
    tags = list(_TAG.finditer(text))
    closed = {tag["name"] for tag in tags if tag["close"]}
    paired = closed & {tag["name"] for tag in tags if not tag["close"]}
    parts, words = list[str](), ""
    depths = dict.fromkeys(_HTML, 0)
    place, joins, part_ended = 0, list[str](), False
    for tag in tags:
        name, closes = tag["name"], bool(tag["close"])
        between, place = text[place : tag.start()], tag.end()
        if joins and not between.strip():
            between = joins[-1] if part_ended and not closes else ""
        part_ended = closes
        sense = _SENSES.get(name.lower())
        if sense is None and name not in paired and not tag["attributes"].strip():
            between += tag[0]
        parts.append(_escaped(between))
        words = words or between.strip()
        if sense == "break":
            parts.append("<p>")
        elif sense in _HTML and not tag["alone"]:
            parts.append(_mark(sense, depths, closes=closes))
        if sign := _TABLE["joined"].get(name):
            if not closes:
                joins.append(sign)
                part_ended = False
            elif joins:
                joins.pop()
    parts.append(_escaped(text[place:]))
    return "".join(parts) if words or text[place:].strip() else ""


def _mark(sense: str, depths: dict[str, int], *, closes: bool) -> str:
    """The tag of a mark that begins or ends; within code, or another of its kind, it has none."""
    depths[sense] = max(0, depths[sense] + (-1 if closes else 1))
    is_outermost = depths[sense] == (0 if closes else 1)
    is_seen = is_outermost and (sense == "code" or not depths["code"])
    return f"<{'/' * closes}{_HTML[sense]}>" if is_seen else ""


def _escaped(text: str) -> str:
    text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    # Bots put Markdown's stars between tags, so they are read there too.
    return _BLANK_LINE.sub("<p>", html.escape(text, quote=False).replace("*", "&#42;"))


def segment_html(segment: Element) -> str:
    """The text of a segment (``seg`` of TMX) as HTML.

    Of the code in its inline elements the known tags count. A placeholder that one stands for
    (``{0}``, ``%s``) stays; other code goes.
    """
    return message_html("".join(_pieces(segment)))


def _pieces(element: Element) -> Iterator[str]:
    """The text of an element with the tags that its inline elements stand for."""
    yield element.text or ""
    for child in element:
        if child.tag == "hi":
            yield from _pieces(child)
        else:
            # What is to be translated in the code of an element (``sub``) is a text of its own.
            code = (child.text or "") + "".join(inner.tail or "" for inner in child)
            tags = (tag for tag in _TAG.finditer(code) if tag["name"].lower() in _SENSES)
            yield code if _is_placeholder(code) else "".join(tag[0] for tag in tags)
        yield child.tail or ""


def _is_placeholder(code: str) -> bool:
    """Whether the code is one placeholder; a tag is markup here, whatever its name."""
    plain = read_plain(code.strip())
    whole = RuleHit(0, len(plain.text), "placeholder")
    return not plain.text.startswith("<") and find_masks(plain) == (whole,)
