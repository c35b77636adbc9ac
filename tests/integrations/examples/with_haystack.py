from haystack import Document, Pipeline
from haystack.components.builders import AnswerBuilder

from klopt.integrations.haystack import KloptRouter

pipeline = Pipeline()
pipeline.add_component("answers", AnswerBuilder())
pipeline.add_component("klopt", KloptRouter())
pipeline.connect("answers.answers", "klopt.answers")

page = Document(content="Wifi gaat uit met de **Vliegtuigstand**.", meta={"source": "wifi.md"})
given = {
    "query": "Hoe zet ik wifi uit?",
    "replies": ["Klik op **Turbo**."],  # your generator's
    "documents": [page],
}
for verdict, answers in pipeline.run({"answers": given})["klopt"].items():
    print(verdict, answers[0].data, answers[0].meta["klopt"]["explanation"])
