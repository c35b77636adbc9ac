"""Find what the reader of a rendered Markdown page sees of its source, whatever the dialect.

Docusaurus, MkDocs, GitBook, Hugo, Jekyll, Mintlify, MyST, Obsidian and others add tags around
content, such as ``{% tab title="Mac" %}``, and markers, such as ``{#id}``. Markup and hidden text
are replaced by filler of the same length, so that every character keeps its place. Tabs, titles and
steps, for which Markdown has no markup, become a `Change`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Final

import regex

from klopt.text.dialect_containers import Change, Container, Containers, Stretch, Visible, columns
from klopt.text.dialect_patterns import (
    CLOSERS,
    FILLER,
    FRONT_FIELD,
    FRONT_MATTER,
    STRUCK,
    attributes,
    closing_of,
    is_hidden,
    kinds,
    quoted,
    roles,
    table,
    tokens,
)

MAX_FRONT_CHARS: Final = 50_000  # longer front matter is text
MAX_MODULE_LINES: Final = 200  # of an exported value
_SIGNS: Final = (
    *("{", "<", "~", "^", "[[", "[!", "[block:", "=="),
    *("++", "%%", "8<--", "::", "](#tab"),
)
_SIGN: Final = re.compile(r":(?:[+-]1|[a-z][\w+-]*+):")
_LINE_SIGN: Final = re.compile(
    r"\n[ \t>]*+(?:!!!|\?\?\?|///|@tab|@include|@\[toc|\*\[|[?!]>|\[TOC|\[toc|\[//|\[comment"
    r"|\([\w-]++\)=|%[ ]|\#[^\W\d_]|import[ ]|export[ ])"
)
"""A text without any of these is plain Markdown; `re` finds the first character fastest."""
_COMMENT_ENDS: Final = {
    "<!--": "-->", "{/*": "*/}", "{{/*": "*/}}", "{{</*": "*/>}}", "{{%/*": "*/%}}",
}  # fmt: skip
_TAGS: Final = frozenset({"hugo", "jsx", "liquid"})
_TEMPLATE: Final = regex.compile(r"=\{|\{[{%]", regex.VERSION1)
_GENERATED: Final = regex.compile(r"\{%[-+]?[ ]*+\w|\{\{[<%]|(?::::|```)\{\w", regex.VERSION1)
_MDX: Final = regex.compile(
    r"(?m)^(?:import|export)[ ][^\n]*?[\"'{=]|\{/\*|<[A-Z][\w.]*+\s[^<>]*?=\{|\sclassName="
    r"|\{[ ]?(?:'[^'\n]*+'|\"[^\"\n]*+\")[ ]?\}",
    regex.VERSION1,
)
_TITLE: Final = regex.compile(
    r"[ \t]*+(?:\[(?P<label>[^\]\n]++)\]|(?P<label>[^{\[\s=][^{\n=]*?))?"
    r"[ \t]*+(?:\{[^\n]*+\})?[ \t]*+",
    regex.VERSION1,
)
_OPTIONS: Final = regex.compile(
    r"(?:\n[ \t]*+:[\w-]++:[^\n]*+)++|\n[ \t]*+---[ \t]*+\n[ \t]*+[\w-]++:[^\n]*+"
    r"(?:\n(?![ \t]*+---)[^\n]*+){0,50}+\n[ \t]*+---[ \t]*+(?=\n|\Z)",
    regex.VERSION1,
)
_DIRECTIVE: Final = regex.compile(r"[ ]*+\{([\w-]++)\}[ ]*+(?P<label>.*+)", regex.VERSION1)


def visible(text: str) -> Visible:
    r"""Return the visible part of a Markdown text whose lines end in ``\n``.

    >>> visible("Kies <!-- B. --> A.").text.replace("\u200b", "")
    'Kies  A.'
    >>> visible('=== "Mac"\n\n    Kies Finder.\n').changes[1]
    Change(place=0, kind='label', start=5, end=8, tab=None)
    """
    return Visible(text, {}, []) if is_plain(text) else _Pass(text).run()


def is_plain(text: str) -> bool:
    """Return whether a text has no sign of any dialect.

    >>> is_plain("Kies **A**."), is_plain("Kies ~~A~~ B.")
    (True, False)
    """
    return not (
        text.startswith(("---", "+++"))
        or any(sign in text for sign in _SIGNS)
        or _SIGN.search(text)
        or _LINE_SIGN.search(f"\n{text}")
    )


@cache
def _tags_named(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?i)<(/?){name}(?=[\s/>])[^<>]*+>", regex.VERSION1)


class _Pass(Containers):
    """One pass over a text. Each kind of token has a method that returns where to continue."""

    unclosed_until = 0  # up to there the brackets of no export are closed

    def run(self) -> Visible:
        position = self._front_matter()
        find = tokens().search
        while match := find(self.text, position):
            spans = match.regs
            kind, group = next(kind for kind in kinds() if spans[kind[1]][0] >= 0)
            start, end = spans[group]
            self.locate(start, position)
            self.cut_lines(start)
            if kind.isdecimal():
                position = self._marker(match, start, end, table()["marker"][int(kind)])
            elif kind in _TAGS:
                position = self._tag(match, start, end, kind)
            else:
                position = getattr(self, f"_{kind}")(match, start, end)
            self.is_first = self.is_first and self.at == position
        return self.finish()

    @cached_property
    def is_mdx(self) -> bool:
        return _MDX.search(self.text) is not None

    @cached_property
    def is_generated(self) -> bool:
        """Whether a generator with templates makes the page."""
        return _GENERATED.search(self.text) is not None

    @cached_property
    def last_ends(self) -> dict[tuple[str, str], int]:
        """Where the last end tag of each name starts."""
        return {
            (match.lastgroup or "", match[match.lastgroup or 0].lower()): match.start()
            for match in CLOSERS.finditer(self.text)
        }

    @cached_property
    def _seen_ends(self) -> dict[str, int]:
        return {}

    @cached_property
    def _never_closed(self) -> set[str]:
        return set()

    def _front_matter(self) -> int:
        match = FRONT_MATTER.match(self.text, 0, MAX_FRONT_CHARS)
        if match is None:
            return 0
        for found in FRONT_FIELD.finditer(self.text, 0, match.end()):
            kind = "heading" if found["name"] == "title" else "title"
            self.changes.append(Change(0, kind, *found.span("text")))
        return self.hide(0, match.end())

    def _escape(self, _: regex.Match[str], _start: int, end: int) -> int:
        return end

    _span = _escape

    def _fence(self, match: regex.Match[str], start: int, end: int) -> int:
        ticks = match["ticks"]
        if not match["rest"].strip() and self.close("fence", ticks, start, end):
            return end
        directive = _DIRECTIVE.fullmatch(self.text, *match.span("rest"))
        if directive and directive[1] in table()["fences"]["names"]:
            return self._directive("fence", ticks, directive[1], directive.span("label"), start)
        closing = closing_of("fence", ticks).search(self.text, end)
        return closing.end() if closing else len(self.text)

    def _directive(self, family: str, name: str, directive: str, label: Stretch, start: int) -> int:
        """Begin an element of MyST, and hide its options."""
        options = _OPTIONS.match(self.text, label[1])
        labels = [label] if self.text[slice(*label)].strip() else []
        element = Container(family, name, roles().get(directive, ""))
        return self.begin(element, start, options.end() if options else label[1], labels)

    def _block(self, match: regex.Match[str], start: int, end: int) -> int:
        return self._by_indentation(match, "", start, end)

    def _indented(self, match: regex.Match[str], start: int, end: int) -> int:
        return self._by_indentation(match, "tab", start, end)

    def _by_indentation(self, match: regex.Match[str], role: str, start: int, end: int) -> int:
        """Begin a tab or admonition of MkDocs, whose content is indented."""
        column = columns(match["lead"])
        if not self.is_first or self.next_column(end) < column + 4:
            return end
        labels = [match.span("label")] if match["label"] else []
        element = Container("indented", "", role, column, 4, is_indented=True)
        return self.begin(element, start, end, labels)

    def _colons(self, match: regex.Match[str], start: int, end: int) -> int:
        name, rest = match["name"].lower(), match["rest"].rstrip()
        if name.endswith("-end") or not (name or rest):
            self.close("colons", name.removesuffix("-end").rstrip("-"), start, end)
            return self.hide(start, end) if self.at < end else end
        if not name and not rest.endswith("}"):
            return end
        if match["braced"]:
            return self._directive("colons", name, name, match.span("rest"), start)
        options = _OPTIONS.match(self.text, end)
        if name in table()["pictures"]["names"]:
            return self._picture(match, start, end)
        role = roles().get(name, "")
        if role == "code":
            return self._code("colons", name, start, end)
        if rest.endswith(":::") and role != "tab":
            return self.hide(start, end)
        title = _TITLE.fullmatch(match["rest"])
        spans = [title.span("label")] if title and title["label"] else []
        labels = self._at(match, spans or self._labels(match["rest"], role))
        last = options.end() if options else end
        return self.begin(Container("colons", name, role), start, last, labels)

    def _slashes(self, match: regex.Match[str], start: int, end: int) -> int:
        name = match["name"]
        if not name:
            self.close("slashes", "", start, end)
            return end
        labels = [match.span("rest")] if match["rest"] and match["rest"].strip() else []
        return self.begin(Container("slashes", name, roles().get(name, "")), start, end, labels)

    def _alert(self, match: regex.Match[str], start: int, end: int) -> int:
        if ">" not in match["lead"] and not match["name"].isupper():
            return end
        self.add_labels(start, [match.span("rest")] if match["rest"].strip() else [])
        return self.hide(start, end)

    def _choice(self, match: regex.Match[str], start: int, end: int) -> int:
        """Begin a tab of Microsoft Learn, which ends the tab before it."""
        self.close("choice", "", start)
        return self.begin(Container("choice", "", "tab"), start, end, [match.span("label")])

    def _sibling(self, match: regex.Match[str], start: int, end: int) -> int:
        """Begin a tab of VuePress, which ends the tab before it."""
        if not any(element.role == "tabs" for element in self.open):
            return end
        self.close("sibling", "", start)
        return self.begin(Container("sibling", "", "tab"), start, end, [match.span("label")])

    def _rule(self, _: regex.Match[str], start: int, end: int) -> int:
        self.close("choice", "", start, end)
        return end

    def _module(self, match: regex.Match[str], start: int, end: int) -> int:
        """Hide an import or export of MDX, up to the line that closes its brackets."""
        at, depth = start, 0
        is_long = match[0].startswith("export") and start >= self.unclosed_until
        for _ in range(MAX_MODULE_LINES if is_long else 0):
            newline = self.text.find("\n", at)
            newline = newline if newline >= 0 else len(self.text)
            line = self.text[at:newline]
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            if depth <= 0:
                end = newline
                break
            at = newline + 1
            self.unclosed_until = max(at, self.unclosed_until)
            if at > len(self.text):
                break
        return self.hide(start, end)

    def _comment(self, match: regex.Match[str], start: int, end: int) -> int:
        close = self._find(_COMMENT_ENDS[match["name"]], end)
        return self.hide(start, close) if close >= 0 else end

    def _line(self, _: regex.Match[str], start: int, end: int) -> int:
        return self.hide(start, end)

    def _picture(self, match: regex.Match[str], start: int, end: int) -> int:
        shown = [*attributes(self.text[start:end], ("alt-text",))]
        if shown:
            return self.keep(start, start + shown[0][1], start + shown[0][2], end)
        return self.hide(start, end)

    def _value(self, match: regex.Match[str], start: int, end: int) -> int:
        name = match["name"] or ""
        is_known = name[:1] in "$'\"" or name in table()["values"]["roots"]
        return self.hide(start, end) if is_known or self.is_generated else end

    def _expression(self, match: regex.Match[str], start: int, end: int) -> int:
        if not self.is_mdx:
            return start + 1
        code = match[0][1:-1].strip()
        if (spans := quoted(code)) and len(code) == spans[0][1] + 1 and spans[0][0] == 1:
            first = start + match[0].find(code) + 1
            return self.keep(start, first, first + len(code) - 2, end)
        return self.hide(start, end)

    def _marker(
        self, match: regex.Match[str], start: int, end: int, marker: Mapping[str, str]
    ) -> int:
        """Hide a marker of the table but for the text in it."""
        sign = marker.get("sign", "")
        if match["shown"] is not None:
            return self.keep(start, *match.span("shown"), end, sign)
        if sign:
            return self.replace(start, end, sign + FILLER * (end - start - len(sign)))
        return self.hide(start, end)

    def _tag(self, match: regex.Match[str], start: int, end: int, family: str) -> int:
        """Read a tag of MDX, Liquid or Hugo."""
        name, rest = match["name"].lower(), match["rest"]
        if match["close"]:
            return end if self.close(family, name, start, end) else self.hide(start, end)
        role = roles().get(name, "")
        is_empty = rest.rstrip(" -%>").endswith("/")
        is_closed = not is_empty and self.last_ends.get((family, name), -1) >= end
        if family == "jsx" and not (is_closed or role or is_empty or "=" in rest):
            return end  # a placeholder
        if is_closed and role in ("hidden", "raw", "code"):
            return self._opaque(family, name, role, start, end)
        labels = self._at(match, self._labels(rest, role, is_closed=is_closed))
        is_alone = self.is_first and (bool(labels) or self.ends_line(end))
        if not role and not is_alone:
            shown = [*attributes(rest, tuple(table()["attributes"]["inline"]))]
            if not shown or is_closed:
                return self.hide(start, end)
            return self.keep(start, *self._at(match, [shown[0][1:]])[0], end)
        if (role or is_closed) and not is_empty:
            return self.begin(Container(family, name, role), start, end, labels)
        self.add_labels(start, labels)
        return self.blank(start, end)

    def _html(self, match: regex.Match[str], start: int, end: int) -> int:
        name, rest = match["name"], match["rest"]
        if match["close"]:
            self.close("html", name, start, end)
            return end
        if (name in STRUCK or is_hidden(match[0])) and not rest.endswith("/"):
            hidden = self._element(name, start, end)
            if hidden > end:
                return hidden
        is_block = self.is_first and name in table()["html"]["names"]
        if is_block and self.last_ends.get(("html", name), -1) >= end:
            return self.begin(Container("html", name), start, end, ())
        return self.hide(start, end) if _TEMPLATE.search(rest) else end

    def _opaque(self, family: str, name: str, role: str, start: int, end: int) -> int:
        """Read an element in which nothing is markup."""
        if role == "code" and self.is_first and self.ends_line(end):
            return self._code(family, name, start, end)
        closing = closing_of(family, name).search(self.text, end)
        if role == "hidden" and closing:
            return self.hide(start, closing.end())
        self.hide(start, end)
        return closing.start() if closing else end

    def _code(self, family: str, name: str, start: int, end: int) -> int:
        """Make the tags around code a fence."""
        closing = closing_of(family, name).search(self.text, end)
        if closing is None:
            return self.hide(start, end)
        for first, last in ((start, end), closing.span()):
            self.replace(first, last, "```" + " " * (last - first - 3))
        return self.at

    def _labels(self, rest: str, role: str, *, is_closed: bool = True) -> list[Stretch]:
        """Return what the reader sees of a tag's attributes."""
        names = table()["attributes"]
        if role == "tabs":
            at = rest.find("items")
            return [(first + at, last + at) for first, last in quoted(rest[at:])] if at >= 0 else []
        found = [*attributes(rest, tuple(names["tab" if role == "tab" else "text"]))]
        if role == "tab":
            found = sorted(found, key=lambda one: names["tab"].index(one[0]))[:1]
        if not found and is_closed and "=" not in rest:
            return quoted(rest)[:1]
        return [(first, last) for _, first, last in found]

    def _at(self, match: regex.Match[str], spans: list[Stretch]) -> list[Stretch]:
        """Return the offsets in the text of stretches of a tag's attributes."""
        at = match.start("rest")
        return [(at + first, at + last) for first, last in spans]

    def _find(self, closer: str, start: int) -> int:
        """Return the end of the next occurrence of ``closer``; -1 if there is none."""
        if closer not in self._seen_ends:
            self._seen_ends[closer] = self.text.rfind(closer)
        is_found = self._seen_ends[closer] >= start
        return self.text.find(closer, start) + len(closer) if is_found else -1

    def _element(self, name: str, start: int, end: int) -> int:
        """Hide an element, unless it is never closed."""
        if name not in self._never_closed:
            depth = 1
            for match in _tags_named(name).finditer(self.text, end):
                depth += -1 if match[1] else not match[0].endswith("/>")
                if not depth:
                    return self.hide(start, match.end())
            self._never_closed.add(name)
        return end
