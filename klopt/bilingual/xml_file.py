"""Elements of an XML file, one at a time; XML from others is not to be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final
from xml.etree.ElementTree import Element
from zipfile import Path as Part

from klopt.errors import InputError
from klopt.extras import needs

LARGEST_BYTES: Final = 1_000_000_000
DEEPEST: Final = 100
LONGEST_ELEMENT_BYTES: Final = 4_000_000
"""Of one wanted element, or of one comment, tag or text."""


class _Bounded:
    """A file of which only so much may be read for one element, comment, tag or text."""

    def __init__(self, path: Path | Part, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        self.left_bytes = LONGEST_ELEMENT_BYTES

    def read(self, size: int) -> bytes:
        # Expat looks at a comment or tag anew, from its start, with every piece of the file.
        if self.left_bytes < 0:
            raise InputError(
                f"{self._path}: one element, comment, tag or text has more than "
                f"{LONGEST_ELEMENT_BYTES:,} bytes"
            )
        self.left_bytes -= size
        return self._file.read(size)


def read_elements(path: Path | Part, wanted: frozenset[str]) -> Iterator[Element]:
    """The elements with one of the names, in order; what is in them is not looked for again.

    Their tags and attributes are without namespaces. No entity is defined and nothing outside the
    file is read; only one element at a time is in memory. Raises `InputError` for a file beyond
    the bounds above, or that is no well-formed XML.
    """
    with needs("translation", "reading XML needs defusedxml"):
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import ParseError, iterparse
    opened: list[Element] = []
    wanted_depth = 0
    try:
        if isinstance(path, Path) and path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path}: larger than {LARGEST_BYTES:,} bytes; split it")
        with path.open("rb") as file:
            bounded = _Bounded(path, file)
            for event, element in iterparse(bounded, ("start", "end")):
                if event == "start":
                    opened.append(element)
                    _without_namespaces(element)
                    if len(opened) > DEEPEST:
                        raise InputError(f"{path}: elements nest more than {DEEPEST} deep")
                    if not wanted_depth and element.tag in wanted:
                        wanted_depth = len(opened)
                        bounded.left_bytes = LONGEST_ELEMENT_BYTES
                else:
                    if len(opened) == wanted_depth:
                        wanted_depth = 0
                        yield element
                    opened.pop()
                    if not wanted_depth and opened:
                        opened[-1].clear()
                if not wanted_depth:
                    bounded.left_bytes = LONGEST_ELEMENT_BYTES
    except ParseError as error:
        line, column = error.position
        problem = str(error).partition(": line ")[0]
        raise InputError(f"{path}, line {line}: not XML: {problem}, column {column}") from None
    except DefusedXmlException:
        raise InputError(
            f"{path}: defines entities or asks for another file, which klopt does not follow; take "
            "that out of its DOCTYPE"
        ) from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:
        raise InputError(f"{path}: not XML that can be read: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _without_namespaces(element: Element) -> None:
    element.tag = element.tag.rpartition("}")[2]
    for name in [name for name in element.attrib if "}" in name]:
        element.set(name.rpartition("}")[2], element.attrib.pop(name))
