"""Lemmas, particles and word parts counted in a treebank."""

from training.lemmas import base_lemmas, count
from training.treebanks import Sentence


def _rows(text: str) -> Sentence:
    rows = []
    for number, word in enumerate(text.split(), 1):
        form, lemma, pos, head, label = word.split("/")
        rows.append([str(number), form, lemma, pos, "_", "_", head, label, "_", "_"])
    return rows


SWITCH_OFF = _rows("Zet/uit_zetten/VERB/0/root hem/hem/PRON/1/obj uit/uit/ADP/1/compound:prt")
CABLES = _rows(
    "netwerkkabels/netwerk_kabel/NOUN/0/root antennekabels/antenne_kabel/NOUN/1/conj "
    "kabels/kabel/NOUN/1/conj wetsontwerp/wet_ontwerp/NOUN/1/conj"
)
WAS = [_rows("was/zijn/AUX/0/root"), _rows("was/worden/AUX/0/root")]


def test_forms_particles_and_parts_are_counted():
    assert base_lemmas(SWITCH_OFF) == ["zetten", "hem", "uit"]
    assert base_lemmas(_rows("uitgezet/uit_zetten/VERB/0/root")) == ["uit_zetten"]
    tables = count([SWITCH_OFF, CABLES, *WAS], marks_structure=True)
    assert tables.forms["VERB"] == {"zet": "zetten"}
    assert "was" not in tables.forms.get("AUX", {})
    assert set(tables.doubtful["AUX"]["was"]) == {"zijn", "worden"}
    assert tables.particles == ("uit",)
    assert (tables.modifiers["wets"], tables.heads["kabels"]) == ("wet", "kabel")
    assert tables.productive_heads == ("kabels",)
    without = count([SWITCH_OFF, CABLES], marks_structure=False)
    assert (without.particles, without.heads) == ((), {})
