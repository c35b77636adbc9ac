"""Shows the examples of docstrings as code, for mkdocstrings."""

from __future__ import annotations

import re

from griffe import Extension, Object


class Examples(Extension):
    """Fences what follows ``>>>`` up to an empty line, which Markdown takes for a quotation."""

    def on_object(self, *, obj: Object, **kwargs: object) -> None:
        """Called for each class and function."""
        if obj.docstring:
            obj.docstring.value = re.sub(
                r"(?m)^>>> .*(?:\n.+)*", r"```pycon\n\g<0>\n```", obj.docstring.value
            )
