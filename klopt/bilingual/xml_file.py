"""Elements of an XML file, one at a time; XML from others is not to be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn
from xml.etree.ElementTree import Element
from zipfile import Path as Part

from klopt.errors import InputError
from klopt.extras import needs

LARGEST_BYTES: Final = 1_000_000_000
DEEPEST: Final = 100
LONGEST_ELEMENT_CHARS: Final = 1_000_000
LONGEST_MARKUP_BYTES: Final = 1_000_000

_CHUNK_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Found:
    """An element of a file.

    Attributes:
        line: Where it ends, from 1.
        element: The element; its tags and attributes are without namespaces.
    """

    line: int
    element: Element


def read_elements(path: Path | Part, wanted: frozenset[str]) -> Iterator[Found]:
    """The elements with one of the names, in order; what is in them is not looked for again.

    No entity is defined and nothing outside the file is read. Only one element at a time is in
    memory.

    Args:
        path: The file, or part of an archive, in any encoding that it declares.
        wanted: Names without namespace.

    Raises:
        InputError: The file cannot be read, is larger than 1 GB, is no well-formed XML, defines
            entities, nests more than 100 deep, or has an element of more than 1,000,000
            characters, or a comment or tag of as many bytes; with the line.
        ExtraMissingError: defusedxml is not installed.
    """
    with needs("translation", "reading XML needs defusedxml"):
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import ParseError, XMLParser
    target = _Target(path, wanted)
    parser = XMLParser(target=target)
    target.place = parser.parser
    try:
        if isinstance(path, Path) and path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        with path.open("rb") as file:
            read_bytes = 0
            while chunk := file.read(_CHUNK_BYTES):
                parser.feed(chunk)
                yield from target.take()
                read_bytes += len(chunk)
                # Expat looks at a comment or tag anew, from its start, with every chunk.
                if read_bytes - target.place.CurrentByteIndex > LONGEST_MARKUP_BYTES:
                    target.stop(f"a comment or tag has more than {LONGEST_MARKUP_BYTES:,} bytes")
        parser.close()
        yield from target.take()
    except ParseError as error:
        line, column = error.position
        problem = str(error).partition(": line ")[0]
        raise InputError(f"{path}, line {line}: not XML: {problem}, column {column}") from None
    except DefusedXmlException:
        raise InputError(
            f"{path}, line {parser.parser.CurrentLineNumber}: defines entities or asks for "
            "another file, which klopt does not follow; take that out of its DOCTYPE"
        ) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not XML that can be read: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


class _Target:
    """Gets what the parser meets, and keeps the wanted elements whole."""

    def __init__(self, path: Path | Part, wanted: frozenset[str]) -> None:
        self.path = path
        self.wanted = wanted
        self.place: Any = None  # expat's parser, which knows how far it is
        self.above_count = 0
        self.inside: list[Element] = []
        self.length = 0
        self.found: list[Found] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _local(tag)
        if self.above_count + len(self.inside) >= DEEPEST:
            self.stop(f"elements nest more than {DEEPEST} deep")
        if not self.inside and name not in self.wanted:
            self.above_count += 1
            return
        own = {_local(key): value for key, value in attributes.items()}
        element = Element(name, own)
        if self.inside:
            self.inside[-1].append(element)
        else:
            self.length = 0
        self.inside.append(element)
        self._count(sum(map(len, own.values())) + 1)

    def data(self, text: str) -> None:
        if not self.inside:
            return
        self._count(len(text))
        parent = self.inside[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def end(self, tag: str) -> None:
        if not self.inside:
            self.above_count -= 1
            return
        element = self.inside.pop()
        if not self.inside:
            self.found.append(Found(self.place.CurrentLineNumber, element))

    def close(self) -> None:
        """The parser asks for it at the end."""

    def take(self) -> list[Found]:
        """What was found since it was last asked."""
        found, self.found = self.found, []
        return found

    def stop(self, problem: str) -> NoReturn:
        """Refuses the file at the place that the parser has come to."""
        raise InputError(f"{self.path}, line {self.place.CurrentLineNumber}: {problem}")

    def _count(self, length: int) -> None:
        self.length += length
        if self.length > LONGEST_ELEMENT_CHARS:
            self.stop(f"one element has more than {LONGEST_ELEMENT_CHARS:,} characters")


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]
