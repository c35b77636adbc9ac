"""What is counted from a training file."""

from __future__ import annotations

from training.lemmas import base_lemmas, count
from training.treebanks import Sentence


def _rows(*words: str) -> Sentence:
    rows = []
    for number, word in enumerate(words, 1):
        form, lemma, pos, head, label = word.split("/")
        rows.append([str(number), form, lemma, pos, "_", "_", head, label, "_", "_"])
    return rows


SWITCH_OFF = _rows("Zet/uit_zetten/VERB/0/root", "hem/hem/PRON/1/obj", "uit/uit/ADP/1/compound:prt")
CABLES = _rows(
    "netwerkkabels/netwerk_kabel/NOUN/0/root",
    "antennekabels/antenne_kabel/NOUN/1/conj",
    "kabels/kabel/NOUN/1/conj",
    "wetsontwerp/wet_ontwerp/NOUN/1/conj",
)


def test_a_particle_that_stands_elsewhere_is_taken_off() -> None:
    assert base_lemmas(SWITCH_OFF) == ["zetten", "hem", "uit"]


def test_an_attached_particle_stays() -> None:
    assert base_lemmas(_rows("uitgezet/uit_zetten/VERB/0/root")) == ["uit_zetten"]


def test_forms_particles_and_parts() -> None:
    tables = count([SWITCH_OFF, CABLES], marks_structure=True)
    assert tables.forms["VERB"] == {"zet": "zetten"}
    assert tables.particles == ("uit",)
    assert tables.modifiers["wets"] == "wet"
    assert tables.heads["kabels"] == "kabel"
    assert tables.productive_heads == ("kabels",)


def test_a_form_with_two_lemmas_is_doubtful() -> None:
    tables = count(
        [_rows("was/zijn/AUX/0/root"), _rows("was/worden/AUX/0/root")], marks_structure=True
    )
    assert "was" not in tables.forms.get("AUX", {})
    assert set(tables.doubtful["AUX"]["was"]) == {"zijn", "worden"}


def test_a_language_without_marks_gets_forms_only() -> None:
    tables = count([SWITCH_OFF, CABLES], marks_structure=False)
    assert (tables.particles, tables.heads) == ((), {})
