from pydantic_ai import Agent, ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from klopt import Scorer
from klopt.integrations.pydantic_ai import checked_output

answers = iter(["Click **Turbo**.", "Switch off wifi with **Flight mode**."])
model = FunctionModel(lambda messages, info: ModelResponse([TextPart(next(answers))]))  # yours
agent = Agent(model, deps_type=list[str])
agent.output_validator(checked_output(Scorer.load(), lambda context: context.deps))

pages = ["Wifi switches off with **Flight mode**."]
print(agent.run_sync("How do I switch off wifi?", deps=pages).output)
