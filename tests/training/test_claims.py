"""The shipped network and families on labelled claims, as trainings and benchmarks run them."""

import json

import numpy as np

from klopt.verification import VerifierWeights
from training.claims import Examples, numbers_of, probabilities

PASSAGE = "Elke medewerker heeft 25 vakantiedagen per jaar."
CLAIMS = {
    "Elke medewerker heeft 25 vakantiedagen per jaar.": "supported",
    "Elke medewerker heeft 30 vakantiedagen per jaar.": "contradicted",
}


def test_network_and_families_give_the_labels_of_claims(tmp_path):
    same = {
        "question": None,
        "passage": PASSAGE,
        "page": "verlof.md",
        "claim_only": [0.4, 0.3, 0.3],
    }
    rows = [{**same, "claim": claim, "label": label} for claim, label in CLAIMS.items()]
    (tmp_path / "claims").mkdir()
    file = tmp_path / "claims" / "hr-nl-1.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    examples, weights = Examples(tmp_path), VerifierWeights.load()
    claims = examples.claims()
    by_network = probabilities(weights.network, claims, examples.coordinates)
    by_families = weights.families(numbers_of([claim.pair for claim in claims]))
    for likely in (by_network, by_families):
        assert np.allclose(likely.sum(axis=1), 1, atol=1e-3)
        assert likely.argmax(axis=1).tolist() == [claim.label for claim in claims] == [0, 1]
