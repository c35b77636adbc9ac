"""The translation that options and a profile describe, and what it sends where."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import click

from klopt.cli.translation_options import MEMORY, NONE, TranslationOptions
from klopt.errors import UnknownLanguageError
from klopt.scoring.interpretation import Scope, Translate
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import Memory
from klopt.translators.providers import provider as known_provider


def translation(
    options: TranslationOptions, profile: Profile, stack: ExitStack
) -> Translate | None:
    """What a scorer is to translate with; None when nothing is translated.

    Says on standard error, once, what is sent where; nothing is sent unless a translator is named.

    Args:
        options: What was asked for; it goes before the profile.
        profile: May ask for a translation itself.
        stack: Closes the memory.

    Raises:
        click.UsageError: Options that do not go together, or no memory to read from.
        UnknownLanguageError: The profile does not have the language to translate to.
        ConfigurationError: There is no such translator, or its address is wrong.
        CredentialsError: The translator needs a key.
        ExtraMissingError: What asking needs is not installed.
        InputError: The memory cannot be read or written.
    """
    settings = profile.translate
    target = settings.to if settings is not None else None
    if options.translate is not None:
        target = options.translate
    if target is None or target == NONE:
        options.refuse_without_translation()
        return None
    if target not in profile.languages:
        raise UnknownLanguageError(
            f'profile "{profile.name}" has no language "{target}" to translate to; it has '
            f"{', '.join(profile.languages)}"
        )
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


def translating_scorer(
    options: TranslationOptions,
    profile: str,
    stack: ExitStack,
    *,
    all_types: bool = False,
    terms: Iterable[Path] = (),
) -> Scorer:
    """A scorer that translates as options and a profile say; `translation` tells what is raised."""
    loaded = Profile.load(profile)
    translate = translation(options, loaded, stack)
    if translate is None:
        loaded = dataclasses.replace(loaded, translate=None)
    return Scorer(loaded, all_types=all_types, terms=terms, translate=translate)


def _interpreter(options: TranslationOptions, target: str, stack: ExitStack) -> MemoryInterpreter:
    path = options.memory or Path(MEMORY)
    if options.translator is None or options.offline:
        if not path.is_file():
            online = (
                "" if options.offline else ", or name an online translator (--translator deepl)"
            )
            raise click.UsageError(
                f"there is no translation memory {path}. Make one of what you have translated "
                f"already (klopt memory import, pages, rows){online}."
            )
        provider = None
        if options.translator is not None:
            provider = known_provider(options.translator).name
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
