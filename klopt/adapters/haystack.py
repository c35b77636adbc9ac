"""Haystack: a component that lets answers go on by their verdict."""

# No annotations from __future__: Haystack 2 reads the types of `run` to connect components.
from dataclasses import replace

from klopt import Scorer
from klopt.adapters import assess
from klopt.extras import needs

with needs("haystack", "klopt's adapter needs haystack-ai"):
    from haystack import GeneratedAnswer, component


@component
class KloptRouter:
    """Comes after an ``AnswerBuilder``: lets each answer go on under the name of its verdict.

    An answer is held against its own documents, and gets what was found as ``klopt`` in its meta.
    The name or file of a profile in place of a scorer lets a pipeline be written and read
    (``Pipeline.loads`` with ``allowed_modules=["klopt.adapters.haystack"]``).
    """

    def __init__(self, scorer: Scorer | str = "default") -> None:
        self.scorer = scorer
        self._scorer = Scorer.load(scorer) if isinstance(scorer, str) else scorer

    @component.output_types(
        send=list[GeneratedAnswer],
        review=list[GeneratedAnswer],
        block=list[GeneratedAnswer],
        unscored=list[GeneratedAnswer],
    )
    def run(self, answers: list[GeneratedAnswer]) -> dict[str, list[GeneratedAnswer]]:
        """Checks answers; a verdict that none has goes nowhere."""
        routed: dict[str, list[GeneratedAnswer]] = {}
        for answer in answers:
            assessment = assess(self._scorer, answer.query, answer.data, answer.documents)
            checked = replace(answer, meta={**answer.meta, "klopt": assessment.to_dict()})
            routed.setdefault(assessment.verdict, []).append(checked)
        return routed
