"""Elements of an XML file, one at a time; XML from others is not to be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from zipfile import Path as Part

from klopt.errors import InputError
from klopt.extras import needs

LARGEST_BYTES: Final = 1_000_000_000
DEEPEST: Final = 100
LONGEST_ELEMENT_CHARS: Final = 1_000_000
LONGEST_MARKUP_BYTES: Final = 1_000_000

_CHUNK_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class FileElement:
    """An element of a file, its tags and attributes without namespaces, and the line of its end."""

    line: int
    element: Element


def read_elements(path: Path | Part, wanted: frozenset[str]) -> Iterator[FileElement]:
    """The elements with one of the names, in order; what is in them is not looked for again.

    No entity is defined and nothing outside the file is read; only one element at a time is in
    memory. Raises `InputError` with the line for a file beyond the bounds above, or that is no
    well-formed XML.
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
    except InputError:
        raise
    except (LookupError, ValueError) as error:
        raise InputError(f"{path}: not XML that can be read: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


class _Target:
    """Gets what the parser meets, and keeps the wanted elements whole."""

    def __init__(self, path: Path | Part, wanted: frozenset[str]) -> None:
        self.path = path
        self.wanted = wanted
        self.place: Any = None  # expat's parser, which knows how far it is
        self.builder: TreeBuilder | None = None  # of the wanted element that is open
        self.outer_count = self.inner_count = self.chars = 0
        self.found: list[FileElement] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag.rpartition("}")[2]
        if self.outer_count + self.inner_count >= DEEPEST:
            self.stop(f"elements nest more than {DEEPEST} deep")
        if self.builder is None and name not in self.wanted:
            self.outer_count += 1
            return
        if self.builder is None:
            self.builder, self.chars = TreeBuilder(), 0
        own = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        self.inner_count += 1
        self.builder.start(name, own)
        self._count(sum(map(len, own.values())) + 1)

    def data(self, text: str) -> None:
        if self.builder is not None:
            self._count(len(text))
            self.builder.data(text)

    def end(self, tag: str) -> None:
        if self.builder is None:
            self.outer_count -= 1
            return
        self.builder.end(tag.rpartition("}")[2])
        self.inner_count -= 1
        if not self.inner_count:
            self.found.append(FileElement(self.place.CurrentLineNumber, self.builder.close()))
            self.builder = None

    def close(self) -> None:
        """The parser asks for it at the end."""

    def take(self) -> list[FileElement]:
        """What was found since it was last asked."""
        found, self.found = self.found, []
        return found

    def stop(self, problem: str) -> NoReturn:
        """Refuses the file at the place that the parser has come to."""
        raise InputError(f"{self.path}, line {self.place.CurrentLineNumber}: {problem}")

    def _count(self, chars: int) -> None:
        self.chars += chars
        if self.chars > LONGEST_ELEMENT_CHARS:
            self.stop(f"one element has more than {LONGEST_ELEMENT_CHARS:,} characters")
