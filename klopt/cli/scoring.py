"""How a log is read, translated and scored: options, their scorer, and the demo company's log."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import click

from klopt._internal.cached import cached_property
from klopt.cli import options
from klopt.cli.models import NONE, OpinionOptions
from klopt.cli.options import check_language, open_index, option, pages_in, refuse
from klopt.cli.terminal import counted, next_steps, tell, warn
from klopt.errors import InputError

if TYPE_CHECKING:
    from klopt.logs.rows import Row
    from klopt.retrieval.index_file import Index
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.setup import Setup
    from klopt.translation import Translate, TranslationCache, Translator
    from klopt.types import Page
    from klopt.types import Pages as KnownPages

TRANSLATION_CACHE: Final = "klopt-translations.sqlite"
_DEMO: Final = Path(str(resources.files("klopt.data").joinpath("demo")))


@dataclass(frozen=True, slots=True)
class TranslationOptions:
    """The options for translation; the profile's [translate] has further settings."""

    translate: str | None = option(
        "Translate to this language, such as en, for the features that the paper marks, or for all "
        "features if the profile says so or has no lexicons for the language. "
        f"{NONE}: do not translate.",
        metavar="CODE",
        callback=lambda _, __, value: value if value is None else value.strip().lower(),
    )
    translator: str | None = option(
        "Send sentences that the cache lacks to this online translator, such as deepl, google or "
        "libretranslate=URL for your own server. Off by default.",
        metavar="NAME",
    )
    translation_cache: Path | None = option(
        f"Translation cache; {TRANSLATION_CACHE} by default. `klopt translations` fills it.",
        type=options.OWN_FILE,
    )


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(options.SetupOptions):
    """The options that say how a log is read and scored."""

    language: options.Language
    names: options.Names

    @cached_property
    def opened_index(self) -> Index | None:
        """The index of ``--index``, or one of ``--pages`` to retrieve pages from."""
        if self.index is None:
            if not self.retrieve or self.pages is None:
                return None
            return temporary_index(self._pages_of_folder, self.loaded())
        index = open_index(self.index)
        if self.retrieve:
            index.check_searchable()
        return index

    @cached_property
    def _pages_of_folder(self) -> dict[str, Page]:
        """The pages of ``--pages``, by name."""
        return {} if self.pages is None else pages_in(self.pages)

    @cached_property
    def known_pages(self) -> KnownPages | None:
        """The pages that contexts may name."""
        pages = self.opened_index if self.pages is None else self._pages_of_folder
        if pages is None:
            return None
        from klopt._internal.page_names import NamedPages

        return NamedPages(pages)

    def rows(
        self,
        *files: str,
        encoding: str | None = None,
        with_contexts: bool = True,
        needed: Sequence[str] = ("question", "answer"),
        is_answered: bool = False,
    ) -> Iterator[Row]:
        """Yield the rows of files, in the language of ``--language`` unless they state one.

        With ``is_answered`` an InputError if no row has a question and an answer.
        """
        from klopt.logs.rows import read_rows

        for file in files:
            hints: list[str] = []
            rows = read_rows(
                file,
                pages=self.known_pages,
                names=self.names,
                with_contexts=with_contexts,
                file=file if len(files) > 1 else "",
                encoding=encoding,
                needed=needed,
                warn=warn,
                suggest=hints.append if is_answered else None,
            )
            for row in answered(rows, hints) if is_answered else rows:
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
        """Return a scorer with translation and opinions as the options or else the profile say.

        Prints what is sent where. Without ``advising`` there are no second opinions.
        """
        from klopt.scoring.scorer import Scorer

        setup = self.loaded()
        profile = setup.profile
        adviser = None if advising is None else advising.adviser(profile, stack)
        translate = _translate(translating, setup, stack)
        translate_settings = None if translate is None else profile.translate
        opinion = None if adviser is None else profile.opinion
        setup = replace(
            setup, profile=replace(profile, translate=translate_settings, opinion=opinion)
        )
        index, retrieve = self.opened_index, self.retrieve
        scorer = Scorer(setup, translate=translate, adviser=adviser, index=index, retrieve=retrieve)
        check_language(self.language, scorer)
        return scorer


def answered(rows: Iterable[Row], hints: Sequence[str]) -> Iterator[Row]:
    """Yield the same rows; at the end warn with the hints on what to map.

    InputError instead if no row has a question and an answer.
    """
    is_answered = False
    for row in rows:
        is_answered = is_answered or has_answer(row)
        yield row
    for hint in hints:
        if not is_answered:
            raise InputError(hint)
        warn(hint)


def has_answer(row: Row) -> bool:
    """Whether a row is a turn with a question and an answer."""
    return row.turn is not None and bool(row.turn.question and row.turn.answer)


def warn_to_retrieve(setup: options.SetupOptions, without: int, total: int) -> None:
    """Warn if there is an index, or most rows were not scored because they have no contexts."""
    has_pages = setup.index is not None or setup.pages is not None
    if without and not setup.retrieve and (setup.index is not None or 2 * without > total):
        option = "--retrieve 3" if has_pages else "--pages DIR --retrieve 3"
        where = "the index" if setup.index is not None else "the folder of help pages"
        warn(
            f"{counted(without, 'row')} without contexts: {option} finds pages for them in {where}."
        )


def how_to_translate(translating: TranslationOptions, target: str) -> str:
    """Return the commands that fill the translation cache of the current command."""
    given = click.get_current_context().params
    cache, pages = translating.translation_cache or TRANSLATION_CACHE, given.get("pages")
    log = next(iter(given.get("files") or ()), given.get("file")) or "LOG"
    read = [log, *(() if pages is None else ("--pages", pages)), "--to", target]
    command, file = ["klopt", "translations"], "todo.csv"
    missing = [*command, "missing", cache, *read, "-o", file]
    return next_steps(
        (missing, "lists the sentences; fill in the column target"),
        ([*command, "import", cache, file], "then repeat this command"),
    )


def temporary_index(pages: KnownPages, setup: Setup) -> Index:
    """Return an index of pages, in a file that is removed when klopt ends."""
    from klopt.retrieval.building import build
    from klopt.retrieval.index_file import Index

    with NamedTemporaryFile(suffix=".klopt", delete=False) as file:
        atexit.register(Path(file.name).unlink, missing_ok=True)
        build(cast(BinaryIO, file), pages, setup)
    return Index.open(file.name)


def _translate(translating: TranslationOptions, setup: Setup, stack: ExitStack) -> Translate | None:
    from klopt.scoring.profile import TranslateSettings

    settings = setup.profile.translate
    target = translating.translate
    if target is None and settings is not None:
        target = settings.to
    if target in (None, NONE):
        names = ("translator", "translation_cache")
        refuse(translating, names, "is for translating; add --translate en")
        return None
    setup.check_language(target)
    from klopt.translation import CachedTranslator, Translate

    settings = settings or TranslateSettings(target)
    cache, translator = _cache_and_translator(translating, target, stack)
    cached = CachedTranslator(cache, target=target, translator=translator)
    return Translate(cached, scope=settings.scope, required=settings.required)


def _cache_and_translator(
    translating: TranslationOptions, target: str, stack: ExitStack
) -> tuple[TranslationCache, Translator | None]:
    from klopt.translation import TranslationCache, online_translator

    path = translating.translation_cache or Path(TRANSLATION_CACHE)
    if translating.translator is None:
        if not path.is_file():
            raise click.UsageError(
                f"there is no translation cache {path}. Name an online translator (--translator "
                f"deepl), or make a cache.\n{how_to_translate(translating, target)}"
            )
        return stack.enter_context(TranslationCache(path)), None
    name, _, url = translating.translator.partition("=")
    translator = online_translator(name, os.environ, url=url or None)
    cache = stack.enter_context(TranslationCache(path, create=True))
    tell(
        f"Sentences of questions, answers and pages that are not in {path} are sent to "
        f"{translator.destination} ({translator.name}) for translation to {target}. UI names, "
        "commands, paths, addresses, codes and numbers in them stay here, unless a sentence comes "
        "back without their placeholders: it is then sent again as it is."
    )
    return cache, translator


def demo_terms() -> tuple[Path, ...]:
    """Return the company terms of the demo company."""
    return tuple(sorted(_DEMO.glob("terms-*.toml")))


def demo_rows() -> Iterator[Row]:
    """Yield the demo company's chat log; contexts are pages in the language of the turn."""
    from klopt.logs.pages import read_pages
    from klopt.logs.rows import read_rows

    pages = {language: read_pages(_DEMO / "pages" / language) for language in ("nl", "en")}
    log = str(_DEMO / "turns.jsonl")
    readers = (read_rows(log, pages=own) for own in pages.values())
    for dutch, english in zip(*readers, strict=True):
        is_english = english.turn is not None and english.turn.language == "en"
        yield english if is_english else dutch
