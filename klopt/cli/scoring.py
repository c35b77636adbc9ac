"""With what a log is read and scored: the options, and the scorer that they describe."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from klopt.cached import cached_property
from klopt.cli import options
from klopt.cli.options import check_language, option, pages_in, refuse
from klopt.cli.terminal import counted, tell

if TYPE_CHECKING:
    from klopt.batch.rows import Row
    from klopt.indexing.index_file import Index
    from klopt.opinions import Adviser
    from klopt.records import Pages as KnownPages
    from klopt.scoring.interpretation import Scope, Translate
    from klopt.scoring.profile import Profile
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.setup import Setup
    from klopt.translation.interpreter import MemoryInterpreter

MEMORY: Final = "klopt-memory.sqlite"
NONE: Final = "none"
WORDS: Final = "words"
ANY: Final = "any"

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_LIMITS: Final = ("questions", "usd", "ms")


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
        type=options.OWN_FILE,
    )
    offline: bool = option(
        "Use the memory alone, also what --translator gave before; the same bytes each time."
    )


def _prices(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        prompt, completion = map(float, value.split(","))
    except ValueError:
        prompt = completion = math.nan
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise click.BadParameter(f'"{value}" is not of the form 0.15,0.60')
    return prompt, completion


def _variable(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A name that can be one; anything else may be the key itself, and is not repeated."""
    if value is not None and not _VARIABLE.fullmatch(value):
        raise click.BadParameter(
            "give the name of a variable, such as OPENAI_API_KEY, and never the key itself"
        )
    return value


def _who(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None or value == NONE:
        return value
    from klopt.scoring.profile import OPINIONS, WHO

    if re.search(WHO, value):
        return value
    raise click.BadParameter(f'"{value}" is not one of {", ".join(OPINIONS)}, {NONE}')


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the options say of a model; see their help."""

    model: str | None = option("The model to ask, such as gpt-4o-mini.", metavar="NAME")
    provider: str = option(
        "Whose server is asked, such as openai, anthropic, mistral or ollama.",
        metavar="NAME",
        default="openai",
    )
    base_url: str | None = option(
        "Any other server that speaks OpenAI's protocol, up to and including /v1.", metavar="URL"
    )
    key_variable: str | None = option(
        "The variable of the environment that holds the key, such as OPENAI_API_KEY; the "
        f"provider's usual one when left out. {NONE} for a server that asks for none.",
        metavar="NAME",
        callback=_variable,
    )
    transcripts: Path | None = option("Replay what a model said before, from this file.")
    record: Path | None = option(
        "Write every reply to this file, to be replayed. A file that a broken-off run left is gone "
        "on with.",
        type=options.NEW_FILE,
    )
    at_once: int = option(
        "How many answers are worked on at one time when a model is asked.",
        type=click.IntRange(1, 256),
        default=8,
    )
    timeout: float = option(
        "For one request to a model.",
        type=options.Number(0, 86_400, min_open=True),
        default=180.0,
        metavar="SECONDS",
    )
    prices: tuple[float, float] | None = option(
        "US dollars for a million tokens in and out, to count the cost.",
        callback=_prices,
        metavar="IN,OUT",
    )

    @property
    def is_on_file(self) -> bool:
        """Whether replies are read from a file or written to one, which has one answer an id."""
        return self.record is not None or self.transcripts is not None

    def refuse_for_asking(self, why: str) -> None:
        """Stops at the first option that only asking a model takes, and says why it is no use."""
        of_asking = ("model", "base_url", "record", "prices")
        refuse(self, of_asking, f"is for asking a model, and {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionOptions:
    """Whom to ask for second opinions: what options and, where they are silent, the profile say."""

    opinion: str | None = option(
        "Ask somebody else where the verdict is review: llm (--model), of the whole answer, or "
        "llm:statements, of each statement; encoder:FOLDER, a model in ONNX on this machine; "
        f"recorded:FILE, what was said before. {NONE}: nobody, whatever the profile says.",
        metavar="WHO",
        callback=_who,
    )
    opinion_when: Literal["review", "always"] | None = option(
        "Ask about answers to review, or about all."
    )
    opinion_questions: int | None = option(
        "Ask about so many answers at most.", type=click.IntRange(min=0)
    )
    opinion_usd: float | None = option(
        "Ask no more once the opinions have cost so much.",
        type=options.Number(min=0),
        metavar="USD",
    )
    opinion_ms: float | None = option(
        "An opinion that takes longer comes too late; 60000 when left out.",
        type=options.Number(min=0, min_open=True, max=3_600_000),
        metavar="MS",
    )
    model: ModelOptions

    @property
    def _limits(self) -> dict[str, Any]:
        return {name: getattr(self, f"opinion_{name}") for name in _LIMITS}

    @property
    def told(self) -> tuple[object, ...]:
        """What makes opinions differ, whichever model gives them."""
        return self.opinion, self.opinion_when, *self._limits.values()

    def adviser(self, profile: Profile, stack: ExitStack) -> Adviser | None:
        """The adviser; None when nobody is asked.

        Says on standard error what is sent where, and at the end what was asked and what it cost.
        """
        from klopt.scoring.profile import OpinionSettings

        own = profile.opinion
        who = self.opinion or (None if own is None else own.who)
        if who is None or who == NONE:
            how = [f"opinion_{name}" for name in (*_LIMITS, "when")]
            refuse(self, how, "is for second opinions; add --opinion")
            self._refuse_model("without --opinion nobody is asked")
            return None
        if not who.startswith("llm"):
            self._refuse_model(f"--opinion {who.partition(':')[0]} asks none; --opinion llm does")
        from klopt.cli import asking
        from klopt.opinions import Adviser

        own = own or OpinionSettings(who)
        limits = {name: limit for name, limit in self._limits.items() if limit is not None}
        budget = replace(own.budget, **limits)
        settings = replace(own, who=who, budget=budget)
        opinion, at_once = asking.opinion(settings, self.model, stack)
        adviser = Adviser(
            opinion,
            self.opinion_when or own.when,
            budget,
            at_once=at_once,
            one_each=who.startswith("recorded") or self.model.is_on_file,
        )

        def say_how_many() -> None:
            tell(f"{counted(adviser.asked_count, 'second opinion')} asked of {adviser.name}.")

        stack.callback(say_how_many)
        return adviser

    def _refuse_model(self, why: str) -> None:
        self.model.refuse_for_asking(why)
        refuse(self.model, ["transcripts"], f"is for what a model said before, and {why}")


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(options.SetupOptions):
    """With what a log is read and scored; see the options' help."""

    language: options.Language
    names: options.Names

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


def _translate(translating: TranslationOptions, setup: Setup, stack: ExitStack) -> Translate | None:
    """What a scorer is to translate with; None when nothing is translated."""
    settings = setup.profile.translate
    target = translating.translate
    if target is None and settings is not None:
        target = settings.to
    if target in (None, NONE, WORDS, ANY):
        how = [field.name for field in fields(translating) if field.name != "translate"]
        refuse(translating, how, "is for translating; add --translate en")
        if target in (None, NONE):
            return None
        from klopt.translation.word_for_word import word_for_word

        setup.check_language("en")
        return word_for_word(any_language=target == ANY)
    setup.check_language(target)
    from klopt.scoring.interpretation import Translate

    scope: Scope = settings.scope if settings is not None else "marked"
    if translating.translate_all:
        scope = "whole"
    if translating.translator_url is not None and translating.translator is None:
        raise click.UsageError(
            "--translator-url is the address of --translator libretranslate; name that too."
        )
    return Translate(
        _interpreter(translating, target, stack),
        scope=scope,
        required=translating.translate_required,
    )


def _interpreter(
    translating: TranslationOptions, target: str, stack: ExitStack
) -> MemoryInterpreter:
    from klopt.translation.interpreter import MemoryInterpreter
    from klopt.translation.memory import Memory

    path = translating.memory or Path(MEMORY)
    if translating.translator is None or translating.offline:
        if not path.is_file():
            name_one = ", or name an online translator (--translator deepl)"
            raise click.UsageError(
                f"there is no translation memory {path}. Make one of what you have translated "
                f"already (klopt memory import, pages){'' if translating.offline else name_one}."
            )
        provider = None
        if translating.translator is not None:
            from klopt.translators.providers import provider as known

            provider = known(translating.translator).name
        memory = stack.enter_context(Memory.open(path, create=False, read_only=True))
        return MemoryInterpreter(memory, target=target, provider=provider)
    from klopt.translators.online import online_translator

    translator = online_translator(
        translating.translator, os.environ, url=translating.translator_url
    )
    memory = stack.enter_context(Memory.open(path, create=True))
    tell(
        f"Sentences of questions, answers and pages that are not in {path} are sent to "
        f"{translator.destination} ({translator.name}) for translation to {target}. Names of "
        "screens, commands, paths, addresses, codes and numbers in them stay here, unless a "
        "sentence comes back without its marks for them: it is then sent as it stands."
    )
    return MemoryInterpreter(memory, target=target, translator=translator)
