"""Turn the conversations, traces and messages of chat products into turns."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from klopt._internal.fields import CONVERSATION_NAMES, Columns, opened, rename, values_at
from klopt.logs.formats import Extracted, Names
from klopt.logs.products import (
    Kind,
    Product,
    candidates,
    documents_at,
    documents_in,
    flat_text,
    general,
    instructions_in,
    is_article,
    is_skipped,
    kind_of,
    lists_in,
    paths,
    text_at,
)
from klopt.types import row_id

_OPEN_CONVERSATIONS: Final = 10_000  # of single messages, remembered until the next
_MAX_DEPTH: Final = 4
_PEEKED: Final = 5  # Items of a list by which klopt recognises it
_DOCUMENT_SIGNS: Final = (
    *("\n\n", "\n#", "# ", "<doc", "<context", "<source"),
    *("ontext:", "ronnen:", "ources:"),
)  # What instructions have if they contain documents; others are not checked against
_ANY: Final = Product("")


@dataclass(slots=True)
class _Chat:
    """A conversation up to some message."""

    questions: list[str] = field(default_factory=list)
    documents: list[Any] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)
    is_answered: bool = False
    count: int = 0

    def add(self, kind: Kind, text: str, documents: Sequence[Any] = ()) -> dict[str, Any] | None:
        """Add a message; return the turn that an answer of the bot completes."""
        if kind == "user" and text:
            if self.is_answered:
                self.questions, self.documents, self.is_answered = [], [], False
            self.questions.append(text)
        elif kind == "document":
            self.documents += documents_in(opened(text))
        elif kind == "system" and text:
            self.instructions.append(text)
        elif kind == "bot" and text and self.questions:
            self.is_answered = True
            self.count += 1
            given = [*documents] or list(self.documents)
            return {"question": "\n".join(self.questions), "answer": text, "contexts": given}
        return None

    @property
    def instructed_documents(self) -> list[str]:
        """The instructions that contain documents."""
        return [text for text in self.instructions if any(map(text.__contains__, _DOCUMENT_SIGNS))]


class Conversations:
    """Reads records as turns, and counts those that hold none; ``names`` is ``--map``."""

    def __init__(self, names: Names) -> None:
        self._names = names or {}
        own = {name: self._names[name] for name in CONVERSATION_NAMES if name in self._names}
        self._mapped = Product("", **{name: tuple(given.split(",")) for name, given in own.items()})
        self._fields = {
            name: path for name, path in self._names.items() if name not in CONVERSATION_NAMES
        }
        self._columns = Columns()
        self._chats: OrderedDict[str, _Chat] = OrderedDict()
        self.people: Counter[str] = Counter()
        self.turn_count = self.unanswered_count = self.message_count = 0

    def turns_of(self, fields: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        """Return the turns that a record holds, none or several, or else the record itself."""
        if self._columns.is_turn(fields):
            has_contexts = "contexts" in self._columns.of(fields)
            documents = () if has_contexts else documents_at(_product(fields) or _ANY, fields)
            return [{**fields, "contexts": documents} if documents else fields]
        is_mapped = not {"question", "answer"}.isdisjoint(self._names)
        turns = None if is_mapped else self._extracted(fields)
        return (_rows_in(fields) or [fields]) if turns is None else turns

    def problem(self) -> str | None:
        """Return what was left out, and the option that scores it; None if nothing was."""
        count = self.unanswered_count
        if not (count or (self.message_count and not self.turn_count)):
            return None
        who = f"{count:,} conversation{'s hold' if count > 1 else ' holds'}"
        what = f"{who if count else 'the messages hold'} no answer of a bot and cannot be scored"
        names = [name[:40] for name, _ in self.people.most_common(3)]
        answered = f"; people answered ({', '.join(names)}). If that is the bot: --map "
        return f'{what}{answered}"bot={names[0]}"' if names else what

    def _extracted(
        self, record: Mapping[str, Any], depth: int = 0
    ) -> list[Mapping[str, Any]] | None:
        """Return the turns of a record; None if it is neither a conversation nor a message."""
        if self._mapped.messages:
            messages = _messages(self._mapped, record)
            return self._conversation(self._mapped, record, messages) if messages else None
        product = self._with_words(_product(record))
        if product is not None and product.question:
            questions = [values_at(record, path) for path in product.question]
            answers = [values_at(record, path) for path in product.answer]
            return self._turn(record, questions, answers, product)
        if product is not None and product.messages:
            return self._conversation(product, record, _messages(product, record))
        columns = self._columns.of(record)
        if product is None and {"question", "answer"} <= columns.keys():
            question, answer = (record[columns[name]] for name in ("question", "answer"))
            lists = (own for own in (question, answer) if isinstance(own, list))
            is_listed = any(not any(isinstance(one, Mapping) for one in own) for own in lists)
            if not is_listed and (turns := self._turn(record, [[question]], [[answer]])):
                return turns
        for inner in record.values():
            if isinstance(inner, Mapping) and self._columns.is_turn(inner):
                return [{**record, **inner}]
        own = product or self._mapped
        kind, word = kind_of(own, record, record)
        if product or (kind not in (None, "document", "system") and self._text(own, record)):
            return self._message(own, record, kind, word)
        return self._inside(record, depth)

    def _with_words(self, product: Product | None) -> Product | None:
        """Return a product with the words of ``--map user=`` and ``--map bot=``."""
        own = self._mapped
        if product is None or not (own.user or own.bot):
            return product
        return replace(product, user=own.user + product.user, bot=own.bot + product.bot)

    def _turn(
        self,
        record: Mapping[str, Any],
        questions: Iterable[Sequence[Any]],
        answers: Iterable[Sequence[Any]],
        product: Product | None = None,
    ) -> list[Mapping[str, Any]] | None:
        """Return the turn of a record that has one question and one answer, of whatever shape."""
        chat = _Chat()
        for values in questions:
            for value in values:
                self._ask(chat, value)
            if chat.questions:
                break
        answer = next(filter(None, (self._answer(values) for values in answers)), "")
        if not chat.questions or not answer:
            return None
        chat.is_answered = False
        given = documents_at(product or _ANY, record) or self._given(record)
        turn = chat.add("bot", answer, given)
        turn = {**self._others(record), **(turn or {})}
        turn["contexts"] = turn["contexts"] or chat.instructed_documents
        if product and (name := text_at(record, product.id)):
            turn["id"] = name
        self.turn_count += 1
        return [Extracted(turn)]

    def _ask(self, chat: _Chat, value: object) -> None:
        """Add what a user asked: a text, messages, or an object with a question."""
        value = opened(value)
        if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
            kinds = [kind_of(self._mapped, message, message)[0] for message in value]
            if any(kinds):
                for kind, message in zip(kinds, value, strict=True):
                    if kind:
                        chat.add(kind, self._text(_ANY, message))
                return
        if isinstance(value, Mapping):
            known = rename(value, "turn", {})
            inner = known.get("question", value.get("messages"))
            if inner is not None:
                chat.documents += documents_in(known.get("contexts"))
                return self._ask(chat, inner)
        if text := flat_text(value):
            chat.add("user", text)
        return None

    def _answer(self, values: Sequence[Any]) -> str:
        texts = []
        for value in map(opened, values) if len(values) == 1 else values:
            inner = value
            if isinstance(value, list) and value and isinstance(value[-1], Mapping):
                bots = [item for item in value if kind_of(_ANY, item, item)[0] == "bot"]
                inner = bots[-1] if bots else value
            elif isinstance(value, Mapping):
                inner = rename(value, "turn", {}).get("answer", value)
            texts.append(flat_text(inner))
        return "\n".join(filter(None, texts))

    def _given(self, record: Mapping[str, Any]) -> list[Any]:
        """Return the documents among the inputs or outputs of a record."""
        for value in map(opened, rename(record, "turn", {}).values()):
            inner = rename(value, "turn", {}) if isinstance(value, Mapping) else {}
            if found := documents_in(inner.get("contexts")):
                return found
        return []

    def _others(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a record besides question, answer and contexts."""
        turn: dict[str, Any] = {"id": row_id(record)}
        known = rename(record, "turn", {})
        turn |= {
            name: known[name]
            for name, kinds in (("reference", str), ("label", int | str), ("rating", int | float))
            if isinstance(known.get(name), kinds)
        }
        times = (one for own in general("time") for one in values_at(record, own) if one)
        if time := next(times, None):
            turn["time"] = time
        for name, path in self._fields.items():
            if found := values_at(record, path):
                turn[name] = found[0]
        return turn

    def _text(self, product: Product, message: Mapping[str, Any]) -> str:
        return text_at(message, paths(product, "text", message))

    def _conversation(
        self, product: Product, record: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        """Return the turns of a record with all messages of a conversation."""
        chat = _Chat()
        chat.add("system", instructions_in(record))
        chat.add("user", text_at(record, product.first))
        turns: list[dict[str, Any]] = []
        of_record = documents_at(replace(product, text=()), record)
        others = self._others(record)
        others["id"] = text_at(record, product.id) or others["id"]
        if not others["id"] and messages:
            every = paths(product, "conversation", messages[0])
            others["id"] = text_at_any(messages[0], every)
        people = []
        for message in messages:
            if is_skipped(product, message):
                continue
            kind, word = kind_of(product, message, record)
            text = self._text(product, message) if kind else ""
            if kind == "agent" and text:
                people.append(word)
            if kind is None:
                continue
            documents = documents_at(product, message) if kind == "bot" else ()
            if turn := chat.add(kind, text, documents):
                turn["contexts"] = turn["contexts"] or of_record
                own = self._others(message)
                own.pop("id")
                turns.append(Extracted({**others, **own, **turn}, chat.count))
        for own_turn in turns:
            own_turn["contexts"] = own_turn["contexts"] or chat.instructed_documents
        self.turn_count += len(turns)
        self.unanswered_count += not turns
        self.people.update(people)
        return [*turns]

    def _message(
        self, product: Product, message: Mapping[str, Any], kind: Kind | None, word: str
    ) -> list[Mapping[str, Any]]:
        """Add a message to its conversation, and return the turn that it completes."""
        self.message_count += 1
        if kind is None or is_skipped(product, message):
            return []
        name = text_at_any(message, paths(product, "conversation", message))
        chat = self._chats.pop(name, None) or _Chat()
        self._chats[name] = chat
        if len(self._chats) > _OPEN_CONVERSATIONS:
            self._chats.popitem(last=False)
        text = self._text(product, message)
        if kind == "agent" and text:
            self.people[word] += 1
        documents = documents_at(product, message) if kind == "bot" else ()
        turn = chat.add(kind, text, documents)
        if turn is None:
            return []
        turn["contexts"] = turn["contexts"] or chat.instructed_documents
        self.turn_count += 1
        others = self._others(message)
        if name and others["id"] in ("", name):  # it has no id of its own
            return [Extracted({**others, **turn, "id": name}, chat.count)]
        return [Extracted({**others, **turn})]

    def _inside(self, record: Mapping[str, Any], depth: int) -> list[Mapping[str, Any]] | None:
        """Return the turns of the first list in a record that holds messages or records."""
        for items in lists_in(record):
            product = next(
                (own for item in items[:_PEEKED] if (own := _product(item)) and own.is_message),
                self._mapped,
            )
            product = self._with_words(product) or product
            kinds = {kind_of(product, item, record)[0] for item in items}
            if kinds & {"user", "system", "bot", "agent"} == {"user", "system"}:
                product = replace(product, bot=(*product.bot, "system"))  # as in dialogue research
                kinds.add("bot")
            elif {"user", None} <= kinds and not kinds & {"bot", "agent"}:
                product = replace(product, agent=("*",))  # others who answer
                kinds.add("agent")
            if (
                "user" in kinds
                and kinds & {"bot", "agent"}
                and any(self._text(product, item) for item in items)
            ):
                return self._conversation(product, record, _sorted(items))
            if depth < _MAX_DEPTH and any(self._is_record(item, depth) for item in items[:_PEEKED]):
                return [turn for item in items for turn in self._item(item, depth)]
        return None

    def _is_record(self, item: Mapping[str, Any], depth: int) -> bool:
        if {"question", "answer"} <= self._columns.of(item).keys():
            return True
        return Conversations(self._names)._extracted(item, depth + 1) is not None

    def _item(self, item: Mapping[str, Any], depth: int) -> Iterable[Mapping[str, Any]]:
        if self._columns.is_turn(item):
            return self.turns_of(item)
        found = self._extracted(item, depth + 1)
        return [item] if found is None else found


def _rows_in(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the only list of a record without texts, if its items have several texts each."""
    lists = [value for value in record.values() if isinstance(value, list) and value]
    if len(lists) != 1 or any(map(_is_text, record.values())):
        return []
    items = [item for item in lists[0] if isinstance(item, Mapping)]
    is_row = len(items) == len(lists[0]) and sum(map(_is_text, items[0].values())) > 1
    return items if is_row and not is_article(rename(items[0], "page", {})) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str) and " " in value.strip()


def text_at_any(record: Mapping[str, Any], every: Iterable[str]) -> str:
    """Return the first value at these paths that is a text or a number, as text."""
    for path in every:
        for value in values_at(record, path):
            if isinstance(value, str | int) and value != "":
                return str(value)
    return ""


def _product(record: Mapping[str, Any]) -> Product | None:
    names = tuple(map(str, record))
    return next((product for product in candidates(names) if product.fits(record)), None)


def _messages(product: Product, record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = (opened(value) for path in product.messages for value in values_at(record, path))
    every = [item for value in found for item in (value if isinstance(value, list) else [value])]
    return _sorted([item for item in every if isinstance(item, Mapping)])


def _sorted(messages: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return messages by their times, if all have comparable ones; else as they are."""
    for path in general("time"):
        times: list[Any] = [next(iter(values_at(message, path)), None) for message in messages]
        if any(all(isinstance(time, kind) for time in times) for kind in (str, int | float)):
            order = sorted(range(len(times)), key=lambda place: times[place])
            return [messages[place] for place in order]
    return messages
