"""Patterns that take long: on the company's own texts, and on texts made to be bad for them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from klopt import lexicons
from klopt.company.lints import File, Finding
from klopt.lexicons import Pattern

MOST_CHARS: Final = 60_000
"""Of the company's texts, over which the patterns are timed."""
TIMES_SLOWER: Final = 50
"""Slower than so many times the middle one of klopt's own patterns is told."""
LEAST_MS: Final = 0.5
"""A pattern that takes less than this for 1,000 characters is never slow."""
GROWN_CHARS: Final = 4000
"""A text of so many characters is an answer that may come."""
_TOO_LONG_SECONDS: Final = 0.1
_SECONDS: Final = 1.0
_CUTS: Final = 24
_TAIL: Final = "\u0001"
"""What no pattern ends in: the worst for one is a text that nearly fits."""


def lints(file: File, texts: Sequence[str]) -> Iterator[Finding]:
    """Patterns of a file that are slow, or that some text stops altogether."""
    for number, pattern in enumerate(file.lexicon.patterns):
        if (bad := worst(pattern)) is not None:
            chars, ms = bad
            yield file.found(
                ("pattern", number),
                f'pattern "{pattern.id}" takes over {ms:.0f} ms for a text of {chars:,} '
                "characters that nearly fits; do not repeat what repeats itself, as (a+)+ does, "
                r"and bound what may be long, as \w{1,40} does",
            )
            continue
        ms = ms_for_1000_chars(pattern, texts)
        usual = _usual_ms(file.lexicon.language, file.lexicon.id, tuple(texts))
        if ms > max(LEAST_MS, TIMES_SLOWER * usual):
            yield file.found(
                ("pattern", number),
                f'pattern "{pattern.id}" takes {ms:.2f} ms for 1,000 characters, '
                f"{ms / usual:,.0f} times as long as klopt's own; begin it with a "
                "fixed word, and bound what may be long",
                is_problem=False,
            )


def ms_for_1000_chars(pattern: Pattern, texts: Iterable[str]) -> float:
    """How long a pattern takes for 1,000 characters of some texts; 0 without any."""
    chars, seconds = 0, 0.0
    for text in texts:
        start = time.process_time()
        try:
            if pattern.may_match(text):
                pattern.expression.findall(text, timeout=_SECONDS)
        except TimeoutError:
            pass  # as long as that
        seconds += time.process_time() - start
        chars += len(text)
        if chars >= MOST_CHARS or seconds >= _SECONDS:
            break
    return seconds * 1e6 / chars if chars else 0.0


@cache
def _usual_ms(language: str, lexicon: str, texts: tuple[str, ...]) -> float:
    """What the middle one of klopt's own patterns takes, at least a microsecond."""
    own = lexicons.load(language).get(lexicon)
    patterns = own.patterns if own is not None else ()
    for one in patterns:
        one.expression  # noqa: B018 - compiled before it is timed
    times = [ms_for_1000_chars(one, texts) for one in patterns]
    return max(0.001, statistics.median(times)) if times else LEAST_MS


def worst(pattern: Pattern) -> tuple[int, float] | None:
    r"""A length of text, and the milliseconds that the pattern then takes too long; None if none.

    Its hits are grown in the middle, a character or a word at a time, and go on with what does not
    fit; a hit behind that has the words that the pattern cannot do without. That finds most
    patterns that take forever, in at most a second and a bit.

    >>> worst(Pattern("bad", "action", r"(\w+[ ]?)+!$", True, 1.0, ("Sla dit op!",), ("x",)))[0]
    4000
    """
    until = time.process_time() + _SECONDS
    for text in _grown(pattern.hit):
        if time.process_time() > until:
            return None
        start = time.process_time()
        try:
            if pattern.may_match(text):
                pattern.expression.search(text, timeout=_TOO_LONG_SECONDS)
        except TimeoutError:
            return GROWN_CHARS, (time.process_time() - start) * 1000
    return None


def _grown(hits: Iterable[str]) -> Iterator[str]:
    for hit in hits:
        step = max(1, len(hit) // _CUTS)
        for at in range(step, len(hit) + 1, step):
            begin, unit = hit[:at], hit[at - 1]
            word = begin.split()[-1] + " " if begin.split() else " "
            for more in (unit, word):
                grown = f"{begin}{more * GROWN_CHARS}"[:GROWN_CHARS]
                yield f"{grown}{_TAIL}\n{hit}"
