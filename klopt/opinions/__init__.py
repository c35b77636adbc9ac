"""Second opinions: asked where klopt is not sure, under a budget, recorded and replayed."""

from klopt.opinions.adviser import Adviser
from klopt.opinions.opinion import Asked, Opinion, Said
from klopt.scoring.profile import Budget
from klopt.scoring.second_opinion import SaidOfStatement

__all__ = [
    "Adviser",
    "Asked",
    "Budget",
    "Opinion",
    "Said",
    "SaidOfStatement",
]
