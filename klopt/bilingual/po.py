"""PO, the message catalogues of GNU gettext."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import regex

from klopt.bilingual.inline_tags import message_html
from klopt.bilingual.pairs import Pair, Read, is_language, to_pair
from klopt.errors import ConfigurationError, InputError
from klopt.extras import needs

if TYPE_CHECKING:
    from polib import POEntry, POFile

LARGEST_BYTES: Final = 100_000_000
LONGEST_MESSAGE_CHARS: Final = 1_000_000

_HEAD_BYTES: Final = 65_536
_ENGLISH: Final = "en"
_CHARSET: Final = regex.compile(
    rb"charset=((?i:us-ascii|ascii|utf|iso|koi8|cp|windows|gb|big5|euc|shift|johab|tis)[\w-]*+)"
)
_LINE: Final = regex.compile(
    r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)\s*+)?+"((?:[^"\\]|\\.)*+)"'
)


def read_po(path: Path, source_language: str, target_language: str) -> Read:
    """The translated messages of a catalogue, in either direction.

    Its header says the language of the translations (``msgstr``); the messages themselves
    (``msgid``) are in the other of the two. Without such a header the messages are taken for
    English, as is the custom, when that is one of the two languages. Of a message with plural
    forms the first is paired with ``msgid`` and the others with ``msgid_plural``.

    Left out, and counted, is what is untranslated, fuzzy or obsolete.

    Args:
        path: The file.
        source_language: The language of the sources to come, whichever side has it.
        target_language: The language of the targets to come.

    Raises:
        InputError: The file cannot be read, is larger than 100 MB, has a message of more than
            1,000,000 characters, is cut off, or is no PO; with the line.
        ConfigurationError: Its language is neither of the two, or nothing says which it is.
        ExtraMissingError: polib is not installed.
    """
    messages = read_messages(path)
    language = messages.metadata.get("Language", "").partition("\n")[0]
    step = -1 if _is_turned(language, path, source_language, target_language) else 1

    def found() -> Iterator[Pair | str]:
        for message in messages:
            if message.obsolete or message.fuzzy:
                yield "obsolete" if message.obsolete else "fuzzy"
                continue
            for texts in forms(message):
                source, target = map(message_html, texts[::step])
                yield to_pair(source, target, path.name)

    return Read.of(found())


def forms(message: POEntry) -> Iterator[tuple[str, str]]:
    """Each translation with what it translates; the first form is the singular."""
    if not message.msgstr_plural:
        yield message.msgid, message.msgstr
    for number, text in sorted(message.msgstr_plural.items()):
        yield (message.msgid_plural or message.msgid) if number else message.msgid, text


def read_messages(path: Path) -> POFile:
    """The messages of a catalogue.

    Raises:
        InputError: As `read_po`.
        ExtraMissingError: polib is not installed.
    """
    with needs("translation", "reading PO needs polib"):
        import polib
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        with path.open("rb") as file:
            encoding = _encoding(file.read(_HEAD_BYTES))
        with path.open(encoding=encoding) as file:
            lines = _lines(path, file)
    except UnicodeError as error:
        raise InputError(f"{path}: not in the encoding that its header states: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return polib.pofile("\n".join(line for _, line in lines) + "\n", encoding=encoding)
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
        found = codecs.lookup(stated[1].decode()).name if stated is not None else "utf-8"
    except LookupError:
        found = "utf-8"
    return "utf-8-sig" if found == "utf-8" else found


def _lines(path: Path, file: TextIO) -> list[tuple[int, str]]:
    """What polib is to read, with its line: each text whole, as it joins them in square time.

    Of the comments there are the flags, the references, and a message's first place.
    """
    found: list[tuple[int, list[str]]] = []
    texts: list[str] = []
    keyword, where, char_count, has_place = "msgstr", "", 0, False
    for number, given in enumerate(file, 1):
        line, where = " ".join(given.strip().splitlines()), f"{path}, line {number}"
        obsolete = "#~ " if line.startswith("#~") else ""
        line = line[2:].lstrip() if obsolete else line
        if not line or line[0] in "#|":
            is_place = line.startswith("#.") and "path:" in line and not has_place
            if is_place or line.startswith(("#,", "#:")):
                found.append((number, [f"{line[:2]} {line[2:]}"]))
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
                char_count = 0
            keyword, texts = match[1], [f'{obsolete}{match[1]} "']
            found.append((number, texts))
        elif not texts:
            raise InputError(f"{where}: a text without a keyword such as msgid before it")
        texts.append(match[2])
        char_count += len(match[2])
        if char_count > LONGEST_MESSAGE_CHARS:
            raise InputError(
                f"{where}: one message has more than {LONGEST_MESSAGE_CHARS:,} characters"
            )
    if not keyword.startswith("msgstr"):
        raise InputError(f"{where}: a message without msgstr; the file is cut off or damaged")
    return [(number, "".join(parts) + '"' * (len(parts) > 1)) for number, parts in found]


def _is_turned(language: str, path: Path, source: str, target: str) -> bool:
    """Whether the messages are in the target language."""
    if language:
        if is_language(language, target):
            return False
        if is_language(language, source):
            return True
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
