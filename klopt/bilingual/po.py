"""PO, the message catalogues of GNU gettext."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klopt.bilingual.inline_tags import message_markdown
from klopt.bilingual.pairs import Pair, Read, is_language, to_pair
from klopt.errors import ConfigurationError, ExtraMissingError, InputError

if TYPE_CHECKING:
    from polib import POEntry, POFile

LARGEST_BYTES: Final = 100_000_000

_ENGLISH: Final = "en"


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
        InputError: The file cannot be read, is larger than 100 MB, or is no PO; with the line.
        ConfigurationError: Its language is neither of the two, or nothing says which it is.
        ExtraMissingError: polib is not installed.
    """
    catalogue = _read(path)
    step = -1 if _is_turned(catalogue, path, source_language, target_language) else 1

    def found() -> Iterator[Pair | str]:
        for message in catalogue:
            if message.obsolete or message.fuzzy:
                yield "obsolete" if message.obsolete else "fuzzy"
                continue
            for texts in _forms(message):
                source, target = map(message_markdown, texts[::step])
                yield to_pair(source, target, path.name)

    return Read.of(found())


def _read(path: Path) -> POFile:
    try:
        import polib
    except ImportError:
        raise ExtraMissingError(
            "reading PO needs polib; install it with: pip install 'klopt[translation]'"
        ) from None
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        return polib.pofile(str(path))
    except UnicodeError as error:
        raise InputError(f"{path}: not in the encoding that its header states: {error}") from None
    except LookupError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        if error.strerror:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        raise InputError(f"{path}: not a PO file: {error}") from None


def _is_turned(catalogue: POFile, path: Path, source: str, target: str) -> bool:
    """Whether the messages are in the target language."""
    metadata: dict[str, Any] = catalogue.metadata
    language = str(metadata.get("Language", "")).strip()
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


def _forms(message: POEntry) -> Iterator[tuple[str, str]]:
    if not message.msgid_plural:
        yield message.msgid, message.msgstr
        return
    for number, text in sorted(message.msgstr_plural.items(), key=lambda one: int(one[0])):
        yield message.msgid if int(number) == 0 else message.msgid_plural, text
