"""Unusual and invalid inputs, drawn by Hypothesis."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyromark
from hypothesis import strategies as st

from klopt._internal.fields import CONVERSATION_NAMES
from klopt.cli.scoring import demo_rows
from klopt.logs.pages import ENDINGS as PAGE_ENDINGS
from klopt.types import MESSAGE_TYPES, PAGE_FORMATS, Turn, field_names
from tests.tables import tables
from tests.text.drawn import PIECES as MARKUP
from tests.text.drawn import texts

FOLDER: Final = Path(__file__).parent
PRODUCTS: Final = FOLDER.parent / "logs" / "products.toml"
TEXTS: Final[Mapping[str, Any]] = tomllib.loads((FOLDER / "texts.toml").read_text(encoding="utf-8"))
LONGEST_CHARS: Final = 20_000
"""Longest text by repetition; klopt reads questions and answers up to this length."""
MAX_TIMES: Final = 2_000
Draw = st.DrawFn
Fields = dict[str, Any]


@dataclass(frozen=True)
class Input:
    """An input of a kind, with its fields as JSON; bytes as Latin-1."""

    kind: str
    fields: Mapping[str, Any]

    def to_json(self, **about: str) -> str:
        return json.dumps(asdict(self) | about, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Input:
        read = json.loads(text)
        return cls(read["kind"], read["fields"])


@cache
def demo() -> tuple[Turn, ...]:
    return tuple(row.turn for row in demo_rows() if row.turn)


def _demo_texts() -> tuple[str, ...]:
    texts = (t for turn in demo() for t in (turn.answer, turn.question, turn.pages[0].text))
    return tuple(dict.fromkeys(texts))


def _mostly(usual: st.SearchStrategy[Any], other: Any, times: int = 9) -> st.SearchStrategy[Any]:
    """Draw the usual value so many times as often as the other."""
    return st.one_of(*[usual] * times, other)


def _characters(ends: list[str]) -> st.SearchStrategy[str]:
    first, last = map(ord, ends)
    return st.characters(min_codepoint=first, max_codepoint=last, exclude_categories=())


ANY: Final = st.characters(exclude_categories=())  # lone surrogates too
CHARACTERS: Final = _mostly(st.sampled_from(TEXTS["ranges"]).flatmap(_characters), ANY, 4)
TURNS: Final = st.deferred(lambda: st.sampled_from(demo()))
WHOLE: Final = st.deferred(lambda: st.sampled_from(_demo_texts()))
PIECES: Final = st.one_of(
    *[st.sampled_from(TEXTS["pieces"])] * 3,
    st.text(CHARACTERS, min_size=1, max_size=8),
    st.tuples(WHOLE, st.integers(0, 5_000), st.integers(0, 40)).map(
        lambda cut: cut[0][cut[1] : cut[1] + cut[2]]
    ),
)
INVENTED: Final = st.tuples(
    st.sampled_from(("", "", " ")), _mostly(st.lists(PIECES, max_size=12), st.lists(PIECES), 4)
).map(lambda drawn: drawn[0].join(drawn[1]))


@st.composite
def changed(draw: Draw, text: str) -> str:
    """Draw a text with one to eight changes."""
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(_mostly(st.integers(0, 40), st.just(len(text))))
        before, inside, after = text[:start], text[start:end], text[end:]
        many = min(MAX_TIMES, LONGEST_CHARS // max(1, len(inside)))
        cased = inside.upper(), inside.lower(), inside.title(), inside.swapcase()
        wrapped = st.sampled_from(TEXTS["around"]).map(inside.join)
        doubled = _mostly(st.integers(2, 4), st.integers(2, max(2, many)), 40).map(inside.__mul__)
        added = PIECES.map(inside.__add__)
        removed = st.just("")
        inside = draw(st.one_of(PIECES, added, wrapped, removed, doubled, st.sampled_from(cased)))
        text = (before + inside + after)[:LONGEST_CHARS]
        if draw(st.integers(0, 5)) == 0:
            sign = draw(st.sampled_from(("\n", " ", ". ", "*")))
            parts = text.split(sign)
            at = draw(st.integers(0, len(parts) - 1))
            text = draw(st.sampled_from((sign, "", "\t"))).join(parts[at:] + parts[:at])
    return text


def _as_html(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode()  # pyromark takes no lone surrogates
    return pyromark.html(whole, options=pyromark.Options.ENABLE_TABLES)


def varied(text: str) -> st.SearchStrategy[str]:
    """Draw the text unchanged, changed or as HTML, or another text."""
    as_html = st.deferred(lambda: changed(_as_html(text)))
    return st.one_of(INVENTED, st.just(text), *[changed(text)] * 6, as_html)


@st.composite
def _turn(draw: Draw) -> Fields:
    """Draw a turn with valid types, for which klopt never raises an error."""
    turn = draw(TURNS)
    pages = []
    for page in draw(st.lists(st.sampled_from(turn.pages), unique=True, max_size=3)):
        part = draw(st.just(page.text) | st.sampled_from(page.text.split("\n## ")))
        pages.append({"text": draw(varied(part)), "id": page.id})
    if draw(st.integers(0, 9)) == 0:
        pages.append({"text": draw(WHOLE.flatmap(varied)), "id": draw(PIECES)})
    for page in pages:
        if draw(st.integers(0, 2)) == 0:
            page["format"] = draw(st.sampled_from(PAGE_FORMATS))
    languages = st.sampled_from(("auto", turn.language, "auto", turn.language, "nl", "en"))
    return {
        "question": draw(varied(turn.question)),
        "answer": draw(varied(turn.answer)),
        "contexts": pages,
        "id": draw(_mostly(st.just(turn.id), PIECES)),
        "language": draw(_mostly(languages, PIECES, 20)),
        "message_type": draw(_mostly(st.none(), st.sampled_from(MESSAGE_TYPES))),
        "profile": draw(_mostly(st.just("default"), st.just("afas"), 30)),
    }


@st.composite
def _row(draw: Draw) -> Fields:
    """Draw a row with values of other types."""
    fields = draw(_turn())
    del fields["profile"]
    fields |= {"rating": 3, "reference": draw(WHOLE), "meta": {}}
    names = st.sampled_from(tuple(fields))
    for name in draw(st.lists(names, min_size=1, max_size=3)):
        fields[name] = draw(st.sampled_from(TEXTS["values"]))
    if draw(st.integers(0, 4)) == 0:
        fields[draw(PIECES)] = fields.pop(draw(names))
    return fields


def _message(turn: Turn) -> st.SearchStrategy[Fields]:
    return st.fixed_dictionaries({"text": varied(turn.question)})


def _claim(turn: Turn) -> st.SearchStrategy[Fields]:
    lines = st.sampled_from([line for line in turn.answer.split("\n") if line])
    passages = st.sampled_from(turn.pages[0].text.split("\n\n")[:2])
    return st.fixed_dictionaries(
        {
            "passage": (passages | lines).flatmap(varied),
            "claim": lines.flatmap(varied),
            "question": st.none() | varied(turn.question),
            "language": st.just(turn.language),
        }
    )


ENCODINGS: Final = ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32-le")
BYTE_ENCODINGS: Final = ("cp1252", "cp850", "koi8-r", "big5")


@st.composite
def damaged(draw: Draw, text: str) -> str:
    """Draw the damaged bytes of a file, as Latin-1."""
    text = draw(_mostly(changed(text), st.just(text), 4))
    if draw(st.integers(0, 9)) == 0:
        data = bytearray(text.encode(draw(st.sampled_from(BYTE_ENCODINGS)), "replace"))
    else:
        coding = draw(_mostly(st.just("utf-8"), st.sampled_from(ENCODINGS)))
        data = bytearray(text.encode(coding, "surrogatepass"))
    places = st.integers(0, len(data))
    for at in draw(_mostly(st.just([]), st.lists(places, min_size=1, max_size=4), 2)):
        data[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=2))
    if draw(st.integers(0, 9)) == 0:
        del data[draw(places) :]
    return data.decode("latin-1")


@cache
def _products() -> Sequence[Mapping[str, Any]]:
    """Return the exports of products: ``data``, and the ``ending`` and ``names`` of some."""
    return tuple(tomllib.loads(PRODUCTS.read_text(encoding="utf-8")).values())


@st.composite
def _replaced(draw: Draw, value: Any) -> Any:
    """Draw a JSON value of which one part has another value, name or place."""
    keys = [*value] if isinstance(value, dict) else []
    keys = [*range(len(value))] if isinstance(value, list) else keys
    if not keys or draw(st.integers(0, 5)) == 0:
        deeper = st.sampled_from(([value], [value] * 3, {"a": value}, json.dumps(value)))
        other = st.sampled_from(TEXTS["values"]) | WHOLE
        return draw(st.one_of(other, deeper, st.just(value).map(str)))
    key = draw(st.sampled_from(keys))
    value = value.copy()
    what = draw(st.integers(0, 9))
    if what == 0:
        del value[key]
    elif what == 1 and isinstance(value, dict):
        value[draw(PIECES | st.sampled_from(TEXTS["names"]))] = value.pop(key)
    else:
        value[key] = draw(_replaced(value[key]))
    return value


@st.composite
def _of_a_product(draw: Draw) -> Fields:
    """Draw the export of a product in which some values have other types or places."""
    export = draw(st.sampled_from(_products()))
    text, ending = export["data"], export.get("ending", ".jsonl")
    if ending != ".csv" and draw(st.integers(0, 3)):
        records = [json.loads(text)] if ending == ".json" else [*map(json.loads, text.splitlines())]
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(records) - 1))
            records[at] = draw(_replaced(records[at]))
        text = "\n".join(json.dumps(one, ensure_ascii=draw(st.booleans())) for one in records)
    return {"text": text, "ending": ending, "names": export.get("names", {})}


@st.composite
def _of_turns(draw: Draw) -> Fields:
    """Draw a log with a few rows."""
    turns = draw(st.lists(TURNS, min_size=1, max_size=4))
    rows = [{"id": t.id, "question": t.question, "answer": t.answer} for t in turns]
    ending = draw(st.sampled_from((".jsonl", ".csv", ".json")))
    if ending == ".csv":
        sign = draw(st.sampled_from((",", ";", "\t")))
        cells = (sign.join(f'"{one.replace(chr(34), chr(34) * 2)}"' for one in row.values())
                 for row in rows)  # fmt: skip
        lines = [sign.join(rows[0]), *cells]
    else:
        is_ascii = draw(st.booleans())
        lines = [json.dumps(row, ensure_ascii=is_ascii) for row in rows]
    if ending == ".json":
        text = draw(st.sampled_from(("[%s]", '{"a": {"b": [%s]}}', "%s"))) % ",\n".join(lines)
    else:
        text = draw(st.sampled_from(("\n", "\r\n"))).join(lines)
    return {"text": text, "ending": ending, "names": {}}


PATHS: Final = st.lists(
    st.sampled_from(TEXTS["names"]) | st.sampled_from(TEXTS["steps"]) | PIECES, max_size=4
).map("".join)


@st.composite
def _log(draw: Draw) -> Fields:
    """Draw the damaged bytes of a log, an encoding, and paths of its fields."""
    fields = draw(st.one_of(_of_turns(), _of_a_product(), _of_a_product()))
    data = draw(damaged(fields.pop("text")))
    ours = st.sampled_from((*field_names(), *CONVERSATION_NAMES, "none"))
    if draw(st.integers(0, 4)) == 0:
        fields["names"] = draw(st.dictionaries(ours, PATHS, max_size=3))
    if draw(st.integers(0, 9)) == 0:
        fields["ending"] = draw(st.sampled_from((".txt", ".json", ".jsonl", ".csv", ".tsv", "")))
    if draw(st.integers(0, 19)) == 0:
        packed = bytearray(gzip.compress(data.encode("latin-1"), mtime=0))
        packed[draw(st.integers(0, len(packed) - 1))] ^= draw(st.sampled_from((0, 0, 1, 255)))
        data, fields["ending"] = packed.decode("latin-1"), fields["ending"] + ".gz"
    coding = draw(_mostly(st.none(), st.sampled_from((*ENCODINGS, *BYTE_ENCODINGS)), 19))
    return {"bytes": data, "encoding": coding, **fields}


@cache
def _written_pages() -> Sequence[str]:
    """Return pages with the markup of generators and help centres."""
    own = [one["source"] for name in ("dialects", "rst") for one in tables("text", name)["page"]]
    html = tables("text", "html_pages")
    return (*own, *(case[1] for case in html["pages"]), *(case[0] for case in html["kept"]))


@st.composite
def _page(draw: Draw) -> Fields:
    """Draw the damaged bytes of a page in the markup of a generator, and its ending."""
    written = st.deferred(lambda: st.sampled_from(_written_pages()))
    text = draw(st.one_of(written, written, st.sampled_from((*MARKUP,)).flatmap(texts), WHOLE))
    if draw(st.integers(0, 2)) == 0:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.one_of(*map(texts, ("shown", "html")), written)) + text[at:]
    return {"bytes": draw(damaged(text)), "ending": draw(st.sampled_from(PAGE_ENDINGS))}


_LEXICON: Final = st.fixed_dictionaries(
    {
        "bytes": st.sampled_from(("patterns", "terms")).flatmap(
            lambda name: damaged(TEXTS["samples"][name].lstrip())
        ),
        "ending": st.just(".toml"),
        "expression": st.lists(st.sampled_from(TEXTS["expressions"]), min_size=1, max_size=8).map(
            "".join
        ),
        "text": WHOLE.flatmap(varied),
    }
)
"""The damaged bytes of a company's lexicon, an expression, and a text to search."""

KINDS: Final[Mapping[str, tuple[float, st.SearchStrategy[Fields]]]] = {
    "turn": (0.60, _turn()),
    "row": (0.07, _row()),
    "message": (0.07, TURNS.flatmap(_message)),
    "claim": (0.05, TURNS.flatmap(_claim)),
    "log": (0.12, _log()),
    "page": (0.08, _page()),
    "lexicon": (0.01, _LEXICON),
}
"""The share of each kind of input, and the strategy for its fields."""
