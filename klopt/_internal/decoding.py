"""Decode text files of any origin: detect the encoding and repair text that was encoded twice."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from klopt.errors import InputError

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES: Final = 4_096  # examined for zero bytes and for a declared encoding
_MIN_ZERO_SHARE: Final = 0.3  # of every second byte in UTF-16; Latin text has nearly 1
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{1,100}?\bencoding\s*=\s*["']([\w.:-]{1,40})"""
    rb"""|<meta\b[^>]{1,300}?\bcharset\s*=\s*["']?([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_LATIN_1: Final = frozenset({"ascii", "iso8859-1"})  # browsers read these as Windows-1252
_CODECS: Final = re.compile(
    r"cp(?:125\d|437|850|852|858|866|874|932|949)|iso8859-\d+|koi8-[ru]"
    r"|mac-roman|utf-8|gbk|gb18030|big5|shift_jis|euc[_-]\w+"
)
_HIGH_BYTES: Final = bytes(range(0x80, 0x100))
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_CONTROL_SAMPLE_CHARS: Final = 100_000
_MAX_CONTROLS: Final = 4
_MAX_CONTROL_SHARE: Final = 0.01  # of characters; files with more are not text
_HIGH_CHARACTERS: Final = {
    bytes([byte]).decode("cp1252", "ignore") or chr(byte): byte for byte in range(0x80, 0xC0)
}
_TWICE: Final = re.compile(
    rf"[ÂÃ]([{re.escape(''.join(_HIGH_CHARACTERS))}])"
    rf"|â([€‚„†œ])([{re.escape(''.join(_HIGH_CHARACTERS))}])|ï»¿"
)  # UTF-8 that was read as Windows-1252: letters, punctuation, arrows and signs


class DecodedText(NamedTuple):
    """A text and the codec that decoded it."""

    text: str
    encoding: str


def decode(data: bytes, name: str) -> DecodedText:
    r"""Decode the bytes of the file ``name``, without a byte-order mark; line ends are kept.

    The encoding is that of a byte-order mark, else UTF-16 where every second byte is zero, UTF-8
    where the bytes are valid, what a ``<meta charset>`` or XML declaration states, and
    Windows-1252. Text in UTF-8 with damaged characters is UTF-8 with U+FFFD in their places. Text
    that was encoded twice ("Ã©Ã©n") is repaired. Raises InputError for text in none of these
    encodings.

    >>> decode("één € 12".encode("cp1252"), "a.html")
    DecodedText(text='één € 12', encoding='cp1252')
    >>> decode("Ã©Ã©n kost â‚¬ 12".encode(), "a.html").text
    'één kost € 12'
    """
    no_text = InputError(f"{name}: not text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8")
    if (encoding := encoding_of(data)) is None:
        raise no_text
    try:
        text = data.decode(encoding, "replace" if encoding == "utf-8" else "strict")
    except UnicodeDecodeError:
        raise no_text from None
    sample = text[:_CONTROL_SAMPLE_CHARS]
    if len(_CONTROL.findall(sample)) > max(_MAX_CONTROLS, _MAX_CONTROL_SHARE * len(sample)):
        raise no_text
    return DecodedText(repaired(text), encoding)


def encoding_of(data: bytes, *, is_whole: bool = True) -> str | None:
    r"""Return the Python codec that decodes some bytes as `decode` does; None if there is none.

    Where they are not the whole file, the end may cut a character in two.

    >>> encoding_of(b"plain"), encoding_of("é".encode("utf-16")), encoding_of(b"\x81\xe9n")
    ('utf-8', 'utf-16', None)
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    head = data[:_SAMPLE_BYTES]
    if zeros := head.count(0):
        least = max(1.0, _MIN_ZERO_SHARE * len(head) / 2)
        for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[first::2].count(0) >= least and head[first::2].count(0) >= 0.9 * zeros:
                return encoding
    if _decodes(data, "utf-8", is_whole=is_whole):
        return "utf-8"
    if (declared := _declared(head)) and _decodes(data, declared, is_whole=is_whole):
        return declared
    replaced = data.decode("utf-8", "replace")
    damaged = replaced.count("\ufffd")
    characters = len(replaced) - len(data.translate(None, _HIGH_BYTES)) - damaged
    if characters > damaged:  # beyond ASCII
        return "utf-8"
    return "cp1252" if _decodes(data, "cp1252", is_whole=is_whole) else None


def repaired(text: str) -> str:
    """Return a text with the characters that were encoded twice in UTF-8 as they were meant.

    >>> repaired("coÃ¶rdinator â€“ cafÃ©"), repaired("Ângela, pâté")
    ('coördinator – café', 'Ângela, pâté')
    """
    return _TWICE.sub(_decoded_twice, text) if _TWICE.search(text) else text


def _decoded_twice(match: re.Match[str]) -> str:
    if match[0] == "ï»¿":
        return ""
    others = (_HIGH_CHARACTERS[character] for character in match[0][1:])
    data = bytes([ord(match[0][0]), *others])
    return data.decode("utf-8", "replace")


def _declared(head: bytes) -> str | None:
    """Return the codec that markup declares, if it is one for text in single or double bytes."""
    match = _DECLARED.search(head)
    if match is None:
        return None
    try:
        name = codecs.lookup((match[1] or match[2]).decode("ascii")).name
    except (LookupError, UnicodeDecodeError):
        return None
    if name in _LATIN_1:
        return "cp1252"
    return name if _CODECS.fullmatch(name) else None


def _decodes(data: bytes, encoding: str, *, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data, final=is_whole)
    except UnicodeDecodeError:
        return False
    return True


def is_encoding(name: str) -> bool:
    """Whether Python has an encoding of text with this name; those of bytes are not, as base64.

    >>> [is_encoding(name) for name in ("cp1252", "base64", "klingon")]
    [True, False, False]
    """
    try:
        "".encode(name)
    except (LookupError, UnicodeError):
        return False
    return True
