"""``klopt company``."""

from __future__ import annotations

from typing import Final

import click

from klopt.cli import LazyGroup

COMMANDS: Final = {
    "init": "Make a company's folder from its help pages.",
    "check": "Say what is wrong with a folder, and what it changed since the accepted run.",
    "suggest": "Suggest names, synonyms and pages to look at, from rated answers or a log.",
    "review": "Rate answers on a web page, and decide what is suggested.",
    "show": "Show what a folder holds, or its profile whole.",
    "lines": "Show what other lines would send and hold back.",
    "allow": "Allow names: they exist, though no page has them.",
    "deny": "Deny names: no answer that has one is sent unseen.",
    "terms": "Learn a company's own terms from its help pages.",
}


@click.group(
    "company",
    cls=LazyGroup,
    told=COMMANDS,
    package=__name__,
    together={
        **dict.fromkeys(("allow", "deny"), "names"),
        **dict.fromkeys(("show", "lines"), "show"),
        **dict.fromkeys(("init", "terms"), "init"),
    },
)
def command() -> None:
    """Tune klopt to a company: its words, names, patterns and ratings, in one folder.

    Start with: klopt company init --pages help/ -o acme/
    """
