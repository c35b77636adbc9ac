"""Second opinions: requested where klopt is not sure, within a budget, recorded and replayed."""

from klopt.llm.opinions.adviser import Adviser, Opinion, OpinionRequest, OpinionResult
from klopt.scoring.notes import ClaimOpinion
from klopt.scoring.profile import Budget

__all__ = ["Adviser", "Budget", "ClaimOpinion", "Opinion", "OpinionRequest", "OpinionResult"]
