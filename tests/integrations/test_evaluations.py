"""Adapters for evaluation: MLflow, ragas, deepeval and LlamaIndex."""

import asyncio
import math

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter


@pytest.mark.parametrize("outputs", [UNTRUE, {"answer": UNTRUE, "contexts": [PAGE]}])
def test_mlflow_scores_an_answer(scorer, outputs):
    score = adapter("mlflow").klopt_scorer(scorer)
    found = score(inputs={"question": QUESTION, "contexts": [PAGE]}, outputs=outputs)
    assert 0 < found.value < 0.5
    assert found.metadata["verdict"] == "block"
    assert WHY in found.rationale
    assert found.error is None
    assert found.source.source_id.startswith("klopt:")


def test_mlflow_reports_an_unscored_answer(scorer):
    score = adapter("mlflow").klopt_scorer(scorer)
    found = score(inputs={"question": QUESTION}, outputs=TRUE)
    assert found.value is None
    assert found.error.error_code == "no_contexts"
    assert found.metadata["verdict"] == "unscored"


def test_mlflow_reads_the_retriever_of_a_trace(scorer):
    score = adapter("mlflow").klopt_scorer(scorer)
    import mlflow

    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    page = {"page_content": PAGE, "metadata": {"doc_uri": "wifi.md"}}
    with mlflow.start_span("bot"), mlflow.start_span("search", span_type="RETRIEVER") as span:
        span.set_outputs([page])
    mlflow.flush_trace_async_logging()
    trace = mlflow.get_trace(mlflow.get_last_active_trace_id())
    found = score(inputs={"question": QUESTION}, outputs=TRUE, trace=trace)
    assert found.metadata["verdict"] == "send"


def test_ragas_scores_an_answer(scorer):
    klopt = adapter("ragas")
    from ragas.dataset_schema import SingleTurnSample

    row = {"user_input": QUESTION, "response": UNTRUE, "retrieved_contexts": [PAGE]}
    found = klopt.KloptMetric(scorer).score(**row, reference="not read")
    assert 0 < found.value < 0.5
    assert WHY in found.reason
    metric = klopt.KloptSampleMetric(scorer, name="checked")
    assert metric.name == "checked"
    assert metric.single_turn_score(SingleTurnSample(**row)) == found.value


def test_ragas_has_no_value_for_an_unscored_answer(scorer):
    klopt = adapter("ragas")
    from ragas.dataset_schema import SingleTurnSample

    row = {"user_input": QUESTION, "response": TRUE, "retrieved_contexts": []}
    assert klopt.KloptMetric(scorer).score(**row).value is None
    assert math.isnan(klopt.KloptSampleMetric(scorer).single_turn_score(SingleTurnSample(**row)))


@pytest.mark.parametrize(
    ("answer", "pages", "threshold", "success"),
    [
        (TRUE, [PAGE], None, True),
        (UNTRUE, [PAGE], None, False),
        (UNTRUE, [PAGE], 0.01, True),
        (TRUE, [PAGE], 0.99, False),
        (TRUE, [], None, False),
        (TRUE, None, 0.0, False),
    ],
)
def test_deepeval_passes_from_the_threshold(scorer, answer, pages, threshold, success):
    klopt = adapter("deepeval")
    from deepeval.test_case import LLMTestCase

    case = LLMTestCase(input=QUESTION, actual_output=answer, retrieval_context=pages)
    metric = klopt.KloptMetric(scorer, threshold)
    score = metric.measure(case)
    assert (metric.is_successful(), metric.score) == (success, score)
    assert (metric.error is None) == (score is not None) == bool(pages)
    assert asyncio.run(metric.a_measure(case)) == score
    assert metric.__name__ == "klopt"
    assert metric.reason


def test_deepeval_copies_a_metric_with_its_threshold(scorer):
    klopt = adapter("deepeval")
    metric = klopt.KloptMetric(scorer)
    assert klopt.KloptMetric(scorer, metric.threshold).threshold == metric.own


@pytest.mark.parametrize(("answer", "passing"), [(TRUE, True), (UNTRUE, False)])
def test_llama_index_evaluates_a_response(scorer, answer, passing):
    evaluator = adapter("llama-index").KloptEvaluator(scorer)
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import NodeWithScore, TextNode

    node = NodeWithScore(node=TextNode(text=PAGE, metadata={"file_name": "wifi.md"}), score=0.5)
    found = evaluator.evaluate_response(
        query=QUESTION, response=Response(answer, source_nodes=[node])
    )
    assert (found.passing, found.invalid_result, found.contexts) == (passing, False, [PAGE])
    assert (WHY in found.feedback) != passing
    texts = evaluator.evaluate(QUESTION, answer, [PAGE])
    assert texts.score == found.score


def test_llama_index_reports_an_unscored_response(scorer):
    evaluator = adapter("llama-index").KloptEvaluator(scorer)
    for found in (evaluator.evaluate(QUESTION, TRUE), evaluator.evaluate_response(QUESTION, None)):
        assert (found.passing, found.score, found.invalid_result) == (False, None, True)
        assert found.invalid_reason
