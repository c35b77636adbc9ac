"""Haystack: a component that routes answers by their verdict."""

# No annotations from __future__: Haystack 2 reads the types of `run` to connect components.
from dataclasses import replace

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess

with needs("haystack", "klopt's adapter needs haystack-ai"):
    from haystack import GeneratedAnswer, component


@component
class KloptRouter:
    """Route each answer of an ``AnswerBuilder`` to the output named after its verdict.

    An answer is checked against its own documents; its meta gets the assessment as ``klopt``. With
    the name or file of a profile instead of a scorer, a pipeline can be saved and loaded
    (``Pipeline.loads`` with ``allowed_modules=["klopt.integrations.haystack"]``).
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
        """Check answers; outputs of verdicts that no answer has are left out."""
        routed: dict[str, list[GeneratedAnswer]] = {}
        for answer in answers:
            assessment = assess(self._scorer, answer.query, answer.data, answer.documents)
            checked = replace(answer, meta={**answer.meta, "klopt": assessment.to_dict()})
            routed.setdefault(assessment.verdict, []).append(checked)
        return routed
