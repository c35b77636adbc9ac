"""Match an answer with its pages, and verify its claims against passages.

`match`, `index`, `units`, `guides` and `language` match words; `comparator` finds a claim's best
passage; it and the modules below it label the claim: supported, contradicted or not stated.
"""

from __future__ import annotations

from klopt.verification.claims import Claim, claims_of, support_upper_bound
from klopt.verification.comparator import LANGUAGES, Comparator, Comparison, using
from klopt.verification.findings import Finding
from klopt.verification.guides import MatchingGuides
from klopt.verification.index import Context, PageIndex, Relations, index_page
from klopt.verification.language import Language, PageStore
from klopt.verification.match import Match
from klopt.verification.networks import ENCODER_FEATURES, FEATURES, LABELS, Label, VerifierWeights
from klopt.verification.units import Units, units_of

__all__ = [
    "ENCODER_FEATURES",
    "FEATURES",
    "LABELS",
    "LANGUAGES",
    "Claim",
    "Comparator",
    "Comparison",
    "Context",
    "Finding",
    "Label",
    "Language",
    "Match",
    "MatchingGuides",
    "PageIndex",
    "PageStore",
    "Relations",
    "Units",
    "VerifierWeights",
    "claims_of",
    "index_page",
    "support_upper_bound",
    "units_of",
    "using",
]
