"""Hooks of mkdocs, which builds the site (`make docs`)."""

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
"""Pages that the search lists below all others."""
BOOST = 0.0001
"""A word in a title weighs 1000 times as much as one in the text, so this must be lower."""


def on_config(config: MkDocsConfig) -> None:
    """Add all decisions to the navigation, in the order of their numbers."""
    found = sorted((ROOT / "docs/decisions").glob("*.md"))
    config.nav[-1]["Project"][-1]["Decisions"] = [f"decisions/{one.name}" for one in found]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and the documents from outside docs/."""
    from mkdocs.structure.files import File

    made = {f"reference/{name}.md": printed for name, printed in PRINTED.items()}
    for place, printed in (made | {f"tutorials/{NOTEBOOK.stem}.md": notebook}).items():
        files.append(File.generated(config, place, content="\n".join(printed()) + "\n"))
    for source, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=brought_in(source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Make the search list decisions, changes and the like last."""
    if page.file.src_uri.startswith(BACKGROUND):
        page.meta["search"] = {"boost": BOOST}


def on_page_context(context: object, page: Page, config: MkDocsConfig, nav: object) -> None:
    """Set the theme to the language of the page, and link to the page in the other language."""
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
    """Refuse a page that loads something from another host; name the dialog for screen readers.

    Raises:
        PluginError: The page has a script, style sheet or picture on another host.
    """
    from mkdocs.exceptions import PluginError

    found = re.search(r'<(?:script|link|img|iframe)\b[^>]+(?:src|href)="(?:\w+:)?//[^"]*', output)
    if found:
        raise PluginError(f"{page.file.src_uri}: loads from elsewhere: {found[0]}")
    return output.replace('role="dialog"', f'role="dialog" aria-label="{config.site_name}"')
