import mlflow

from klopt import Scorer
from klopt.integrations.mlflow import klopt_scorer

mlflow.set_tracking_uri("sqlite:///mlflow.db")
page = {"page_content": "Wifi gaat uit met de **Vliegtuigstand**.", "metadata": {"doc_uri": "w.md"}}
search = mlflow.trace(lambda question: [page], name="search", span_type="RETRIEVER")


@mlflow.trace
def bot(question):  # yours
    search(question)
    return "Klik op **Turbo**."


rows = [{"inputs": {"question": "Hoe zet ik wifi uit?"}}]
done = mlflow.genai.evaluate(data=rows, predict_fn=bot, scorers=[klopt_scorer(Scorer.load())])
print(round(float(done.metrics["klopt/mean"]), 2))
