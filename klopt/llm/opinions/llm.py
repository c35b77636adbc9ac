"""An LLM's opinion: on the whole answer, by the truthfulness judge, or on each claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import ValidationError

from klopt._internal import shipped
from klopt._internal.toml_schema import MustBe, Table, list_of, shown
from klopt.errors import ReplyError
from klopt.llm import judges
from klopt.llm.calls import Call, CallError, Model, Reply, ask, parse_json
from klopt.llm.judges import Judge
from klopt.llm.opinions.opinion import OpinionRequest, OpinionResult
from klopt.llm.opinions.recorded import PROBABILITY, RELATION
from klopt.scoring.notes import ClaimOpinion

Form: TypeAlias = Literal["answer", "statements"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

MAX_CLAIMS: Final = 60
"""Claims of an answer that are sent to a model; with more there is no opinion on claims."""

_DIGEST_CHARS: Final = 12
_ENTRY: Final = Table.of(
    number=Annotated[int, MustBe("a whole number")],
    why=Annotated[str, MustBe("a text")],
    relation=RELATION,
    probability=PROBABILITY,
)
_REPLY: Final = Table.of(statements=list_of(_ENTRY, "a list"))


class LlmOpinion:
    """Opinion of a language model; see `Judge` for its resistance to instructions in texts.

    On the whole answer (``answer``) it is G-Eval's judge of truthfulness with the pages as source;
    its 1 to 5 becomes 0 to 1. On ``statements`` it is one call with all claims and the pages.
    """

    def __init__(self, model: Model, form: Form = "answer") -> None:
        self.name = model.name
        self._model, self._form = model, form
        self._judge = Judge(model, "g_eval", judges.dimensions()["truthfulness"], "pages")
        digest = shipped.digest("klopt.llm.opinions", "prompts.toml")[:_DIGEST_CHARS]
        prompts = judges.prompt_digest() + (f"+{digest}" if form == "statements" else "")
        self.signature = f"llm_{form}:{model.name.replace('|', '_')}@{prompts}"

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the model's opinion, or why its replies cannot be used."""
        is_on_claims, count = self._form == "statements", len(request.claims)
        problem = self._judge.obstacle(request.turn)
        if is_on_claims and problem is None and not 0 < count <= MAX_CLAIMS:
            problem = f"the answer has {count} claims, not 1 to {MAX_CLAIMS}"
        if problem is not None:
            return OpinionResult(reason_code="nothing_to_ask", reason=problem)

        def read(reply: Reply) -> OpinionResult:
            if is_on_claims:
                return OpinionResult(claims=read_reply(reply.text, count), who=reply.model)
            score, _ = judges.read("g_eval", reply.text)
            truth = (score - judges.LOWEST) / (judges.HIGHEST - judges.LOWEST)
            return OpinionResult(truth, who=reply.model)

        call = claims_call(request) if is_on_claims else self._judge.call(request.turn)
        try:
            reply = ask(self._model, call, read)
        except CallError as error:
            code, why = error.reason_code, error.message
            return OpinionResult(
                usage=error.usage, reason_code=code, reason=why, problems=error.problems
            )
        return replace(reply.value, usage=reply.usage, problems=reply.problems)


def claims_call(request: OpinionRequest) -> Call:
    """Return the call about all claims of an answer, with its pages."""
    words = shipped.table("klopt.llm.opinions", "prompts.toml")["statements"]
    texts = [
        (words["block"].format(number=number), claim.text)
        for number, claim in enumerate(request.claims, 1)
    ]
    return judges.call_about(
        request.turn, "opinion.statements", words, texts, request.turn.pages, count=len(texts)
    )


def read_reply(text: str, count: int) -> tuple[ClaimOpinion, ...]:
    """Return the opinions on ``count`` claims in a reply.

    The reply is one JSON object with only "statements", a list with an entry for each claim, in
    order: "number", "why", "relation" and "probability".

    Raises:
        ReplyError: The reply is invalid (``bad_json``, ``bad_shape``), or has two entries for one
            claim, which could contradict each other.

    >>> entry = '{"number": 1, "why": "", "relation": "not_stated", "probability": 1}'
    >>> read_reply(f'{{"statements": [{entry}]}}', 1)
    (ClaimOpinion(relation='not_stated', probability=1.0),)
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
        problem = (
            f"the reply has statements {shown(numbers)}, not 1 to {count}, each once, in order"
        )
        raise ReplyError("bad_shape", problem)
    return tuple(ClaimOpinion(entry["relation"], float(entry["probability"])) for entry in entries)
