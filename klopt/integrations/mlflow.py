"""MLflow: a scorer for ``mlflow.genai.evaluate`` and for traces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess, to_share

with needs("mlflow", "klopt's adapter needs mlflow"):
    from mlflow.entities import AssessmentError, AssessmentSource, Feedback, SpanType, Trace
    from mlflow.genai.scorers import Scorer as MlflowScorer
    from mlflow.genai.scorers import scorer as as_scorer


def klopt_scorer(
    scorer: Scorer, fields: tuple[str, str, str] = ("question", "answer", "contexts")
) -> MlflowScorer:
    """Return a scorer from 0 to 1, with the explanation as rationale and the verdict as metadata.

    An unscored answer has an error instead of a value. ``fields`` names question, answer and
    documents; outputs that are a text are the answer, and documents of the trace's retriever spans
    take precedence.
    """

    def klopt(inputs: Any, outputs: Any, trace: Trace | None = None) -> Feedback:
        answered = outputs if isinstance(outputs, Mapping) else {fields[1]: outputs}
        state = {**(inputs or {}), **answered}
        question, answer, documents = (state.get(name) for name in fields)
        spans = trace.search_spans(span_type=SpanType.RETRIEVER) if trace else []
        retrieved = [document for span in spans for document in span.outputs or ()]
        assessment = assess(scorer, question, answer, retrieved or documents)
        error = None if assessment.score is not None else str(assessment.reason)
        return Feedback(
            value=to_share(assessment.score),
            error=error and AssessmentError(str(assessment.reason_code), error),
            rationale=assessment.explanation,
            source=AssessmentSource(source_type="CODE", source_id=assessment.fingerprint),
            metadata={"verdict": assessment.verdict},
        )

    return as_scorer(klopt, name="klopt")
