"""G-Eval: criteria and steps in, a filled-in form with a score out."""

from __future__ import annotations

from klopt.errors import ReplyError
from klopt.models.asking import parse_json
from klopt.models.judges.material import Material
from klopt.models.judges.reading import Reading
from klopt.models.judges.rubrics import HIGHEST, LOWEST, Dimension, prompts

_KEYS = frozenset({"explanation", "score"})


def messages(dimension: Dimension, material: Material) -> tuple[str, str]:
    """The instructions and the message to the model.

    Source:
        Liu et al. (2023); HR chatbot paper, section 3.3.4 and appendix C.2.

    Differs:
        G-Eval weighs the scores 1 to 5 by the probability that the model gives to each, so that a
        score may be 3.7. Few servers tell those, and the HR chatbot paper asks for a whole number
        only; so do we. The steps are written out in ``rubrics.toml``, where G-Eval lets the model
        write them first. The explanation comes before the score, so that the score rests on it;
        in the paper it follows. The paper always shows a reference answer; we show the pages where
        there is none, and neither to a judge of readability.
    """
    texts = prompts()
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(dimension.steps, 1))
    system = texts["g_eval"]["system"].format(
        title=dimension.title,
        question=dimension.question,
        criteria=dimension.criteria,
        steps=steps,
        scores=dimension.rubric,
        source=texts["source"][material.source],
        rule=texts["data"]["rule"].format(mark=material.mark),
    )
    user = texts["g_eval"]["user"].format(
        blocks=material.blocks, mark=material.mark, title=dimension.title
    )
    return system, user


def read(text: str) -> Reading:
    """The score and the explanation of a reply.

    Args:
        text: One JSON object with just "explanation", a text, and "score", a whole number.

    Raises:
        ReplyError: It is anything else: ``bad_json``, or ``bad_shape`` for another score, such as
            4.5, "4", true or 6.

    >>> read('{"explanation": "Two steps are missing.", "score": 3}')
    Reading(score=3, feedback='Two steps are missing.')
    """
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
    return Reading(score, explanation.strip())
