"""``klopt company``."""

from __future__ import annotations

from typing import Final

import click

from klopt.cli import LazyGroup

COMMANDS: Final = {
    "init": "Create a company's folder from its help pages.",
    "check": "Find problems in a folder, and answers whose score has changed.",
    "suggest": "Suggest names to allow and pages to improve, from rated answers or a log.",
    "review": "Rate answers and decide on suggestions, on a web page.",
    "show": "Show the lexicons and settings of a folder.",
    "allow": "Allow names that exist although they are on no page.",
    "deny": "Deny names: answers that contain one always need review.",
    "terms": "Extract a company's own terms from its help pages.",
}


@click.group(
    "company",
    cls=LazyGroup,
    summaries=COMMANDS,
    package=__name__,
    together={
        **dict.fromkeys(("allow", "deny"), "names"),
        **dict.fromkeys(("init", "terms"), "init"),
    },
)
def command() -> None:
    """Tune klopt to a company: its names, lexicons, thresholds and ratings, in one folder.

    Start with: klopt company init --pages help/ -o acme/
    """
