"""Figures, names and sentences as page and terminal write them, in English notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from klopt import heuristics, shipped
from klopt.scoring.explanation import whole as whole_in
from klopt.scoring.tree import printed

if TYPE_CHECKING:  # What evaluates is slow to import, and `klopt explain` reads these words too.
    from klopt.evaluation import Estimate

_MINUS: Final = "\N{MINUS SIGN}"
_MOST_NAMES: Final = 8
whole: Final = partial(whole_in, language="en")
MOST_ROWS: Final = 100
"""So many rows of a table are shown."""


@cache
def texts() -> Mapping[str, Any]:
    """The whole table."""
    return shipped.table("klopt.report", "texts.toml")


def say(section: str, key: str, **filled: str) -> str:
    """A sentence with its gaps filled.

    >>> say("page", "more", count="12")
    '12 more are not shown.'
    """
    sentence: str = texts()[section][key]
    return sentence.format(**filled)


def agreement_in_words(value: float) -> str:
    """What a correlation means in words, as it is written with two decimals.

    >>> agreement_in_words(0.4), agreement_in_words(0.0999)
    ('moderate', 'weak')
    """
    shown = round(value, 2)
    return next(
        str(band["says"]) for band in texts()["bands"] if shown < band.get("below", float("inf"))
    )


def plain(table: str, code: str) -> str:
    """The plain words for a code, or the code where there are none.

    >>> plain("verdicts", "block"), plain("verdicts", "new one")
    ('do not send it', 'new one')
    """
    words: Mapping[str, str] = texts()[table]
    return words.get(code, brief(code or "–"))


def feature_name(name: str) -> str:
    """What people call a heuristic, or its name where klopt does not have it.

    >>> feature_name("hal"), feature_name("new one")
    ('Words that stand together', 'new one')
    """
    known = heuristics.BY_NAME.get(name)
    if known is None:
        return brief(name or "–")
    words = known.texts["en"]["name"]
    return words[:1].upper() + words[1:]


def unknown(estimate: Estimate) -> str:
    """Why there is no figure, in a sentence."""
    return brief(estimate.reason or texts()["page"]["no_reason"], 200)


def listed(names: Iterable[str]) -> str:
    """Names in a sentence, the first eight of them.

    >>> listed(["complex_answer", "hal", "step_order"]), listed("abcdefghij")
    ('complex_answer, hal and step_order', 'a, b, c, d, e, f, g, h and 2 more')
    """
    every = list(names)
    shown = every[:_MOST_NAMES]
    if len(every) > _MOST_NAMES:
        shown.append(f"{whole(len(every) - _MOST_NAMES)} more")
    *others, last = shown
    return f"{', '.join(others)}{texts()['page']['and']}{last}" if others else last


def decimal(value: float, decimals: int = 2) -> str:
    """A figure with a fixed number of decimals and a real minus sign.

    >>> decimal(-0.4), decimal(-0.001), decimal(1234.5, 1)
    ('−0.40', '0.00', '1,234.5')
    """
    text = f"{value:,.{decimals}f}"
    return text.replace("-", _MINUS if float(text.replace(",", "")) else "")


def signed(value: float) -> str:
    """A difference, with a plus before what is above nothing.

    >>> signed(0.046), signed(-0.4), signed(0.001)
    ('+0.05', '−0.40', '0.00')
    """
    text = decimal(value)
    return f"+{text}" if value > 0 and float(text.replace(",", "")) else text


def side(value: float, decimals: int = 2) -> int:
    """On which side of 0 a figure lies as it is written: 1 above, -1 below, 0 where it is 0.00.

    >>> side(0.006), side(-0.3), side(-0.004)
    (1, -1, 0)
    """
    return (round(value, decimals) > 0) - (round(value, decimals) < 0)


def score(value: float) -> str:
    """A score from 1 to 5 with one decimal, rounded down: 2.96 is not yet a 3.0.

    >>> score(2.96), score(3.0)
    ('2.9', '3.0')
    """
    return decimal(printed(value), 1)


def short(value: float) -> str:
    """A rating; most are whole.

    >>> short(4.0), short(3.5)
    ('4', '3.5')
    """
    return decimal(value, 0 if value.is_integer() else 1)


def threshold(value: float) -> str:
    """A score from which something is done, with one decimal or, where it has them, two.

    >>> threshold(3.0), threshold(4.15)
    ('3.0', '4.15')
    """
    return decimal(value).removesuffix("0")


def percent(value: float) -> str:
    """A share in whole per cents; what is not nothing and not all does not look so.

    >>> percent(0.634), percent(0.001), percent(0.999)
    ('63%', '<1%', '>99%')
    """
    if 0 < value < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= value < 1 else f"{decimal(value * 100, 0)}%"


def chance(value: float) -> str:
    """A p-value.

    >>> chance(0.0001), chance(0.042)
    ('<0.001', '0.042')
    """
    return "<0.001" if value < 0.001 else decimal(value, 3)


def interval(estimate: Estimate, write: Callable[[float], str] = decimal) -> str:
    """The interval in words, empty where there is none.

    >>> from klopt.evaluation import Estimate
    >>> interval(Estimate(0.4, 0.25, 0.55)), interval(Estimate(0.4, reason="too few"))
    ('0.25 to 0.55', '')
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    write = decimal if write is signed else write
    return f"{write(estimate.low)} to {write(estimate.high)}"


def sure(less: Estimate) -> str:
    """The key of what the interval of a difference says, as its figures are written.

    >>> from klopt.evaluation import Estimate
    >>> sure(Estimate(0.1, 0.05, 0.2)), sure(Estimate(0.1, 0.004, 0.2)), sure(Estimate(-0.1))
    ('better', 'level', 'level')
    >>> sure(Estimate(0.001, 0.0005, 0.004))
    'none'
    """
    figures = (less.value, less.low, less.high)
    value, low, high = (0 if one is None else side(one) for one in figures)
    if less.low is not None and less.high is not None and not (value or low or high):
        return "none"
    return "better" if low > 0 else "worse" if high < 0 else "level"


def verdict(section: str, less: Estimate, **names: str) -> str:
    """Whether a difference is sure, in words; nothing where there is none."""
    if less.value is None or less.low is None or less.high is None:
        return ""
    return say(section, f"verdict_{sure(less)}", **names)


def with_interval(estimate: Estimate, write: Callable[[float], str] = decimal) -> str:
    """A figure for a sentence, with its interval where there is one.

    >>> from klopt.evaluation import Estimate
    >>> with_interval(Estimate(0.5, 0.25, 0.75), percent)
    '50% (25% to 75%)'
    """
    if estimate.value is None:
        return "–"
    ends = interval(estimate, write)
    return f"{write(estimate.value)} ({ends})" if ends else write(estimate.value)


def cut(text: str, limit_chars: int) -> str:
    """The text, or its beginning with its full length.

    >>> cut("abcdef", 3)
    'abc… (cut: 6 characters)'
    """
    if len(text) <= limit_chars:
        return text
    return f"{text[:limit_chars]}… (cut: {whole(len(text))} characters)"


def why(explanation: str) -> str:
    """An explanation without its first sentence, which has score and verdict; all, without others.

    >>> why("Score 1,2 van 5: niet versturen. Geen pagina noemt “Alt+F8”.")
    'Geen pagina noemt “Alt+F8”.'
    """
    first, _, rest = explanation.partition(". ")
    return rest or first


def brief(text: str, limit_chars: int = 60) -> str:
    """One line of a text, cut with an ellipsis where the full text is a click away.

    >>> brief("een  twee drie", 9)
    'een twee…'
    """
    line = " ".join(text[: limit_chars * 4].split())
    return line if len(line) <= limit_chars else line[: limit_chars - 1].rstrip() + "…"
