from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore, TextNode

from klopt import Scorer
from klopt.integrations.llama_index import KloptEvaluator

page = TextNode(text="Wifi switches off with **Flight mode**.", metadata={"file_name": "wifi.md"})
response = Response("Click **Turbo**.", source_nodes=[NodeWithScore(node=page)])  # your engine's
found = KloptEvaluator(Scorer.load()).evaluate_response("How do I switch off wifi?", response)
print(found.passing, round(found.score, 2), found.feedback)
