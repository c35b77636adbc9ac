"""Read rows of JSON: lines, lists and objects with a list inside, streamed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from io import TextIOWrapper
from typing import BinaryIO, Final

from klopt._internal.files import check_nesting, json_fault, json_value
from klopt.logs.formats import ROW_LIMIT_CHARS, Found, text_of

_CHUNK_CHARS: Final = 65_536
_MAX_DEPTH: Final = 5  # Objects around the list of a large file
_DECODER: Final = json.JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\n\r,]*")
_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|[\[\]{}]|[^"\[\]{}]+', re.DOTALL)
_UNDECODED: Final = re.compile(r"[\udc80-\udcff]")
_LINE_END_MISSING: Final = "is a line end missing?"


def read_lines(lines: Iterable[bytes], where: str, first: int = 1) -> Iterator[Found]:
    """Yield lines of JSON, numbered from ``first``."""
    for number, data in enumerate(lines, first):
        place = f"{where}, line {number}"
        if len(data) > ROW_LIMIT_CHARS:
            problem = f"a line of more than {ROW_LIMIT_CHARS:,} bytes; {_LINE_END_MISSING}"
            yield number, f"{place}: {problem}", None
            continue
        text, warning = text_of(data)
        if not text.strip():
            continue
        try:
            value = json_value(text)
        except (ValueError, RecursionError) as error:
            yield number, f"{place}: {json_fault(error)}", None
            continue
        yield number, _fields(value, place), warning


def read_json(data: BinaryIO, where: str) -> Iterator[Found]:
    """Yield the items of JSON lists, and objects, numbered from 1, without reading all of it.

    An object of more than `ROW_LIMIT_CHARS` stands for the first list of objects in it. An item
    that is too long or not JSON costs no other item.
    """
    text = _Text(TextIOWrapper(data, encoding="utf-8-sig", errors="surrogateescape", newline=""))
    number = 0
    try:
        for value, warning in _top_values(text):
            number += 1
            place = f"{where}, item {number}"
            if isinstance(value, _Broken):
                yield number, f"{place}: {value.problem}", None
            else:
                yield number, _fields(value, place), warning
    finally:
        text.file.detach()


def _fields(value: object, place: str) -> Mapping[str, object] | str:
    """Return an object as it is and a list of messages as an object; an error for others."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and len(value) > 1 and all(isinstance(item, dict) for item in value):
        return {"messages": value}
    return f"{place}: not a JSON object but {json.dumps(value, ensure_ascii=False)[:40]}"


class _Broken:
    def __init__(self, problem: str) -> None:
        self.problem = problem


class _Text:
    """Text of JSON, of which a part is in memory."""

    def __init__(self, file: TextIOWrapper) -> None:
        self.file, self._part, self._at = file, "", 0

    def _read_more(self) -> bool:
        left = len(self._part) - self._at
        more = self.file.read(max(_CHUNK_CHARS, left))
        self._part, self._at = self._part[self._at :] + more, 0
        return bool(more)

    def peek(self) -> str:
        """Return the next character that is neither white space nor a comma; "" at the end."""
        while True:
            self._at = match.end() if (match := _SPACE.match(self._part, self._at)) else self._at
            if self._at < len(self._part):
                return self._part[self._at]
            if not self._read_more():
                return ""

    def take(self) -> None:
        self._at += 1

    def value(self) -> tuple[object, str | None]:
        """Return the next value, and a warning about its encoding; raise ValueError if invalid."""
        self.peek()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._part, self._at)
                # A number at the end of the part may go on.
                may_go_on = end == len(self._part) and self._part[end - 1] not in '"]}'
                is_whole = not (may_go_on and self._read_more())
            except ValueError:
                if len(self._part) - self._at > ROW_LIMIT_CHARS or not self._read_more():
                    raise
                continue
            if is_whole:
                source = self._part[self._at : end]
                check_nesting(source)
                self._at = end
                if source.isascii() or _UNDECODED.search(source) is None:
                    return found, None
                text, warning = text_of(source.encode("utf-8", "surrogateescape"))
                return (found if warning is None else json.loads(text)), warning

    def skip(self) -> bool:
        """Pass the next value by its brackets; return whether it has an end."""
        depth = 0
        while True:
            while match := _TOKEN.match(self._part, self._at):
                if match.end() == len(self._part) and match[0][0] not in "[]{}":
                    break  # it may go on
                self._at = match.end()
                depth += (match[0] in ("[", "{")) - (match[0] in ("]", "}"))
                if depth <= 0:
                    return depth == 0
            if len(self._part) - self._at > ROW_LIMIT_CHARS or not self._read_more():
                return False


def _top_values(text: _Text) -> Iterator[tuple[object, str | None]]:
    while first := text.peek():
        if first == "[":
            text.take()
            yield from _items(text)
            continue
        before = text.peek()
        try:
            yield text.value()
        except (ValueError, RecursionError) as error:
            if before != "{":
                yield _Broken(json_fault(error)), None
                return
            text.take()
            yield from _first_list(text, 0)
            return


def _items(text: _Text) -> Iterator[tuple[object, str | None]]:
    """Yield the items of a list, after its opening bracket."""
    while (first := text.peek()) not in ("", "]"):
        try:
            yield text.value()
        except (ValueError, RecursionError) as error:
            limit = f"an item of more than {ROW_LIMIT_CHARS:,} characters"
            yield _Broken(f"{limit}, or {json_fault(error)}"), None
            if first not in "[{" or not text.skip():
                return
    if not first:
        yield _Broken("the list has no end; is the file cut off?"), None
    text.take()


def _first_list(text: _Text, depth: int) -> Iterator[tuple[object, str | None]]:
    """Yield the items of the first list of objects in an object, after its opening bracket."""
    try:
        while text.peek() == '"':
            text.value()
            if text.peek() != ":":
                break
            text.take()
            first = text.peek()
            if first == "[":
                text.take()
                if text.peek() == "{":
                    yield from _items(text)
                    return
                for _ in _items(text):
                    pass
            elif first == "{" and depth < _MAX_DEPTH:
                text.take()
                inner = _first_list(text, depth + 1)
                if (item := next(inner, None)) is not None:
                    yield item
                    yield from inner
                    return
                text.take()
            else:
                text.value()
    except (ValueError, RecursionError) as error:
        yield _Broken(json_fault(error)), None
        return
    if depth == 0:
        problem = f"no list of objects, in an object of over {ROW_LIMIT_CHARS:,} characters"
        yield _Broken(problem), None
