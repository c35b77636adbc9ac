from deepeval import evaluate
from deepeval.test_case import LLMTestCase

from klopt import Scorer
from klopt.integrations.deepeval import KloptMetric

pages = ["Wifi gaat uit met de **Vliegtuigstand**."]
cases = [
    LLMTestCase(input="Hoe zet ik wifi uit?", actual_output=answer, retrieval_context=pages)
    for answer in ("Zet wifi uit met de **Vliegtuigstand**.", "Klik op **Turbo**.")
]
for result in evaluate(cases, [KloptMetric(Scorer.load())]).test_results:
    print(result.success, result.metrics_data[0].reason)
