"""Pydantic AI."""

import asyncio

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, WHY, adapter


def test_the_model_retries_with_the_reason(scorer):
    klopt = adapter("pydantic-ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    prompts: list[str] = []

    def model(messages, info):
        prompts.append(str(messages[-1].parts[-1]))
        return ModelResponse(parts=[TextPart(UNTRUE if len(prompts) == 1 else TRUE)])

    agent = Agent(FunctionModel(model), deps_type=list)
    agent.output_validator(klopt.checked_output(scorer, lambda context: context.deps))
    assert asyncio.run(agent.run(["", QUESTION], deps=[PAGE])).output == TRUE
    assert len(prompts) == 2
    assert WHY in prompts[1]


def test_no_answer_passes_when_all_retries_fail(scorer):
    klopt = adapter("pydantic-ai")
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import UnexpectedModelBehavior
    from pydantic_ai.models.test import TestModel

    for pages, answer in (([PAGE], UNTRUE), ([], TRUE)):
        agent = Agent(TestModel(custom_output_text=answer), deps_type=list)
        agent.output_validator(klopt.checked_output(scorer, lambda context: context.deps))
        with pytest.raises(UnexpectedModelBehavior):
            asyncio.run(agent.run(QUESTION, deps=pages))
