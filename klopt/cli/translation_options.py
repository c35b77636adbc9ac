"""Options for reading a translation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from klopt.cli.gathered import gathered
from klopt.translators.providers import PROVIDERS

MEMORY: Final = "klopt-memory.sqlite"
NONE: Final = "none"


def _code(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    return value if value is None else value.strip().lower()


_OPTIONS: Final = (
    click.option(
        "--translate",
        metavar="CODE",
        callback=_code,
        help="Read a translation to this language, such as en: the features that the paper marks "
        "(hal, subject_combination, verbatim_guide_defined) do, and everything does for a "
        f"language without tables, such as --language de. {NONE}: never, whatever the profile "
        "says.",
    ),
    click.option(
        "--translate-all", is_flag=True, help="Every feature reads the translation, not only some."
    ),
    click.option(
        "--translate-required",
        is_flag=True,
        help="An answer that cannot be translated is not scored, rather than on the original.",
    ),
    click.option(
        "--translator",
        metavar="NAME",
        help="Ask this online translator for what the memory lacks: "
        f"{', '.join(PROVIDERS)}. Nobody is asked without it.",
    ),
    click.option(
        "--translator-url",
        metavar="URL",
        help="The address of your own LibreTranslate server.",
    ),
    click.option(
        "--memory",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="The translation memory: what was translated once is not asked again. "
        f"{MEMORY} in this folder when left out; klopt memory fills it.",
    ),
    click.option(
        "--offline",
        is_flag=True,
        help="Use the memory alone, also what --translator gave before; the same bytes each time.",
    ),
)


@dataclass(frozen=True, slots=True)
class TranslationOptions:
    """What the options say of translation; see their help."""

    translate: str | None
    translate_all: bool
    translate_required: bool
    translator: str | None
    translator_url: str | None
    memory: Path | None
    offline: bool

    def refuse_without_translation(self) -> None:
        """Stops at options that say how to translate when nothing is translated.

        Raises:
            click.UsageError: With the first of them.
        """
        for option, is_given in (
            ("--translate-all", self.translate_all),
            ("--translate-required", self.translate_required),
            ("--translator", self.translator is not None),
            ("--translator-url", self.translator_url is not None),
            ("--memory", self.memory is not None),
            ("--offline", self.offline),
        ):
            if is_given:
                raise click.UsageError(f"{option} is for translating; add --translate en.")


translation_options = gathered(TranslationOptions, _OPTIONS)
"""The options that describe a translation, as one `TranslationOptions`."""
