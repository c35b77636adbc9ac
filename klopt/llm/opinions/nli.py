"""A second opinion by a local NLI model, which labels pairs of passage and claim."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from klopt import lexicons
from klopt._internal import shipped
from klopt._internal.onnx_model import (
    CONFIG,
    ModelFailedError,
    OnnxModel,
    checked_path,
    libraries,
    listed,
    model_path,
)
from klopt.errors import ConfigurationError
from klopt.llm.calls import Usage
from klopt.llm.opinions.adviser import OpinionRequest, OpinionResult
from klopt.scoring.notes import ClaimOpinion
from klopt.scoring.profile import MAX_THREADS
from klopt.verification import LABELS, Label
from klopt.verification.networks import softmax

if TYPE_CHECKING:
    from tokenizers import Encoding

MAX_PAIRS: Final = 64  # Pairs of texts that are run for one answer
MAX_TEXT_CHARS: Final = 20_000  # Characters of one text that are tokenized
MAX_QUESTION_CHARS: Final = 1_000  # before a claim that opens with a yes or a no
MAX_TOKENS: Final = 512  # Tokens of a pair: the running time grows with their square

_MIN_POSITIONS: Final = 64
_RESERVED_POSITIONS: Final = 2  # RoBERTa reserves two positions
_DECIMALS: Final = 4  # Probabilities are rounded, so that the order of additions does not show
_LOGITS: Final = "logits"
_PURPOSE: Final = "a local NLI model"
_TASK: Final = "text-classification"

_Probabilities: TypeAlias = NDArray[np.float64]  # of `LABELS` for one pair, shape ``(3,)``


class _Config(BaseModel):
    """The fields of ``config.json`` that are read; the default labels are transformers' own."""

    model_config = ConfigDict(strict=True)

    id2label: dict[str, str] = Field({"0": "LABEL_0", "1": "LABEL_1"}, min_length=2)
    max_position_embeddings: Annotated[int, Field(ge=_MIN_POSITIONS)] | None = None


class NliModel:
    """Second opinion by a model of natural language inference; safe for several threads.

    The model labels pairs of texts: a passage and a claim. The question precedes a claim that opens
    with a yes or a no. In a pair that is too long, the longer text is truncated.

    Args:
        folder: Folder with an ONNX model of sequence classification and its tokenizer.
        labels: The model's label → klopt's label, for labels that klopt does not know.
        threads: Threads that run the model, 1 to `MAX_THREADS`.
        most_ms: Milliseconds after which no further pair of an answer is run.

    Raises:
        ConfigurationError: The folder has no usable model, or an argument is invalid.
        ExtraMissingError: onnxruntime or tokenizers is not installed.

    >>> from klopt.llm import Adviser
    >>> folder = Path("models/nli")
    >>> adviser = Adviser(NliModel(folder), "review") if folder.is_dir() else None
    """

    def __init__(
        self,
        folder: Path,
        labels: Mapping[str, Label] | None = None,
        threads: int = 1,
        *,
        most_ms: float = math.inf,
    ) -> None:
        libraries(_PURPOSE)
        if not 1 <= threads <= MAX_THREADS:
            raise ConfigurationError(f"threads = {threads}: allowed are 1 to {MAX_THREADS}")
        config, meanings = _read_config(folder, labels or {})
        positions = (config.max_position_embeddings or MAX_TOKENS) - _RESERVED_POSITIONS
        max_tokens = min(MAX_TOKENS, positions)
        self._model = model = OnnxModel(
            folder, purpose=_PURPOSE, task=_TASK, max_tokens=max_tokens, threads=threads
        )
        if _LOGITS not in model.outputs and len(model.outputs) != 1:
            raise ConfigurationError(
                f"{model.path}: the model has outputs {listed(model.outputs)}; "
                f"one must be {_LOGITS}"
            )
        self._output = _LOGITS if _LOGITS in model.outputs else model.outputs[0]
        self._max_seconds = most_ms / 1000
        self._labels = np.array([[own == label for label in LABELS] for own in meanings], float)
        try:  # with the longest pair, so that a model fails before the first row if ever
            self._probabilities(self._pair("klopt " * max_tokens, "dat?"))
        except ModelFailedError as error:
            raise ConfigurationError(
                f"{model.path}: the model {error} (tried with a pair of {max_tokens} tokens)"
            ) from None
        self.name = f"encoder {folder.resolve().name}"
        self.signature = (
            f"encoder:{model.digest},labels:{'/'.join(meanings)},threads:{threads},{model.versions}"
        )

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the label of each claim that has a passage; problems name truncated texts."""
        start = time.perf_counter()
        problems: list[str] = []
        opinions: list[ClaimOpinion | None] = [None] * len(request.claims)
        count = token_count = 0
        code, reason = "nothing_to_ask", "no claim has a passage"
        for number, pair in self._pairs(request):
            if count == MAX_PAIRS:
                problems.append(f"only the first {MAX_PAIRS} pairs of texts are read")
                break
            if time.perf_counter() - start > self._max_seconds:
                code, reason = "timeout", f"{count} pairs of texts took too long"
                break
            if pair.overflowing:
                problems.append(f"claim {number + 1} or its passage is truncated")
            try:
                opinions[number] = _opinion(self._probabilities(pair))
            except ModelFailedError as error:
                code, reason = "internal", f"the model {error}"
                break
            code, count, token_count = "", count + 1, token_count + len(pair)
        seconds = time.perf_counter() - start
        usage = Usage(token_count, cost_usd=0.0, seconds=seconds, calls=count)
        if code:
            return OpinionResult(usage=usage, reason_code=code, reason=reason)
        return OpinionResult(claims=tuple(opinions), usage=usage, problems=tuple(problems))

    def _pairs(self, request: OpinionRequest) -> Iterator[tuple[int, Encoding]]:
        """The numbers of the claims that have words and a passage with words, each as a pair."""
        for number, claim in enumerate(request.claims):
            text = claim.text
            if _opens_with_yes_or_no(text):
                text = f"{request.turn.question[:MAX_QUESTION_CHARS]} {text}"
            pair = self._pair(claim.passage.text if claim.passage else "", text)
            if claim.text.strip() and {0, 1} <= set(pair.sequence_ids):
                yield number, pair

    def _pair(self, passage: str, claim: str) -> Encoding:
        return self._model.encode(passage, claim, max_chars=MAX_TEXT_CHARS)

    def _probabilities(self, pair: Encoding) -> _Probabilities:
        logits, count = self._model.run(pair, self._output), len(self._labels)
        if logits.dtype.kind != "f" or logits.shape != (1, count):
            raise ModelFailedError(
                f"returns {logits.dtype} of shape {logits.shape} for a pair of texts; "
                f"needed is a number for each of the {count} labels"
            )
        probabilities: _Probabilities = softmax(logits.astype(float), 1)[0] @ self._labels
        return np.round(probabilities, _DECIMALS)


def _opinion(probabilities: _Probabilities) -> ClaimOpinion:
    supported, contradicted, not_stated = map(float, probabilities)
    if supported > 0.5:
        return ClaimOpinion("supported", supported)
    label: Label = "contradicted" if contradicted > not_stated else "not_stated"
    return ClaimOpinion(label, round(1 - supported, _DECIMALS))


def _opens_with_yes_or_no(claim: str) -> bool:
    return any(
        lexicons.load_one(language, name).phrases["openings"].match(claim, 0)
        for language in lexicons.languages()
        for name in ("confirmations", "negations")
    )


def _read_config(folder: Path, given: Mapping[str, Label]) -> tuple[_Config, Sequence[Label]]:
    """The configuration of a model, and the meanings of its labels in the model's order."""
    model_path(folder, _TASK)  # its message comes first
    path = checked_path(folder, CONFIG)
    try:
        config = _Config.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        where = f"{path}: {field}" if field else str(path)
        raise ConfigurationError(
            f"{where}: {first['msg']}; found {listed([first['input']])}"
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{folder}: cannot be read: {error}") from None
    return config, _meanings(path, config.id2label, given)


def _meanings(path: Path, labels: Mapping[str, str], given: Mapping[str, Label]) -> Sequence[Label]:
    numbers = [str(number) for number in range(len(labels))]
    if set(labels) != set(numbers):
        allowed = f"allowed are 0 to {numbers[-1]}"
        raise ConfigurationError(f"{path}: id2label numbers its labels {listed(labels)}; {allowed}")
    names = [labels[number] for number in numbers]
    table = shipped.table("klopt.llm.opinions", "nli_labels.toml")["labels"]
    known: dict[str, Label] = table | {_key(name): meaning for name, meaning in given.items()}
    meanings = [known[_key(name)] for name in names if _key(name) in known]
    unknown = [name for name in given if _key(name) not in map(_key, names)]
    are_known = len(meanings) == len(names) and not unknown
    if are_known and "supported" in meanings and len(set(meanings)) > 1:
        return meanings
    shown = [listed([name]) for name in names[:8]]
    example = ", ".join(f'{one if one.isidentifier() else dumps(one)} = "..."' for one in shown)
    extra = f"; the profile names {listed(unknown)}, which the model does not have"
    raise ConfigurationError(
        f"{path}: at least one label must mean supported and one another label of klopt; the model "
        f"has {listed(names)}, and klopt knows {', '.join(table)}{extra if unknown else ''}; write "
        f"into the profile what each means: labels = {{ {example} }}, each of them "
        + ", ".join(LABELS)
    )


def _key(label: str) -> str:
    return re.sub(r"[\s_-]+", "_", label.strip()).casefold()
