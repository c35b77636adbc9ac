import spacy

nlp = spacy.blank("en")
nlp.add_pipe("klopt", config={"profile": "default", "extension": "klopt"})

doc = nlp.make_doc("Click **Turbo**.")
doc.user_data["klopt"] = {
    "question": "How do I switch off wifi?",
    "contexts": [{"id": "wifi.md", "text": "Wifi switches off with **Flight mode**."}],
}
print(nlp(doc)._.klopt["verdict"], nlp(doc)._.klopt["explanation"])
