"""An LLM's opinion: of the whole answer, by the judge of truthfulness, or of each statement."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import ValidationError

from klopt import shipped
from klopt.errors import ReplyError
from klopt.models import judges
from klopt.models.calls import Call, CallError, Model, Reply, ask, parse_json
from klopt.models.judges import Judge
from klopt.opinions.opinion import Asked, Said
from klopt.opinions.recorded import CHANCE, RELATION
from klopt.scoring.second_opinion import SaidOfStatement
from klopt.toml_schema import MustBe as Allowed
from klopt.toml_schema import Table, list_of, shown

Form: TypeAlias = Literal["answer", "statements"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

MOST_STATEMENTS: Final = 60
"""An answer with more is not asked about statement by statement."""

_DIGITS: Final = 12
_ENTRY: Final = Table.of(
    number=Annotated[int, Allowed("a whole number")],
    why=Annotated[str, Allowed("a text")],
    relation=RELATION,
    probability=CHANCE,
)
_REPLY: Final = Table.of(statements=list_of(_ENTRY, "a list"))


class LlmOpinion:
    """Asks a model whether an answer is true; see `Judge` for how far it can be talked to.

    Asked of the whole (``answer``) it is G-Eval's judge of truthfulness, held against the pages:
    1 to 5 becomes 0 to 1. Asked of the ``statements`` it is one call with all of them and the
    pages.
    """

    def __init__(self, model: Model, form: Form = "answer") -> None:
        self.name = model.name
        self._model, self._form = model, form
        self._judge = Judge(model, "g_eval", judges.dimensions()["truthfulness"], "pages")
        digest = shipped.digest("klopt.opinions", "prompts.toml")[:_DIGITS]
        prompts = judges.prompt_digest() + (f"+{digest}" if form == "statements" else "")
        self.signature = f"llm_{form}:{model.name.replace('|', '_')}@{prompts}"

    def ask(self, asked: Asked) -> Said:
        """What the model says, or why there is nothing that can be used."""
        count = len(asked.statements)
        problem = self._judge.obstacle(asked.turn)
        if self._form == "statements" and problem is None and not 0 < count <= MOST_STATEMENTS:
            problem = f"the answer has {count} statements, not 1 to {MOST_STATEMENTS}"
        if problem is not None:
            return Said(reason_code="nothing_to_ask", reason=problem)
        call, read = self._call(asked)
        try:
            answer = ask(self._model, call, lambda reply: (reply.model, read(reply)))
        except CallError as error:
            return Said(
                usage=error.usage,
                reason_code=error.reason_code,
                reason=error.message,
                problems=error.problems,
            )
        who, fields = answer.value
        return Said(**fields, who=who, usage=answer.usage, problems=answer.problems)

    def _call(self, asked: Asked) -> tuple[Call, Callable[[Reply], dict[str, Any]]]:
        """What the model is asked, and what makes fields of a `Said` of its reply."""
        if self._form == "answer":
            return self._judge.call(asked.turn), _read_score
        count = len(asked.statements)
        return statements_call(asked), lambda reply: {"statements": read(reply.text, count)}


def statements_call(asked: Asked) -> Call:
    """The question about all statements of an answer at once, beside its pages."""
    words = _prompts()
    texts = [
        (words["block"].format(number=number), statement.text)
        for number, statement in enumerate(asked.statements, 1)
    ]
    return judges.call_about(
        asked.turn, "opinion.statements", words, texts, asked.turn.pages, count=len(texts)
    )


def read(text: str, count: int) -> tuple[SaidOfStatement, ...]:
    """What a reply says of each of so many statements.

    It is one JSON object with just "statements", a list of an entry for each statement, in order:
    "number", "why", "relation" and "probability".

    Raises:
        ReplyError: It is anything else: ``bad_json`` or ``bad_shape``; also where two entries are
            about one statement, which may contradict each other.

    >>> entry = '{"number": 1, "why": "", "relation": "not_stated", "probability": 1}'
    >>> read(f'{{"statements": [{entry}]}}', 1)
    (SaidOfStatement(relation='not_stated', probability=1.0),)
    """
    reply = parse_json(text)
    try:
        entries = _REPLY.model_validate(reply).model_dump()["statements"]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReplyError("bad_shape", f"in the reply {where or 'all'}: {first['msg']}") from None
    numbers = [entry["number"] for entry in entries]
    if numbers != list(range(1, count + 1)):
        told = f"the reply has statements {shown(numbers)}, not 1 to {count}, each once, in order"
        raise ReplyError("bad_shape", told)
    return tuple(
        SaidOfStatement(entry["relation"], float(entry["probability"])) for entry in entries
    )


def _read_score(reply: Reply) -> dict[str, Any]:
    score, _ = judges.read("g_eval", reply.text)
    return {"truth": (score - judges.LOWEST) / (judges.HIGHEST - judges.LOWEST)}


@cache
def _prompts() -> dict[str, str]:
    texts: dict[str, str] = shipped.table("klopt.opinions", "prompts.toml")["statements"]
    return texts
