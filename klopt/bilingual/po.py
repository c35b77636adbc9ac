"""PO, the message catalogues of GNU gettext: as pairs of texts, or as the pages they translate."""

from __future__ import annotations

import codecs
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import regex

from klopt.bilingual.inline_tags import message_html
from klopt.bilingual.pairs import ReadPairs, TextPair, is_language, to_pair
from klopt.errors import ConfigurationError, InputError
from klopt.extras import needs

if TYPE_CHECKING:
    from polib import POEntry, POFile

LARGEST_BYTES: Final = 100_000_000
LONGEST_MESSAGE_CHARS: Final = 1_000_000

PIECE_CHARS: Final = 20_000
"""Messages that do not say whence they come stand on pages of about this length."""

_HEAD_BYTES: Final = 65_536
_ENGLISH: Final = "en"
_CHARSET: Final = regex.compile(
    rb"charset=((?i:us-ascii|ascii|utf|iso|koi8|cp|windows|gb|big5|euc|shift|johab|tis)[\w-]*+)"
)
_LINE: Final = regex.compile(
    r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)\s*+)?+"((?:[^"\\]|\\.)*+)"'
)
_ELEMENT: Final = regex.compile(r"path:\s*+\S*?(\w+)/(\w+)\s*\Z")
_ABOUT_PAGES: Final = frozenset({"credit", "license"})
"""Elements of Mallard and DocBook that are about a page rather than in it."""


def read_po(path: Path, source_language: str, target_language: str) -> ReadPairs:
    """The translated messages of a catalogue, in either direction.

    Its header says the language of the translations (``msgstr``); the messages themselves
    (``msgid``) are in the other of the two. Without such a header they are taken for English, as is
    the custom, when that is one of the two. Of a message with plural forms the first is paired with
    ``msgid`` and the others with ``msgid_plural``. What is untranslated, fuzzy or obsolete is
    counted.
    """
    messages = _messages(path)
    language = messages.metadata.get("Language", "").partition("\n")[0]
    step = -1 if _is_turned(language, path, source_language, target_language) else 1

    def pairs() -> Iterator[TextPair | str]:
        for message in messages:
            if message.obsolete or message.fuzzy:
                yield "obsolete" if message.obsolete else "fuzzy"
                continue
            for texts in _forms(message):
                source, target = map(message_html, texts[::step])
                yield to_pair(source, target, path.name)

    return ReadPairs.of(pairs())


def read_po_pages(path: Path) -> dict[str, str]:
    """The translations as pages in HTML, by the names of the files that the messages come from.

    Titles and items of lists are told by the comments that itstool writes.
    """
    blocks: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, message in enumerate(_messages(path)):
        if not message.msgid or message.fuzzy or message.obsolete:
            continue
        text = "<p>".join(message_html(form) for _, form in _forms(message) if form.strip())
        place = _ELEMENT.search(message.comment)
        parent, element = place.groups() if place else ("", "")
        if not text or parent in _ABOUT_PAGES:
            continue
        if element == "title":
            tag = "h1" if parent in ("page", "article", "book") else "h2"
        else:
            tag = "li" if parent in ("item", "listitem") else "p"
        for name, line in message.occurrences or [("", str(number))]:
            line_number = int(line) if line.isdecimal() and len(line) < 10 else 0
            blocks[name].append((line_number, f"<{tag}>{text}</{tag}>"))
    placeless = blocks.pop("", [])
    pages = {
        name: _joined(text for _, text in sorted(own, key=itemgetter(0)))
        for name, own in blocks.items()
    }
    chars = 0
    pieces: dict[int, list[str]] = defaultdict(list)
    for _, text in placeless:
        pieces[chars // PIECE_CHARS].append(text)
        chars += len(text)
    return pages | {str(n): _joined(own) for n, own in enumerate(pieces.values(), 1)}


def _joined(blocks: Iterable[str]) -> str:
    """Blocks as a page; items that follow one another are one list."""
    return "\n".join(
        "\n".join(("<ol>", *own, "</ol>") if is_list else own)
        for is_list, own in groupby(blocks, key=lambda block: block.startswith("<li>"))
    )


def _forms(message: POEntry) -> Iterator[tuple[str, str]]:
    """Each translation with what it translates; the first form is the singular."""
    if not message.msgstr_plural:
        yield message.msgid, message.msgstr
    for number, text in sorted(message.msgstr_plural.items()):
        yield (message.msgid_plural or message.msgid) if number else message.msgid, text


def _messages(path: Path) -> POFile:
    with needs("translation", "reading PO needs polib"):
        import polib
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        with path.open("rb") as file:
            encoding = _encoding(file.read(_HEAD_BYTES))
        with path.open(encoding=encoding) as text:
            lines = _lines(path, text)
    except UnicodeError as error:
        raise InputError(f"{path}: not in the encoding that its header states: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return polib.pofile("".join(f"{line}\n" for _, line in lines), encoding=encoding)
    except OSError as error:
        place = int(str(error).rpartition("(line ")[2].partition(")")[0])
        number, line = lines[place - 1]
        raise InputError(
            f"{path}, line {number}: {line.removeprefix('#~ ').split()[0]} stands where it cannot; "
            "a message is msgid, then msgstr"
        ) from None


def _encoding(head: bytes) -> str:
    """The one that the header states; UTF-8 where that is none."""
    stated = _CHARSET.search(head)
    try:
        name = codecs.lookup(stated[1].decode()).name if stated is not None else "utf-8"
    except LookupError:
        name = "utf-8"
    return "utf-8-sig" if name == "utf-8" else name


def _lines(path: Path, file: Iterable[str]) -> list[tuple[int, str]]:
    """What polib is to read, with its line: each text whole, as it joins them in square time.

    Of the comments there are the flags, the references, and a message's first place.
    """
    lines: list[tuple[int, list[str]]] = []
    parts: list[str] = []
    keyword, where, chars, has_place = "msgstr", "", 0, False
    for number, given in enumerate(file, 1):
        line, where = " ".join(given.strip().splitlines()), f"{path}, line {number}"
        obsolete = "#~ " if line.startswith("#~") else ""
        line = line[2:].lstrip() if obsolete else line
        if not line or line[0] in "#|":
            is_place = line.startswith("#.") and "path:" in line and not has_place
            if is_place or line.startswith(("#,", "#:")):
                lines.append((number, [f"{line[:2]} {line[2:]}"]))
            has_place |= is_place
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"{where}: {line[:40]}: not PO, which has a keyword such as msgid and a text in "
                "quotes; or the file is cut off here"
            )
        if match[1]:
            if match[1].startswith("msgstr"):
                has_place = False
            elif keyword.startswith("msgstr"):
                chars = 0
            keyword, parts = match[1], [f'{obsolete}{match[1]} "']
            lines.append((number, parts))
        elif not parts:
            raise InputError(f"{where}: a text without a keyword such as msgid before it")
        parts.append(match[2])
        chars += len(match[2])
        if chars > LONGEST_MESSAGE_CHARS:
            raise InputError(
                f"{where}: one message has more than {LONGEST_MESSAGE_CHARS:,} characters"
            )
    if not keyword.startswith("msgstr"):
        raise InputError(f"{where}: a message without msgstr; the file is cut off or damaged")
    return [(number, "".join(own) + '"' * (len(own) > 1)) for number, own in lines]


def _is_turned(language: str, path: Path, source: str, target: str) -> bool:
    """Whether the messages are in the target language."""
    if is_language(language, target) or is_language(language, source):
        return not is_language(language, target)
    if language:
        raise ConfigurationError(
            f"{path}: translated into {language[:40]}, which is neither --from {source} nor "
            f"--to {target}"
        )
    if is_language(source, _ENGLISH) != is_language(target, _ENGLISH):
        return is_language(target, _ENGLISH)
    raise ConfigurationError(
        f"{path}: its header does not say in what language the translations are; add "
        f'"Language: {target}\\n" to it'
    )
