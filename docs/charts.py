"""Draw line charts as SVG for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

STYLE: Final = """
svg { font: 12px system-ui, sans-serif; --ink: #24292f; --faint: #d0d7de; --paper: #ffffff;
  --c0: #0b5c4a; --c1: #b3541e; --c2: #2f66b3; --c3: #8a4fa3; --c4: #a3134f; --c5: #57606a; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --faint: #3d444d; --paper: #151b23;
  --c0: #6fd0b8; --c1: #f0a36b; --c2: #86b4f5; --c3: #d3a4ea; --c4: #f08bb4; --c5: #a3adb8; } }
text { fill: var(--ink); } polyline { fill: none; stroke-width: 2; }
.grid { stroke: var(--faint); } .paper { fill: var(--paper); }
"""
WIDTH: Final = 380
HEIGHT: Final = 250
LEFT, TOP, RIGHT, BOTTOM = 50, 34, 24, 44
LEGEND: Final = 18


@dataclass(frozen=True)
class Line:
    """A line of a chart: points with x and y from 0 to 1, and one that is marked."""

    name: str
    colour: int
    points: Sequence[Sequence[float]]
    marked: Sequence[float] = ()
    is_dashed: bool = False


def chart(panels: Mapping[str, Sequence[Line]], x: str, y: str, low: float, high: float) -> str:
    """Return line charts, two in a row, as SVG for light and dark pages."""
    columns, below = min(2, len(panels)), LEGEND * max(map(len, panels.values())) + 16
    width, height = WIDTH * columns, (HEIGHT + below) * -(-len(panels) // columns)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">',
        f'<style>{STYLE}</style>\n<rect class="paper" width="100%" height="100%"/>',
    ]
    for number, (title, lines) in enumerate(panels.items()):
        row, column = divmod(number, columns)
        at = f"{WIDTH * column} {(HEIGHT + below) * row}"
        drawn.append(f'<g transform="translate({at})">')
        drawn += _panel(title, lines, x, y, low, high)
        drawn.append("</g>")
    return "\n".join([*drawn, "</svg>", ""])


def _panel(
    title: str, lines: Sequence[Line], x: str, y: str, low: float, high: float
) -> Iterator[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def place(point: Sequence[float]) -> tuple[float, float]:
        share = (point[1] - low) / (high - low)
        return LEFT + point[0] * (right - LEFT), bottom - share * (bottom - TOP)

    yield f'<text x="{LEFT}" y="18" font-weight="bold">{title}</text>'
    for step in range(6):
        across, up = place((step / 5, low + (high - low) * step / 5))
        yield f'<path class="grid" d="M{LEFT} {up:.1f}H{right}"/>'
        yield f'<text x="{LEFT - 6}" y="{up + 4:.1f}" text-anchor="end">'
        yield f"{low + (high - low) * step / 5:.0%}</text>"
        yield f'<text x="{across:.1f}" y="{bottom + 16}" text-anchor="middle">{step / 5:.0%}</text>'
    yield f'<text x="{right}" y="{bottom + 34}" text-anchor="end">{x}</text>'
    yield f'<text x="{right}" y="18" text-anchor="end">{y}</text>'
    for number, line in enumerate(lines):
        colour = f"var(--c{line.colour})"
        dashes = ' stroke-dasharray="3 4"' if line.is_dashed else ""
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(place, line.points))
        yield f'<polyline points="{path}" style="stroke:{colour}"{dashes}/>'
        if line.marked:
            a, b = place(line.marked)
            yield f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4.5" style="fill:{colour}"/>'
        at = HEIGHT + LEGEND * number + 8
        yield f'<polyline points="{LEFT},{at} {LEFT + 24},{at}" style="stroke:{colour}"{dashes}/>'
        yield f'<text x="{LEFT + 32}" y="{at + 4}">{line.name}</text>'
