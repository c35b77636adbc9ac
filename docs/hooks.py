"""What mkdocs asks for while it builds the site (`make docs`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from notebook import NOTEBOOK, notebook
from printed import OUTSIDE, PRINTED, ROOT, brought_in

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

BACKGROUND = ("decisions/", "explanation/fuzzing.md", "history.md", *OUTSIDE.values())
"""What the search shows below the pages that say how to do something."""
BOOST = 0.0001
"""Of what else has the words: one in a title weighs 1000 times what one in the text does."""


def on_config(config: MkDocsConfig) -> None:
    """All decisions in the order of their numbers."""
    found = sorted((ROOT / "docs/decisions").glob("*.md"))
    config.nav[-1]["Decisions"] = [f"decisions/{one.name}" for one in found]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are printed, and those from outside."""
    from mkdocs.structure.files import File

    made = {f"reference/{name}.md": printed for name, printed in PRINTED.items()}
    for place, printed in (made | {f"tutorials/{NOTEBOOK.stem}.md": notebook}).items():
        files.append(File.generated(config, place, content="\n".join(printed()) + "\n"))
    for source, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=brought_in(source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Lets the search find decisions, changes and the like last."""
    if page.file.src_uri.startswith(BACKGROUND):
        page.meta["search"] = {"boost": BOOST}


def on_page_context(context: object, page: Page, config: MkDocsConfig, nav: object) -> None:
    """The theme speaks as the page does; the switch leads to the same page, if it is there."""
    language = page.meta.get("language", "en")
    config.theme["language"] = language
    english = page.file.src_uri.removeprefix("nl/")
    is_in_both = (ROOT / "docs/nl" / english).exists()
    for one, folder in zip(config.extra["alternate"], ("", "nl/"), strict=True):
        place = english if is_in_both else "index.md"
        one["link"] = f"{folder}{place.removesuffix('.md')}.html"
        if one["lang"] == language:
            one["link"] = page.url


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Refuses a page that would load something from elsewhere; names the dialog.

    Raises:
        PluginError: It has a script, style sheet, font or picture with an address of its own.
    """
    from mkdocs.exceptions import PluginError

    found = re.search(r'<(?:script|link|img|iframe)\b[^>]+(?:src|href)="(?:\w+:)?//[^"]*', output)
    if found:
        raise PluginError(f"{page.file.src_uri}: loads from elsewhere: {found[0]}")
    return output.replace('role="dialog"', f'role="dialog" aria-label="{config.site_name}"')
