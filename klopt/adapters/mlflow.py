"""MLflow: a scorer for ``mlflow.genai.evaluate`` and for traces, beside its own judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from klopt import Scorer
from klopt.adapters import assess, to_share
from klopt.extras import needs

with needs("mlflow", "klopt's adapter needs mlflow"):
    from mlflow.entities import AssessmentError, AssessmentSource, Feedback, SpanType, Trace
    from mlflow.genai.scorers import Scorer as MlflowScorer
    from mlflow.genai.scorers import scorer as as_scorer


def klopt_scorer(
    scorer: Scorer, fields: tuple[str, str, str] = ("question", "answer", "contexts")
) -> MlflowScorer:
    """A scorer from 0 to 1, with klopt's explanation as the rationale and the verdict as metadata.

    What could not be checked has an error in place of a value. The fields are where question,
    answer and documents stand; outputs that are a text are the answer, and the documents of the
    trace's retriever spans go first.
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
