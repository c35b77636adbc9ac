"""Opinions of an LLM, on the whole answer or on each claim, and recorded ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field, ValidationError

from klopt._internal import shipped
from klopt._internal.toml_schema import MustBe, Table, list_of, one_of, shown
from klopt.errors import ReplyError
from klopt.llm import judges
from klopt.llm.calls import Call, CallError, Model, Reply, Usage, ask, parse_json
from klopt.llm.judges import Judge
from klopt.llm.opinions.adviser import OpinionRequest, OpinionResult
from klopt.llm.transcripts import read_fields, read_file, read_lines
from klopt.scoring.notes import ClaimOpinion
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.verification import LABELS

PROBABILITY: Final = Annotated[
    float, Field(ge=0, le=1, allow_inf_nan=False), MustBe("a number from 0 to 1")
]
RELATION: Final = one_of(LABELS)

_KINDS: Final = ("truth", "rating", "statements")
_Id = Annotated[str | int, MustBe("a text")]
_Rating = Annotated[
    float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False), MustBe("a number from 1 to 5")
]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False), MustBe("a number of 0 or more")]
_Name = Annotated[str, Field(max_length=200), MustBe("a text of at most 200 characters")]
_CLAIM: Final = Table.of(relation=RELATION, probability=PROBABILITY)
_LINE: Final = Table.of(
    id=_Id,
    truth=(PROBABILITY | None, None),
    rating=(_Rating | None, None),
    statements=(list_of(_CLAIM | None, "a list of one or more statements", least=1) | None, None),
    who=(_Name, ""),
    cost_usd=(_Amount | None, None),
    seconds=(_Amount, 0.0),
)


class Recorded:
    """Replays the opinions in a file; the same bytes in every run.

    A line is a JSON object with the ``id`` of a row and one of ``truth`` (the probability that the
    answer is true, 0 to 1), ``rating`` (1 to 5) and ``statements`` (for each claim of the answer,
    in klopt's order, an object with ``relation`` and ``probability``, or null); optionally ``who``,
    ``cost_usd``, which counts for a budget, and ``seconds``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "opinions.jsonl")
    ...     _ = file.write_text('{"id": "7", "rating": 4, "who": "Anna"}', encoding="utf-8")
    ...     opinions = Recorded.read(file)
    >>> opinions.name, len(opinions)
    ('opinions.jsonl', 1)
    """

    def __init__(self, name: str, signature: str, results: Mapping[str, OpinionResult]) -> None:
        self.name, self.signature, self._results = name, signature, results

    def __len__(self) -> int:
        return len(self._results)

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """Read a file; an `InputError` lists invalid lines and contradicting opinions."""
        what = "opinion on row {!r}".format
        return cls(
            path.name, *read_file(path, lambda text: read_lines(path, text, read_line, what))
        )

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the recorded opinion for the row's id."""
        missing = OpinionResult(reason_code="nothing_recorded")
        return self._results.get(request.turn.id, missing)


def read_line(text: str) -> tuple[str, OpinionResult]:
    """Return the id of a row and the opinion on it, or raise ValueError with a line per problem.

    >>> read_line('{"id": "7", "rating": 4, "who": "Anna"}')[1].truth
    0.75
    >>> read_line('{"id": "7", "truth": 7}')
    Traceback (most recent call last):
    ValueError: truth: 7 is not a number from 0 to 1
    """
    fields = read_fields(text, _LINE)
    given = [name for name in _KINDS if fields[name] is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ValueError(f"give one of {', '.join(_KINDS)}; found {found}")
    truth, rating = fields["truth"], fields["rating"]
    if rating is not None:
        truth = (rating - LOWEST) / (HIGHEST - LOWEST)
    claims = tuple(
        None if claim is None else ClaimOpinion(claim["relation"], float(claim["probability"]))
        for claim in fields["statements"] or ()
    )
    usage = Usage(cost_usd=fields["cost_usd"], seconds=fields["seconds"], calls=1)
    probability = None if truth is None else float(truth)
    return str(fields["id"]), OpinionResult(probability, claims, fields["who"], usage)


Form: TypeAlias = Literal["answer", "statements"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

MAX_CLAIMS: Final = 60  # of an answer that are sent; with more there is no opinion on claims

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

    Args:
        model: A `klopt.llm.ChatClient`, or anything with a ``name`` and a ``complete(call)``.
        form: ``answer`` or ``statements``.

    >>> from klopt.llm import ChatClient
    >>> with ChatClient("qwen3", "http://127.0.0.1:11434/v1") as model:
    ...     LlmOpinion(model, "statements").name
    'qwen3'
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
    order: "number", "why", "relation" and "probability"; anything else is a ReplyError.

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
