"""Print a notebook as a page of the site, with the output of each cell."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import pprint
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

NOTEBOOK: Final = Path(__file__).parent / "tutorials" / "notebook.ipynb"
_MAX_CHARS: Final = 1_500
_WIDTH: Final = 100


def notebook() -> Iterator[str]:
    """Yield the lines of the page."""
    names: dict[str, Any] = {}
    for at, cell in enumerate(json.loads(NOTEBOOK.read_text("utf-8"))["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield f"{text}\n"
            continue
        yield f"```python\n{text}\n```\n"
        said, value = run(text, names)
        if hasattr(value, "_repr_html_"):
            yield f"<div>{' '.join(value._repr_html_().split())}</div>\n"
        elif value is not None:
            said += pprint.pformat(value, width=_WIDTH, sort_dicts=False)
        if said:
            shown = said if len(said) <= _MAX_CHARS else f"{said[:_MAX_CHARS]}…"
            yield f"```text\n{shown.rstrip()}\n```\n"
        if at == 1:
            yield f"[This page as a notebook]({NOTEBOOK.name}){{ download }}\n"


def run(code: str, names: dict[str, Any]) -> tuple[str, object]:
    """Return what a cell prints, and the value of its last line, as Jupyter does."""
    parsed = ast.parse(code)
    last = parsed.body.pop() if isinstance(parsed.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(parsed, NOTEBOOK.name, "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
    return printed.getvalue(), value
