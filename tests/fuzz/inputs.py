"""Inputs that nobody meant klopt to read: input N of a seed is always the same."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt

from klopt.cli.demo_log import demo_rows
from klopt.records import MESSAGE_TYPES, PAGE_FORMATS, Turn

ROOM: Final = Path(__file__).parent
TEXTS: Final[Mapping[str, Any]] = tomllib.loads((ROOM / "texts.toml").read_text(encoding="utf-8"))
LONGEST_CHARS: Final = 20_000
"""Of a text that a repetition made long; klopt reads questions and answers up to this length."""


@dataclass(frozen=True)
class Input:
    """One input: which reader it is for, and what that takes, as JSON has it; bytes as Latin-1."""

    kind: str
    fields: Mapping[str, Any]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> Input:
        found = json.loads(text)
        return cls(found["kind"], found["fields"])


def made(seed: int, number: int) -> Input:
    """Input ``number`` of a seed, in any process."""
    rng = Random(f"{seed}:{number}")
    kind = rng.choices(tuple(KINDS), tuple(share for share, _ in KINDS.values()))[0]
    return Input(kind, KINDS[kind][1](rng))


@cache
def demo() -> tuple[Turn, ...]:
    return tuple(row.turn for row in demo_rows() if row.turn)


@cache
def demo_texts() -> tuple[str, ...]:
    found = (t for turn in demo() for t in (turn.answer, turn.question, turn.pages[0].text))
    return tuple(dict.fromkeys(found))


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt().enable("table")


def character(rng: Random) -> str:
    """Any character, also those that UTF-8 does not have."""
    if rng.random() < 0.2:
        return chr(rng.randrange(0x110000))
    first, last = rng.choice(TEXTS["ranges"])
    return chr(rng.randint(ord(first), ord(last)))


def piece(rng: Random) -> str:
    """Something to put into a text."""
    draw = rng.random()
    if draw < 0.6:
        return str(rng.choice(TEXTS["pieces"]))
    if draw < 0.8:
        return "".join(character(rng) for _ in range(rng.randint(1, 8)))
    return _stretch(rng, rng.choice(demo_texts()))


def _stretch(rng: Random, text: str) -> str:
    return _cut(rng, text)[1]


def _cut(rng: Random, text: str) -> tuple[str, str, str]:
    """What stands before a stretch, mostly a short one, the stretch, and what comes after."""
    start = rng.randint(0, len(text))
    length = rng.randint(0, len(text)) if rng.random() < 0.1 else rng.randint(0, 40)
    return text[:start], text[start : start + length], text[start + length :]


def _replaced(rng: Random, text: str) -> str:
    before, _, after = _cut(rng, text)
    return before + piece(rng) + after


def _inserted(rng: Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + piece(rng) + text[at:]


def _doubled(rng: Random, text: str) -> str:
    before, inside, after = _cut(rng, text)
    times = rng.randint(50, 2_000) if rng.random() < 0.02 else rng.randint(2, 4)
    return before + inside * min(times, max(1, LONGEST_CHARS // max(1, len(inside)))) + after


def _moved(rng: Random, text: str) -> str:
    before, inside, after = _cut(rng, text)
    rest = before + after
    at = rng.randint(0, len(rest))
    return rest[:at] + inside + rest[at:]


def _deleted(rng: Random, text: str) -> str:
    before, _, after = _cut(rng, text)
    return before + after


def _wrapped(rng: Random, text: str) -> str:
    before, inside, after = _cut(rng, text)
    opened, closed = rng.choice(TEXTS["around"])
    return before + opened + inside + closed * rng.randint(0, 2) + after


def _cased(rng: Random, text: str) -> str:
    before, inside, after = _cut(rng, text)
    change = rng.choice((str.upper, str.lower, str.title, str.swapcase, str.casefold))
    return before + change(inside) + after


def _counted(rng: Random, text: str) -> str:
    """Other digits."""
    return "".join(
        str(rng.randrange(10)) if c.isascii() and c.isdigit() and rng.random() < 0.3 else c
        for c in text
    )


def _shuffled(rng: Random, text: str) -> str:
    sign = rng.choice(("\n", " ", ". "))
    parts = text.split(sign)
    rng.shuffle(parts)
    return sign.join(parts)


def _joined(rng: Random, text: str) -> str:
    return text.replace(
        rng.choice((" ", "\n", "\n\n", ".", "*")), rng.choice(("", " ", "\n", "\t"))
    )


_CHANGES: Final[tuple[Callable[[Random, str], str], ...]] = (
    *(_replaced, _replaced, _inserted, _inserted, _wrapped, _wrapped, _deleted, _doubled),
    *(_moved, _cased, _counted, _shuffled, _joined),
)


def changed(rng: Random, text: str) -> str:
    """A text after one to eight changes, mostly few."""
    for _ in range(1 + min(7, int(rng.expovariate(0.6)))):
        text = rng.choice(_CHANGES)(rng, text)[:LONGEST_CHARS]
    return text


def invented(rng: Random) -> str:
    """A text of pieces alone."""
    count = rng.randint(0, 12) if rng.random() < 0.8 else rng.randint(12, 120)
    return rng.choice(("", "", " ")).join(piece(rng) for _ in range(count))


def _varied(rng: Random, text: str) -> str:
    """The text itself, changed, or another; now and then as HTML."""
    if rng.random() < 0.08:
        text = _markdown().render(text)
    draw = rng.random()
    if draw < 0.2:
        return text
    return changed(rng, text) if draw < 0.88 else invented(rng)


def _part(rng: Random, page: str) -> str:
    """A page, or one of its sections."""
    return page if rng.random() < 0.5 else rng.choice(page.split("\n## "))


def _turn(rng: Random) -> dict[str, Any]:
    """A turn of the right types: klopt never raises on one."""
    turn = rng.choice(demo())
    some = rng.sample(turn.pages, min(len(turn.pages), rng.choice((0, 1, 1, 1, 1, 1, 2, 2, 2, 3))))
    pages = [{"text": _varied(rng, _part(rng, page.text)), "id": page.id} for page in some]
    if rng.random() < 0.1:
        pages.append({"text": _varied(rng, rng.choice(demo_texts())), "id": piece(rng)})
    for page in pages:
        if rng.random() < 0.3:
            page["format"] = rng.choice(PAGE_FORMATS)
    languages = ("auto", turn.language, "nl", "en", piece(rng))
    return {
        "question": _varied(rng, turn.question),
        "answer": _varied(rng, turn.answer),
        "contexts": pages,
        "id": turn.id if rng.random() < 0.9 else piece(rng),
        "language": rng.choices(languages, (50, 40, 4, 4, 1))[0],
        "message_type": rng.choice(MESSAGE_TYPES) if rng.random() < 0.1 else None,
        "profile": "afas" if rng.random() < 0.03 else "default",
    }


def _row(rng: Random) -> dict[str, Any]:
    """A row with values of other types."""
    fields = _turn(rng)
    del fields["profile"]
    fields |= {"rating": 3, "reference": rng.choice(demo_texts()), "meta": {}}
    for name in rng.sample(tuple(fields), rng.randint(1, 3)):
        fields[name] = rng.choice(TEXTS["values"])
    if rng.random() < 0.2:
        fields[piece(rng)] = fields.pop(rng.choice(tuple(fields)))
    return fields


def _message(rng: Random) -> dict[str, Any]:
    return {"text": _varied(rng, rng.choice(demo()).question)}


def _reference(rng: Random) -> dict[str, Any]:
    turn = rng.choice(demo())
    return {
        "question": _varied(rng, turn.question),
        "answer": _varied(rng, turn.answer),
        "reference": _varied(rng, turn.reference or turn.answer),
        "grading": rng.choice(("strict", "published")),
    }


def _claim(rng: Random) -> dict[str, Any]:
    turn = rng.choice(demo())
    claim = rng.choice([line for line in turn.answer.split("\n") if line])
    passage = rng.choice((claim, *turn.pages[0].text.split("\n\n")[:2]))
    return {
        "passage": _varied(rng, passage),
        "claim": _varied(rng, claim),
        "question": _varied(rng, turn.question) if rng.random() < 0.5 else None,
        "language": turn.language,
    }


def _log(rng: Random) -> dict[str, Any]:
    """The bytes of a log of a few rows, damaged."""
    turns = rng.sample(demo(), rng.randint(1, 4))
    ending = rng.choice((".jsonl", ".csv"))
    if ending == ".jsonl":
        rows = ({"id": t.id, "question": t.question, "answer": t.answer} for t in turns)
        lines = [json.dumps(row, ensure_ascii=rng.random() < 0.5) for row in rows]
    else:
        cells = ((t.id, t.question, t.answer) for t in turns)
        sign = rng.choice((",", ";", "\t"))
        quoted = (sign.join('"' + one.replace('"', '""') + '"' for one in row) for row in cells)
        lines = [sign.join(("id", "question", "answer")), *quoted]
    return {"bytes": _damaged(rng, rng.choice(("\n", "\r\n")).join(lines)), "ending": ending}


def _translations(rng: Random) -> dict[str, Any]:
    """The bytes of a translation file: with other texts, which it may hold, or damaged."""
    name = rng.choice(tuple(_STRETCHES))
    text = TEXTS["samples"][name].lstrip()
    if rng.random() < 0.5:
        stretch, written = _STRETCHES[name]
        found = rng.choice(tuple(stretch.finditer(text)))
        text = text[: found.start(1)] + written(_varied(rng, found[1])) + text[found.end(1) :]
        source = text.encode("utf-8", "surrogatepass").decode("latin-1")
    else:
        source = _damaged(rng, text)
    return {"bytes": source, "ending": "." + {"memory": "jsonl"}.get(name, name)}


def _in_quotes(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


_STRETCHES: Final[Mapping[str, tuple[re.Pattern[str], Callable[[str], str]]]] = {
    "tmx": (re.compile(r">([^<>\n]+)<"), escape),
    **dict.fromkeys(("po", "memory"), (re.compile(r'(?:^| )"(.+?)"[,}\n]', re.M), _in_quotes)),
}
"""Of each kind of translation file where texts stand in it, and how another is written there."""


def _lexicon(rng: Random) -> dict[str, Any]:
    """The bytes of a company's lexicon, damaged; an expression, and a text to look for it in."""
    text = TEXTS["samples"][rng.choice(("patterns", "terms"))].lstrip()
    parts = (rng.choice(TEXTS["expressions"]) for _ in range(rng.randint(1, 8)))
    return {
        "bytes": _damaged(rng, text),
        "ending": ".toml",
        "expression": "".join(parts),
        "text": _varied(rng, rng.choice(demo_texts())),
    }


def _damaged(rng: Random, text: str) -> str:
    """A file's bytes, as Latin-1."""
    if rng.random() < 0.8:
        text = changed(rng, text)
    coding = rng.choices(("utf-8", "utf-16", "utf-8-sig", "utf-32-le"), (30, 2, 2, 1))[0]
    data = bytearray(text.encode(coding, "surrogatepass"))
    if rng.random() < 0.4:
        for _ in range(rng.randint(1, 4)):
            at = rng.randint(0, len(data))
            data[at : at + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
    if rng.random() < 0.1:
        del data[rng.randint(0, len(data)) :]
    return data.decode("latin-1")


KINDS: Final[Mapping[str, tuple[float, Callable[[Random], dict[str, Any]]]]] = {
    "turn": (62, _turn),
    "row": (8, _row),
    "message": (9, _message),
    "reference": (8, _reference),
    "claim": (6, _claim),
    "log": (3, _log),
    "translations": (3, _translations),
    "lexicon": (1, _lexicon),
}
"""Of each kind of input its share, and what makes its fields."""
