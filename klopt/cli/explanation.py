"""One answer in full: what the pages support, the path through the tree, the features."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.cli.marked import marked
from klopt.cli.table import STYLES
from klopt.cli.terminal import clean, has_colour, shown
from klopt.heuristics import BY_NAME
from klopt.measurement import Evidence, Measurement
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import decimal, said_in
from klopt.scoring.tree import Visit

_EVIDENCE: Final = 6
_LONGEST_CHARS: Final = 50
_SIGNS: Final = {"supported": "✓", "unsupported": "✗", "found": "·"}
_SIGN_STYLES: Final = {"supported": "green", "unsupported": "red", "found": "none"}


def show_explanation(turn: Turn, one: Assessment, console: Console) -> None:
    """Prints a turn and its assessment for a person."""
    console.print(Text("Question  ", style="bold").append(clean(turn.question), style="not bold"))
    console.print(_type_line(turn.question, one))
    console.print()
    console.print("[bold]Answer[/]")
    console.print(marked(turn.answer, one, colour=has_colour(console)))
    if has_colour(console) and one.measurements:
        legend = "[green]green[/]: a page has it   [bold red]red[/]: no page has it"
        console.print(legend, style="dim")
    console.print()
    console.print(shown(one.explanation, f"bold {STYLES[one.verdict]}"))
    if one.translation is not None:
        console.print(shown(_translation_line(one), "dim"))
    if one.path:
        console.print("\n[bold]Path through the tree[/]")
        for visit in one.path:
            console.print(Text(f"  {visit.node:<18} {_said(visit, one)}"))
        console.print()
        _show_features(turn, one, console)
    console.print()
    console.print(shown(one.fingerprint, "dim"))


def _translation_line(one: Assessment) -> str:
    """What was read in translation, of what is shown."""
    note = one.translation
    if note is None or note.status == "failed":
        return "Nothing was read in translation."
    readers = [name for name in one.measurements if BY_NAME[name].reads_translation]
    what = "everything" if note.scope == "whole" else ", ".join(readers) or "no feature"
    lost = note.unmasked_count
    more = f"; in {lost} of its sentences names and numbers were translated too" if lost else ""
    return f"Read in translation ({note.source} to {note.target}): {what}{more}."


def _type_line(question: str, one: Assessment) -> Text:
    line = Text("Type      ", style="bold")
    line.append(one.message_type or "not known", style="none")
    if one.span is not None:
        decided = question[one.span[0] : one.span[1]]
        line.append(f"  (pattern {one.pattern}: “{clean(decided)}”)", style="dim")
    elif one.pattern:
        line.append(f"  ({one.pattern})", style="dim")
    return line


def _said(visit: Visit, one: Assessment) -> str:
    """What a node asked and what came of it."""
    score = decimal(one.score or 0.0, "en")
    if visit.heuristic is None:
        if visit.value is None:
            return "nothing measurable → not scored"
        return f"on a scale of 0 to 1: {visit.value:.2f} → 1 + 4 × {visit.value:.2f} = {score}"
    if visit.value is None:
        return f"{visit.heuristic}: {one.measurements[visit.heuristic].reason} → go on"
    end = f"yes: score {score}" if visit.decided else "no, go on"
    return f"{visit.heuristic} = {visit.value:.2f}, {visit.condition}? → {end}"


def _show_features(turn: Turn, one: Assessment, console: Console) -> None:
    """The features that could be measured, the heaviest first; the others by name, with why."""
    language = said_in(one.language)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("feature", ratio=2)
    table.add_column("value", justify="right")
    table.add_column("weight", justify="right")
    table.add_column("evidence", ratio=3)
    for name in sorted(one.measurements, key=lambda name: -one.weights[name]):
        measurement = one.measurements[name]
        if measurement.value is not None:
            feature = Text(f"{BY_NAME[name].words[language]['asks']} ").append(name, style="dim")
            figures = (f"{measurement.value:.2f}", f"{one.weights[name]:.1f}")
            table.add_row(feature, *figures, _evidence(measurement, turn))
    console.print(table)
    missing = {name: m.reason for name, m in one.measurements.items() if m.value is None}
    if missing:
        console.print()
        console.print(Text("Not measured", style="bold"))
        for name, reason in missing.items():
            console.print(Text(f"  {name}: ").append(shown(reason or "", "dim")))


def _evidence(measurement: Measurement, turn: Turn) -> Text:
    """The first pieces of evidence, what no page supports before the rest."""
    text = Text()
    ranked = sorted(measurement.evidence, key=lambda item: item.kind != "unsupported")
    for item in ranked[:_EVIDENCE]:
        words = clean(" ".join(_words(item).split()))
        words = words if len(words) <= _LONGEST_CHARS else words[: _LONGEST_CHARS - 1] + "…"
        text.append(f"{_SIGNS[item.kind]}\u00a0{words}", style=_SIGN_STYLES[item.kind])
        text.append(f"{_place(item, turn)}  ", style="dim")
    if len(ranked) > _EVIDENCE:
        text.append(f"… {len(ranked) - _EVIDENCE} more", style="dim")
    return text


def _words(item: Evidence) -> str:
    """A pair of words that no page has says more than the stretch between them."""
    entry = item.entry or ""
    return entry if item.kind == "unsupported" and " – " in entry else item.text


def _place(item: Evidence, turn: Turn) -> str:
    """Where a page has it, as an editor counts lines."""
    for page in turn.pages:
        if item.page is not None and page.id == item.page:
            line = page.text.count("\n", 0, item.page_start or 0) + 1
            return f" ({clean(page.id)}, line {line})"
    return ""
