from ragas import EvaluationDataset, evaluate

from klopt import Scorer
from klopt.integrations.ragas import KloptMetric, KloptSampleMetric

rows = [
    {
        "user_input": "How do I switch off wifi?",
        "response": answer,
        "retrieved_contexts": ["Wifi switches off with **Flight mode**."],
    }
    for answer in ("Switch off wifi with **Flight mode**.", "Click **Turbo**.")
]
scorer = Scorer.load()
print(evaluate(EvaluationDataset.from_list(rows), [KloptSampleMetric(scorer)], show_progress=False))
found = KloptMetric(scorer).score(**rows[1])
print(round(found.value, 2), found.reason)
