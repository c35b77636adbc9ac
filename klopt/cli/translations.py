"""Reading a translation: its options, the scorer that they describe, and what is sent where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from klopt.cached import cached_property
from klopt.cli.asking import OpinionOptions
from klopt.cli.options import (
    NEW_FILE,
    Language,
    Names,
    SetupOptions,
    check_language,
    option,
    pages_in,
    refuse,
)

if TYPE_CHECKING:
    from klopt.batch.rows import Row
    from klopt.indexing.index_file import Index
    from klopt.records import Pages as KnownPages
    from klopt.scoring.interpretation import Scope, Translate
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.setup import Setup
    from klopt.translation.interpreter import MemoryInterpreter

MEMORY: Final = "klopt-memory.sqlite"
NONE: Final = "none"
WORDS: Final = "words"
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class TranslationOptions:
    """What the options say of translation; see their help."""

    translate: str | None = option(
        "Read a translation to this language, such as en: the features that the paper marks (hal, "
        "subject_combination, verbatim_guide_defined) do, and everything does for a language "
        f"without tables, such as --language de. {WORDS}: word for word in English, by tables that "
        "come with klopt, what could not be read otherwise: answers in German or French, pages in "
        f"another language than the answer. {ANY}: the same, and answers in whatever language over "
        f"pages in it, as they stand (with the extra languages). {NONE}: never, whatever the "
        "profile says.",
        metavar="CODE",
        callback=lambda _, __, value: value if value is None else value.strip().lower(),
    )
    translate_all: bool = option("Every feature reads the translation, not only some.")
    translate_required: bool = option(
        "An answer that cannot be translated is not scored, rather than on the original."
    )
    translator: str | None = option(
        "Ask this online translator, such as deepl, google or libretranslate, for what the memory "
        "lacks. Nobody is asked without it.",
        metavar="NAME",
    )
    translator_url: str | None = option(
        "The address of your own LibreTranslate server.", metavar="URL"
    )
    memory: Path | None = option(
        "The translation memory: what was translated once is not asked again. "
        f"{MEMORY} in this folder when left out; klopt memory fills it.",
        type=NEW_FILE,
        metavar="FILE",
    )
    offline: bool = option(
        "Use the memory alone, also what --translator gave before; the same bytes each time."
    )


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(SetupOptions):
    """With what a log is read and scored; see the options' help."""

    language: Language
    names: Names

    @cached_property
    def opened_index(self) -> Index | None:
        """The index, where one was given."""
        if self.index is None:
            return None
        from klopt.indexing.index_file import Index

        return Index.open(self.index)

    @cached_property
    def known_pages(self) -> KnownPages | None:
        """The pages that contexts may name; None when none were given."""
        return self.opened_index if self.pages is None else pages_in(self.pages)

    def rows(
        self, *files: str, with_contexts: bool = True, stated: str | None = None
    ) -> Iterator[Row]:
        """The rows of files, each with the stated language unless it states its own.

        ``stated`` is their form, where their endings do not say.
        """
        from klopt.batch.rows import read_rows

        for file in files:
            rows = read_rows(
                file,
                pages=self.known_pages,
                names=self.names,
                with_contexts=with_contexts,
                stated=stated,
                file=file if len(files) > 1 else "",
            )
            for row in rows:
                turn = row.turn
                if turn is not None and turn.language == "auto" != self.language:
                    row = replace(row, turn=replace(turn, language=self.language))
                yield row

    def scorer(
        self,
        translating: TranslationOptions,
        stack: ExitStack,
        advising: OpinionOptions | None = None,
    ) -> Scorer:
        """A scorer that translates, and asks for opinions, as options or else the profile say.

        Says on standard error, once, what is sent where; nothing is sent unless a translator or
        an opinion is named. Without ``advising`` nobody is asked, whatever the profile says.
        """
        from klopt.scoring.scorer import Scorer

        setup = self.loaded()
        profile = setup.profile
        adviser = None if advising is None else advising.adviser(profile, stack)
        translate = _translate(translating, setup, stack)
        profile = replace(
            profile,
            translate=None if translate is None else profile.translate,
            opinion=None if adviser is None else profile.opinion,
        )
        scorer = Scorer(
            replace(setup, profile=profile),
            translate=translate,
            adviser=adviser,
            index=self.opened_index,
            retrieve=self.retrieve,
        )
        check_language(self.language, scorer)
        return scorer


def _translate(options: TranslationOptions, setup: Setup, stack: ExitStack) -> Translate | None:
    """What a scorer is to translate with; None when nothing is translated."""
    settings = setup.profile.translate
    target = options.translate
    if target is None and settings is not None:
        target = settings.to
    if target in (None, NONE, WORDS, ANY):
        how = [field.name for field in fields(options) if field.name != "translate"]
        refuse(options, how, "is for translating; add --translate en")
        if target in (None, NONE):
            return None
        from klopt.translation.word_for_word import word_for_word

        setup.check_language("en")
        return word_for_word(any_language=target == ANY)
    setup.check_language(target)
    from klopt.scoring.interpretation import Translate

    scope: Scope = settings.scope if settings is not None else "marked"
    if options.translate_all:
        scope = "whole"
    if options.translator_url is not None and options.translator is None:
        raise click.UsageError(
            "--translator-url is the address of --translator libretranslate; name that too."
        )
    return Translate(
        _interpreter(options, target, stack), scope=scope, required=options.translate_required
    )


def _interpreter(options: TranslationOptions, target: str, stack: ExitStack) -> MemoryInterpreter:
    from klopt.translation.interpreter import MemoryInterpreter
    from klopt.translation.memory import Memory

    path = options.memory or Path(MEMORY)
    if options.translator is None or options.offline:
        if not path.is_file():
            name_one = ", or name an online translator (--translator deepl)"
            raise click.UsageError(
                f"there is no translation memory {path}. Make one of what you have translated "
                f"already (klopt memory import, pages){'' if options.offline else name_one}."
            )
        provider = None
        if options.translator is not None:
            from klopt.translators.providers import provider as known

            provider = known(options.translator).name
        memory = stack.enter_context(Memory.open(path, create=False, read_only=True))
        return MemoryInterpreter(memory, target=target, provider=provider)
    from klopt.translators.online import online_translator

    translator = online_translator(options.translator, os.environ, url=options.translator_url)
    memory = stack.enter_context(Memory.open(path, create=True))
    click.echo(
        f"Sentences of questions, answers and pages that are not in {path} are sent to "
        f"{translator.destination} ({translator.name}) for translation to {target}. Names of "
        "screens, commands, paths, addresses, codes and numbers in them stay here, unless a "
        "sentence comes back without its marks for them: it is then sent as it stands.",
        err=True,
    )
    return MemoryInterpreter(memory, target=target, translator=translator)
