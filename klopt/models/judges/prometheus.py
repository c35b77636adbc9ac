"""Prometheus: a rubric in, feedback and ``[RESULT]`` with a score out."""

from __future__ import annotations

from typing import Final

from klopt.errors import ReplyError
from klopt.models.judges.material import Material
from klopt.models.judges.reading import Reading
from klopt.models.judges.rubrics import HIGHEST, LOWEST, Dimension, prompts

_LABEL: Final = "Feedback:"
_RESULT: Final = "[RESULT]"
_SCORES: Final = frozenset(map(str, range(LOWEST, HIGHEST + 1)))


def messages(dimension: Dimension, material: Material) -> tuple[str, str]:
    """The instructions and the message to the model.

    Source:
        Kim et al. (2023); HR chatbot paper, section 3.3.4 and appendix C.3.

    Differs:
        Any model may be asked, also one that was not trained on this form; one that was is given
        its form in our words. Each score has its own line, where the paper's rubric says very low
        to excellent correlation with the criteria. Prometheus is given a reference answer that
        deserves a 5; where there is none we give the pages, and neither for readability.
    """
    texts = prompts()
    own = texts["prometheus"]
    source = (
        own["reference"] if material.source == "reference" else texts["source"][material.source]
    )
    system = own["system"].format(
        source=source, rule=texts["data"]["rule"].format(mark=material.mark)
    )
    user = own["user"].format(
        blocks=material.blocks,
        mark=material.mark,
        title=dimension.title,
        question=dimension.question,
        criteria=dimension.criteria,
        scores=dimension.rubric,
    )
    return system, user


def read(text: str) -> Reading:
    """The score and the feedback of a reply.

    Args:
        text: ``Feedback: … [RESULT] n``, n from 1 to 5. The label may be missing, as a model that
            was trained on the form continues after it. Nothing may follow the score.

    Raises:
        ReplyError: It is anything else (``bad_shape``); also when ``[RESULT]`` stands in it twice,
            as then an answer that was quoted may have brought it in.

    >>> read("Feedback: The order of the steps is wrong. [RESULT] 2")
    Reading(score=2, feedback='The order of the steps is wrong.')
    """
    before, _, after = text.partition(_RESULT)
    feedback, score = before.strip().removeprefix(_LABEL).strip(), after.strip()
    if not feedback or score not in _SCORES:
        raise ReplyError(
            "bad_shape",
            "the reply is not feedback, [RESULT] once and a whole number from 1 to 5 at the end",
        )
    return Reading(int(score), feedback)
