"""LlamaIndex."""

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter


@pytest.mark.parametrize(("answer", "passing"), [(TRUE, True), (UNTRUE, False)])
def test_a_response_is_evaluated(scorer, answer, passing):
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


def test_an_unscored_response_is_invalid(scorer):
    evaluator = adapter("llama-index").KloptEvaluator(scorer)
    for found in (evaluator.evaluate(QUESTION, TRUE), evaluator.evaluate_response(QUESTION, None)):
        assert (found.passing, found.score, found.invalid_result) == (False, None, True)
        assert found.invalid_reason
