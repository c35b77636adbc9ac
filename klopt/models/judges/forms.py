"""The two forms of a judge, G-Eval and Prometheus: what is asked, and how a reply is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from klopt.errors import ReplyError
from klopt.models.judges.rubrics import HIGHEST, LOWEST, Dimension, prompts
from klopt.models.judges.shown import Shown
from klopt.models.replies import parse_json

Form: TypeAlias = Literal["g_eval", "prometheus"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

_KEYS: Final = frozenset({"explanation", "score"})
_LABEL: Final = "Feedback:"
_RESULT: Final = "[RESULT]"
_SCORES: Final = frozenset(map(str, range(LOWEST, HIGHEST + 1)))


@dataclass(frozen=True, slots=True)
class Scored:
    """A reply that follows the form.

    Attributes:
        score: 1 to 5.
        feedback: Why, in the judge's words.
    """

    score: int
    feedback: str


def messages(form: Form, dimension: Dimension, shown: Shown) -> tuple[str, str]:
    """The instructions and the message to the model.

    Source:
        Liu et al. (2023) and Kim et al. (2023); HR chatbot paper, section 3.3.4, appendices C.2
        and C.3.

    Differs:
        G-Eval weighs the scores 1 to 5 by the probability that the model gives to each, so that a
        score may be 3.7. Few servers tell those, and the HR chatbot paper asks for a whole number
        only; so do we. The steps are written out in ``rubrics.toml``, where G-Eval lets the model
        write them first. The explanation comes before the score, so that the score rests on it;
        in the paper it follows.

        Any model may be asked in the form of Prometheus, also one that was not trained on it; one
        that was is given its form in our words. Each score has its own line, where the paper's
        rubric says very low to excellent correlation with the criteria.

        The papers always show a reference answer, which deserves a 5; we show the pages where
        there is none, and neither to a judge of readability.
    """
    texts = prompts()
    own = texts[form]
    words = {
        "title": dimension.title,
        "question": dimension.question,
        "criteria": dimension.criteria,
        "steps": "\n".join(f"{number}. {step}" for number, step in enumerate(dimension.steps, 1)),
        "scores": dimension.rubric,
        "source": own.get(shown.source, texts["source"][shown.source]),
        "rule": texts["data"]["rule"].format(mark=shown.mark),
        "mark": shown.mark,
        "blocks": shown.blocks,
    }
    return own["system"].format_map(words), own["user"].format_map(words)


def read(form: Form, text: str) -> Scored:
    """The score of a reply, and why.

    Args:
        form: The form that was asked for.
        text: For G-Eval one JSON object with just "explanation", a text, and "score", a whole
            number. For Prometheus ``Feedback: … [RESULT] n``; the label may be missing, as a model
            that was trained on the form continues after it. Nothing may follow the score.

    Raises:
        ReplyError: It is anything else: ``bad_json``, or ``bad_shape`` for another score, such as
            4.5, "4", true or 6; also when ``[RESULT]`` stands in it twice, as then an answer that
            was quoted may have brought it in.

    >>> read("g_eval", '{"explanation": "Two steps are missing.", "score": 3}')
    Scored(score=3, feedback='Two steps are missing.')
    >>> read("prometheus", "Feedback: The order of the steps is wrong. [RESULT] 2")
    Scored(score=2, feedback='The order of the steps is wrong.')
    """
    return _READ[form](text)


def _read_g_eval(text: str) -> Scored:
    found = parse_json(text)
    if not isinstance(found, dict) or found.keys() != _KEYS:
        raise ReplyError(
            "bad_shape", 'the reply is not an object with just "explanation" and "score"'
        )
    explanation, score = found["explanation"], found["score"]
    if not isinstance(explanation, str):
        raise ReplyError("bad_shape", '"explanation" is not a text')
    if type(score) is not int or not LOWEST <= score <= HIGHEST:
        raise ReplyError("bad_shape", f'"score" is not a whole number from {LOWEST} to {HIGHEST}')
    return Scored(score, explanation.strip())


def _read_prometheus(text: str) -> Scored:
    before, _, after = text.partition(_RESULT)
    feedback, score = before.strip().removeprefix(_LABEL).strip(), after.strip()
    if not feedback or score not in _SCORES:
        raise ReplyError(
            "bad_shape",
            "the reply is not feedback, [RESULT] once and a whole number from 1 to 5 at the end",
        )
    return Scored(int(score), feedback)


_READ: Final[Mapping[Form, Callable[[str], Scored]]] = {
    "g_eval": _read_g_eval,
    "prometheus": _read_prometheus,
}
