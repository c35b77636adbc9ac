"""Segments of TMX and XLIFF, with their inline elements, become Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from klopt.bilingual.inline_tags import add_code, add_text, inline_tags, opened_kinds
from klopt.bilingual.markdown_writer import Kind, MarkdownWriter
from klopt.reading.plain import read_plain
from klopt.translation.masks import find_masks

_TYPES: Final = ("type", "ctype", "subType")
_SHOWN: Final = ("equiv-text", "equiv", "disp")


def to_markdown(segment: Element, codes: Mapping[str, str] | None = None) -> str:
    """The text of a segment as Markdown.

    What inline elements say of bold and code becomes Markdown: by their type, or by a tag of
    ``inline_tags.toml`` in the code that they hold or name. A placeholder that such an element
    stands for (``{0}``, ``%s``) stays; any other code goes.

    Args:
        segment: ``seg`` of TMX, ``source`` or ``target`` of XLIFF.
        codes: The originals that elements of XLIFF 2 refer to by name.

    >>> from xml.etree.ElementTree import fromstring
    >>> seg = "<seg>Klik op <bpt i='1'>&lt;b></bpt>Nieuw<ept i='1'>&lt;/b></ept>.</seg>"
    >>> to_markdown(fromstring(seg))
    'Klik op **Nieuw**.'
    """
    writer = MarkdownWriter()
    _Walk(writer, codes or {}).children(segment)
    return writer.build()


class _Walk:
    """One segment; how deep elements nest is bounded where the file is read."""

    def __init__(self, writer: MarkdownWriter, codes: Mapping[str, str]) -> None:
        self.writer = writer
        self.codes = codes
        self.open: dict[str, tuple[Kind, ...]] = {}

    def children(self, element: Element) -> None:
        self._text(element.text)
        for child in element:
            self._child(child)
            self._text(child.tail)

    def _text(self, text: str | None) -> None:
        if text:
            add_text(self.writer, text)

    def _child(self, child: Element) -> None:
        match inline_tags().elements.get(child.tag):
            case "text":
                kinds = self._kinds(child, "dataRefStart", "equivStart")
                for kind in kinds:
                    self.writer.open(kind)
                self.children(child)
                for kind in reversed(kinds):
                    self.writer.close(kind)
            case "starts":
                kinds = self._kinds(child, "dataRef")
                self.open[_number(child)] = kinds
                for kind in kinds:
                    self.writer.open(kind)
            case "ends":
                for kind in reversed(self.open.pop(_number(child), ())):
                    self.writer.close(kind)
            case "alone":
                self._alone(child)
            case _:
                pass

    def _kinds(self, child: Element, reference: str, shown: str = "equiv") -> tuple[Kind, ...]:
        types = inline_tags().types
        named = [types[value] for name in _TYPES if (value := child.get(name, "")) in types]
        if named:
            return (named[0],)
        given = self.codes.get(child.get(reference, ""), "") or child.get(shown, "")
        if inline_tags().elements[child.tag] == "starts":
            given = _native(child) or given or child.get("equiv-text", "")
        return opened_kinds(given)

    def _alone(self, child: Element) -> None:
        code = _native(child) or self.codes.get(child.get("dataRef", ""), "")
        for name in _SHOWN:
            code = code or child.get(name, "")
        if _is_placeholder(code):
            self.writer.text(code)
        else:
            add_code(self.writer, code)


def _native(element: Element) -> str:
    """The code in an element; what is to be translated in it (``sub``) is a text of its own."""
    return (element.text or "") + "".join(child.tail or "" for child in element)


def _number(element: Element) -> str:
    """What an element that starts a stretch has in common with the one that ends it."""
    names = ("i", "rid", "startRef", "id")
    return next((value for name in names if (value := element.get(name))), "")


def _is_placeholder(code: str) -> bool:
    """Whether the code is one placeholder; a tag is markup here, whatever its name."""
    plain = read_plain(code.strip())
    if not plain.text or plain.text.startswith("<"):
        return False
    masks = find_masks(plain)
    return [(one.start, one.end, one.kind) for one in masks] == [
        (0, len(plain.text), "placeholder")
    ]
