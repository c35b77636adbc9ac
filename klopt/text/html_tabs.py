"""Find the panels of tabs in an HTML page, and their labels."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NamedTuple

import regex

from klopt.text.html_tree import Element, Tree

MAX_LABEL_CHARS: Final = 80
_LABELLED: Final = regex.compile(
    r"""(?i)\s(?:aria-controls|href|for|data-(?:bs-)?target)\s*+=\s*+["']?#?([^\s"'>]++)"""
)
_ID: Final = regex.compile(r"""(?i)\sid\s*+=\s*+["']?([^\s"'>]++)""")
_LABEL_ID: Final = regex.compile(r"""(?i)\saria-labelledby\s*+=\s*+["']?([^\s"'>]++)""")
_OWN_LABEL: Final = regex.compile(
    r"""(?i)\s(?:aria-label|data-label|data-title|label)\s*+=\s*+["']([^"'>]++)"""
)


class Panel(NamedTuple):
    """A panel: its label, and its place as in `klopt.text.plain.Block.tab`."""

    label: str
    tab: tuple[int, int]


def panels_of(tree: Tree) -> dict[int, Panel]:
    """Return the panels of a page by the number of their first event; their labels are unseen.

    A label belongs to the panel that it names, or that names it, else to the panel with the same
    place among those beside it.
    """
    has_blocks = "tabbed-block" in tree.source
    panels = [element for element in tree.elements if _is_panel(element, has_blocks=has_blocks)]
    if not panels:
        return {}
    labels = [element for element in tree.elements if _is_label(element)]
    starts = [label.first for label in labels]
    by_target = {match[1]: e for e in labels if (match := _LABELLED.search(e.source))}
    by_id = {match[1]: e for e in labels if (match := _ID.search(e.source))}
    found: dict[int, Panel] = {}
    rows: dict[int, list[Element]] = {}  # by what is around the panels: the labels above them
    numbers: dict[int, int] = {}
    end = 0  # of the panel before
    for panel in panels:
        above = labels[bisect_left(starts, end) : bisect_left(starts, panel.first)]
        end = panel.last
        around = panel.parent.first
        beside = rows.setdefault(around, above)
        number = numbers[around] = numbers.get(around, -1) + 1
        own_id, label_id = _ID.search(panel.source), _LABEL_ID.search(panel.source)
        label = by_target.get(own_id[1]) if own_id else None
        if label is None and label_id:
            label = by_id.get(label_id[1])
        if label is None:
            label = next(iter([*beside[number : number + 1], *above[-1:]]), None)
        text = tree.text_of(label) if label is not None else ""
        if not text and (own := _OWN_LABEL.search(panel.source)):
            text = own[1]
        if text and len(text) <= MAX_LABEL_CHARS:
            row = list(rows).index(around)
            found[panel.first] = Panel(text, (row, number))
            if label is not None:
                label.is_seen = False
    return found


def _is_panel(element: Element, *, has_blocks: bool) -> bool:
    facts = element.facts
    return element.is_seen and (
        facts.is_panel or (not has_blocks and "tabbed-content" in facts.classes)
    )


def _is_label(element: Element) -> bool:
    if not element.is_seen:
        return False
    if element.facts.is_tab:
        return True
    return element.kind == "label" and "tab" in element.parent.facts.classes
