"""PO, the message catalogues of GNU gettext."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import regex

from klopt.bilingual.inline_tags import message_markdown
from klopt.bilingual.pairs import Pair, Read, is_language, to_pair
from klopt.errors import ConfigurationError, InputError

LARGEST_BYTES: Final = 100_000_000
LONGEST_MESSAGE_CHARS: Final = 1_000_000

_HEAD_BYTES: Final = 65_536
_ENGLISH: Final = "en"
_CHARSET: Final = regex.compile(
    rb"charset=((?i:us-ascii|ascii|utf|iso|koi8|cp|windows|gb|big5|euc|shift|johab|tis)[\w-]*+)"
)
_LINE: Final = regex.compile(
    r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d{1,2}\])?)\s*+)?+"((?:[^"\\]|\\.)*+)"'
)
_ESCAPE: Final = regex.compile(r"\\(.)")
_ESCAPED: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    '"': '"', "\\": "\\",
}  # fmt: skip
_LANGUAGE: Final = regex.compile(r"(?m)^Language:[ \t]*+(.*)$")


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its texts by keyword, and the comments before it."""

    texts: dict[str, str]
    is_fuzzy: bool
    is_obsolete: bool
    comments: tuple[str, ...] = ()

    @property
    def is_header(self) -> bool:
        """Whether it says of the catalogue what that is."""
        return not (self.texts["msgid"] or "msgctxt" in self.texts or self.is_obsolete)

    def forms(self) -> Iterator[tuple[str, str]]:
        """Each translation with what it translates; the first form is the singular."""
        for name in sorted((name for name in self.texts if name.startswith("msgstr")), key=_form):
            other = _form(name) > 0 and "msgid_plural" in self.texts
            yield self.texts["msgid_plural" if other else "msgid"], self.texts[name]


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
    """
    messages = read_messages(path)
    header = next((one for one in messages if one.is_header), None)
    stated = _LANGUAGE.search(header.texts.get("msgstr", "")) if header is not None else None
    language = "" if stated is None else stated[1].strip()
    step = -1 if _is_turned(language, path, source_language, target_language) else 1

    def found() -> Iterator[Pair | str]:
        for message in messages:
            if message is header:
                continue
            if message.is_obsolete or message.is_fuzzy:
                yield "obsolete" if message.is_obsolete else "fuzzy"
                continue
            for texts in message.forms():
                source, target = map(message_markdown, texts[::step])
                yield to_pair(source, target, path.name)

    return Read.of(found())


def read_messages(path: Path) -> list[Message]:
    """The messages of a catalogue, its header among them.

    Raises:
        InputError: As `read_po`.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        with path.open("rb") as file:
            encoding = _encoding(file.read(_HEAD_BYTES))
        with path.open(encoding=encoding) as lines:
            return list(_messages(path, lines))
    except UnicodeError as error:
        raise InputError(f"{path}: not in the encoding that its header states: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _encoding(head: bytes) -> str:
    """The one that the header states; UTF-8 where that is none."""
    stated = _CHARSET.search(head)
    try:
        found = codecs.lookup(stated[1].decode()).name if stated is not None else "utf-8"
    except LookupError:
        found = "utf-8"
    return "utf-8-sig" if found == "utf-8" else found


def _messages(path: Path, lines: Iterable[str]) -> Iterator[Message]:
    """The messages in order, each read in one pass over its lines."""
    parts: dict[str, list[str]] = {}
    comments: list[str] = []
    name, where, char_count = "", "", 0
    own_comments: tuple[str, ...] = ()
    is_fuzzy = next_is_fuzzy = is_obsolete = False

    def whole() -> Message:
        if not any(one.startswith("msgstr") for one in parts):
            raise InputError(f"{where}: a message without msgstr; the file is cut off or damaged")
        texts = {one: "".join(found) for one, found in parts.items()}
        return Message(texts, is_fuzzy, is_obsolete, own_comments)

    for number, given in enumerate(lines, 1):
        line, where = given.strip(), f"{path}, line {number}"
        line_is_obsolete = line.startswith("#~")
        if line_is_obsolete:
            line = line[2:].lstrip()
        if not line or line[0] in "#|":
            comments.append(line)
            next_is_fuzzy |= line.startswith("#,") and "fuzzy" in map(
                str.strip, line[2:].split(",")
            )
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"{where}: {line[:40]}: not PO, which has a keyword such as msgid and a text in "
                "quotes; or the file is cut off here"
            )
        if match[1]:
            name = match[1]
            if parts and (name == "msgctxt" or (name == "msgid" and "msgid" in parts)):
                yield whole()
                parts, char_count = {}, 0
            if name == "msgid":
                is_fuzzy, next_is_fuzzy, is_obsolete = next_is_fuzzy, False, line_is_obsolete
                own_comments, comments = tuple(comments), []
            elif name in parts or (name != "msgctxt" and "msgid" not in parts):
                raise InputError(
                    f"{where}: {name} stands where it cannot; a message is msgid, then msgstr"
                )
        elif not parts:
            raise InputError(f"{where}: a text without a keyword such as msgid before it")
        parts.setdefault(name, []).append(
            _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), match[2])
        )
        char_count += len(match[2])
        if char_count > LONGEST_MESSAGE_CHARS:
            raise InputError(
                f"{where}: one message has more than {LONGEST_MESSAGE_CHARS:,} characters"
            )
    if parts:
        yield whole()


def _form(name: str) -> int:
    return int(name[7:-1] or 0)


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
