"""Show the examples of docstrings as code, for mkdocstrings."""

from __future__ import annotations

import re

from griffe import Extension, Object


class Examples(Extension):
    """Fence examples (``>>>`` up to an empty line), which Markdown takes for quotations."""

    def on_object(self, *, obj: Object, **kwargs: object) -> None:
        """Fence the examples of a class or function."""
        if obj.docstring:
            obj.docstring.value = re.sub(
                r"(?m)^>>> .*(?:\n.+)*", r"```pycon\n\g<0>\n```", obj.docstring.value
            )
