from deepeval import evaluate
from deepeval.test_case import LLMTestCase

from klopt import Scorer
from klopt.adapters.deepeval import KloptMetric

pages = ["Wifi gaat uit met de **Vliegtuigstand**."]
cases = [
    LLMTestCase(input="Hoe zet ik wifi uit?", actual_output=answer, retrieval_context=pages)
    for answer in ("Zet de **Vliegtuigstand** aan.", "Klik op **Turbo**.")
]
for result in evaluate(cases, [KloptMetric(Scorer.load())]).test_results:
    print(result.success, result.metrics_data[0].reason)
