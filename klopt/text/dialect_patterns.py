"""The markup of Markdown's dialects as expressions, with the names and markers of the TOML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import regex

from klopt._internal import shipped

FILLER: Final = "\u200b"
"""Filler for invisible text within a line; readers drop it."""
STRUCK: Final = frozenset({"del", "s", "strike"})


def _braces(depth: int) -> str:
    return rf"\{{(?:[^{{}}]|{_braces(depth - 1)})*+\}}" if depth else r"\{[^{}]*+\}"


_BRACES: Final = _braces(5)
_QUOTED: Final = r"""(?:"[^"]{0,2000}+"|'[^'\n]{0,500}+')"""
_VALUES: Final = rf"""(?:[^<>"'{{}}]|{_QUOTED}|{_BRACES})*+"""
_PROPERTY: Final = rf"[A-Za-z_:@][\w:@.-]*+(?:\s*+=\s*+(?:{_QUOTED}|{_BRACES}|[\w./\#-]++))?+"
_PROPERTIES: Final = rf"(?:\s++(?:{_PROPERTY}|{_BRACES}))*+\s*+/?+"
_TOKENS: Final = rf"""
    (?P<is_escape>\\[\\`~{{<:!+=\[%*^])
    | ^(?P<lead>(?:[ \t>]|[-*+][ ]|\d{{1,9}}[.)][ ])*+)(?:
      (?P<is_fence>(?P<ticks>`{{3,}}+|~{{3,}}+)(?P<rest>[^\n`]*+)$)
      | (?P<is_block>(?:!!!|\?\?\?\+?)(?:[ ]++[\w-]++)++(?:[ ]++"(?P<label>[^"\n]*+)")?[ \t]*+$)
      | (?P<is_indented>===[!+]?[ ]++(?:"(?P<label>[^"\n]++)"|'(?P<label>[^'\n]++)')[ \t]*+$)
      | (?P<is_colons>(?::{{3,}}+[ \t]*+|::(?=[a-z]|[ \t]*+$))
        (?P<braced>\{{(?=[\w-]++\}}))?+(?P<name>[\w-]*+)\}}?+(?P<rest>[^\n]*+)$)
      | (?P<is_slashes>/{{3,}}+(?:[ \t]++(?P<name>[\w-]++)(?:[ ]*+\|(?P<rest>[^\n]++))?)?[ \t]*+$)
      | (?P<is_alert>\[!(?P<name>[\w-]++)(?:\|[^\]\n]*+)?\][+-]?+(?P<rest>(?![(\[])[^\n]*+)$)
      | (?P<is_choice>\#{{1,6}}[ ]++\[(?P<label>[^\]\n]++)\]\(\#tabs?/[^)\n]*+\)[ \t]*+$)
      | (?P<is_sibling>(?:@tab(?::\w++)?|==)[ ]++(?P<label>\S[^\n]*+)$)
      | (?P<is_rule>(?:-{{3,}}+|\*{{3,}}+|\*[ ]\*[ ]\*)[ \t]*+$)
    )
    | (?P<is_module>^(?:
      (?:import[ ](?:[\w*{{}},$\s]{{1,1000}}?\sfrom\s)?+(?:'[^'\n]++'|"[^"\n]++");?[ \t]*+)++$
      |export[ ](?:default|const|let|var|async|function|class|\{{|\*)[^\n]*+))
    | (?P<is_span>`[^`\n]++`|``(?!`)(?:[^`\n]|`(?!`))++``(?!`))
    | (?P<is_comment>(?P<name><!--|\{{/\*|\{{\{{[<%]?/\*))
    | (?P<is_line>^[ ]{{0,3}}\[(?://|comment)\]:[ ]?[#<][^\n]*+)
    | (?P<is_picture>:::(?:image|icon|video)\b[^\n]*?:::)
    | (?P<is_liquid>\{{%[-+]?\s*+(?P<close>end|/[ ]*+)?+(?P<name>[\w-]++)
        (?P<rest>(?:[^%{{]|\{{(?!%)|%(?!\}}))*+)%\}})
    | (?P<is_hugo>\{{\{{[<%]\s*+(?P<close>/?+)[ ]*+(?P<name>[\w./-]++)
        (?P<rest>(?:[^{{}}]|\{{(?!\{{)|\}}(?!\}}))*+)\}}\}})
    | (?P<is_value>\{{\{{[ ]*+(?:(?P<name>[\w$'"]++)[^{{}}\n]*+)?+\}}\}})
    | (?P<is_jsx><(?P<close>/?+)(?P<name>[A-Z][\w.]*+)(?P<rest>{_PROPERTIES})>)
    | (?P<is_html><(?=/?+(?:HTML_NAMES)\b|[a-z][^<>]*?(?i:hidden|display|\{{))
      (?P<close>/?+)(?P<name>[a-z][\w-]*+)(?P<rest>{_VALUES})>)
"""
FRONT_MATTER: Final = regex.compile(
    r"(?m)(---|\+\+\+)[ \t]*+\n(?:[ \t#][^\n]*+\n|\n)*+[\w.\"'-]++[ ]?[:=][^\n]*+\n"
    r"(?:(?!\1)(?:[\w.\"'-]++[ ]?[:=]|[ \t#\-\[\]{}]|$)[^\n]*+\n)*+\1[ \t]*+(?:\n|\Z)",
    regex.VERSION1,
)
FRONT_FIELD: Final = regex.compile(
    r"""^(?P<name>title|description)[ ]?[:=][ \t]*+(?:
      [>|][+-]?[ \t]*+\n(?P<text>(?:[ \t]++[^\n]++(?:\n|\Z))++)
      |(?P<quote>["']?)(?P<text>[^\n]+?)(?P=quote)[ \t]*+$)""",
    regex.MULTILINE | regex.VERBOSE | regex.VERSION1,
)
CLOSERS: Final = regex.compile(
    r"</(?:(?P<jsx>[A-Z][\w.]*+)|(?P<html>[a-z][\w-]*+))"
    r"|\{%[-+]?\s*+(?:end|/[ ]*+)(?P<liquid>[\w-]++)|\{\{[<%]\s*+/[ ]*+(?P<hugo>[\w./-]++)",
    regex.VERSION1,
)
_ATTRIBUTE: Final = regex.compile(
    r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?+""", regex.VERSION1
)
_HIDING: Final = regex.compile(
    r"(?i)(?<![\w-])(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)", regex.VERSION1
)
_LABEL: Final = regex.compile(
    r"(?<![\w.-])(?P<name>[a-zA-Z][\w-]*+)\s*+=\s*+\{?+\s*+"
    r"""(?:"(?P<label>[^"\n]++)"|'(?P<label>[^'\n]++)'|`(?P<label>[^`\n]++)`)""",
    regex.VERSION1,
)
_QUOTED_TEXT: Final = regex.compile(
    r"""(?:"([^"\n]++)"|'([^'\n]++)'|`([^`\n]++)`)""", regex.VERSION1
)


@cache
def table() -> Mapping[str, Any]:
    """Return the names and markers of dialects, as in `dialects.toml`."""
    return shipped.table("klopt.text", "dialects.toml")


@cache
def roles() -> Mapping[str, str]:
    """Return the role of each tag that has one, by its name in lower case."""
    return {name: role for role, names in table()["roles"].items() for name in names}


@cache
def tokens() -> regex.Pattern[str]:
    """Return the expression of all that is no plain Markdown, and of what protects it: code."""
    markers = "|".join(
        f"(?P<is_{number}>{marker['pattern']})" for number, marker in enumerate(table()["marker"])
    )
    known = _TOKENS.replace("HTML_NAMES", "|".join((*table()["html"]["names"], *STRUCK)))
    start = r"(?:^|(?=[\\`{<:~^]|==|\+\+|%%|!?\[\[|\[!))"
    return regex.compile(
        rf"{start} (?:{known} | {markers} | (?P<is_expression>{_BRACES}))",
        regex.MULTILINE | regex.VERBOSE | regex.VERSION1,
    )


@cache
def kinds() -> tuple[tuple[str, int], ...]:
    """Return the kinds of tokens with their groups; the number of a marker is its kind."""
    groups = tokens().groupindex.items()
    return tuple((name[3:], group) for name, group in groups if name.startswith("is_"))


@cache
def closing_of(family: str, name: str) -> regex.Pattern[str]:
    """Return the expression of what ends an element, or a fence with ``name`` for its ticks."""
    name = regex.escape(name)
    form = {
        "jsx": rf"</{name}\s*+>",
        "liquid": rf"\{{%[-+]?\s*+(?:end|/[ ]*+){name}\b[^%]*+%\}}",
        "hugo": rf"\{{\{{[<%]\s*+/[ ]*+{name}\s*+[%>]\}}\}}",
        "colons": r"^[ \t]*+:::++[ \t]*+$",
        "fence": rf"^[ \t>]*+{name}[`~]*+[ \t]*+$",
    }
    return regex.compile(f"(?mi){form[family]}", regex.VERSION1)


def attributes(source: str, names: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield the attributes of a tag with one of these names: name, start and end of its text.

    >>> list(attributes(' id="a" title="Mac"', ("title",)))
    [('title', 15, 18)]
    """
    for match in _LABEL.finditer(source):
        if match["name"] in names:
            yield match["name"], *match.span("label")


def quoted(source: str) -> list[tuple[int, int]]:
    """Return start and end of each quoted text.

    >>> quoted("items={['npm', 'pnpm']}")
    [(9, 12), (16, 20)]
    """
    return [
        match.span(match.lastindex) for match in _QUOTED_TEXT.finditer(source) if match.lastindex
    ]


def is_hidden(source: str) -> bool:
    """Whether the start tag of an element hides it.

    >>> is_hidden('<p style="display: none">'), is_hidden('<p title="a hidden gem">')
    (True, False)
    """
    if "hidden" not in (small := source.lower()) and "display" not in small:
        return False
    for name, value in _ATTRIBUTE.findall(source[source.find(" ") + 1 :] if " " in source else ""):
        bare = value.strip("\"'").strip().lower()
        match name.lower():
            case "hidden" if bare != "until-found":
                return True
            case "aria-hidden" if bare == "true":
                return True
            case "style" if _HIDING.search(bare):
                return True
    return False
