"""spaCy."""

import pytest
import spacy
from spacy.tokens import Doc

from klopt.errors import ConfigurationError, RecordError
from klopt.integrations.spacy import KloptComponent
from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE


@pytest.fixture(autouse=True)
def no_extensions():
    yield
    for name in ("klopt", "checked", "taken"):
        if Doc.has_extension(name):
            Doc.remove_extension(name)


def test_the_component_writes_only_its_extension():
    nlp = spacy.blank("nl")
    nlp.add_pipe("klopt", config={"extension": "checked"})
    doc = nlp.make_doc(TRUE)
    doc.user_data["klopt"] = {"question": QUESTION, "contexts": [PAGE]}
    nlp(doc)
    assert doc._.checked["verdict"] == "send"
    assert not Doc.has_extension("klopt")
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.checked == doc._.checked
    assert nlp(UNTRUE)._.checked is None


def test_a_pipeline_with_the_component_can_be_saved(tmp_path):
    nlp = spacy.blank("nl")
    nlp.add_pipe("klopt", config={"profile": "afas"})
    nlp.to_disk(tmp_path / "nlp")
    assert spacy.load(tmp_path / "nlp").get_pipe("klopt").scorer.profile.name == "afas"


def test_an_extension_of_others_is_not_replaced(scorer):
    Doc.set_extension("taken", getter=len)
    with pytest.raises(ConfigurationError, match=r"^doc\._\.taken is already defined"):
        KloptComponent(scorer, "taken")
    KloptComponent(scorer)
    KloptComponent(scorer)


@pytest.mark.parametrize("given", [{}, {"question": None, "contexts": 7}])
def test_a_doc_without_question_or_pages_is_unscored(scorer, given):
    doc = spacy.blank("nl").make_doc(TRUE)
    doc.user_data["klopt"] = given
    assert KloptComponent(scorer)(doc)._.klopt["verdict"] == "unscored"


def test_user_data_that_is_not_a_mapping(scorer):
    doc = spacy.blank("nl").make_doc(TRUE)
    doc.user_data["klopt"] = "x"
    with pytest.raises(RecordError, match="is text, not"):
        KloptComponent(scorer)(doc)
