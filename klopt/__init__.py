r"""How far a support chatbot's answer can be trusted, checked against its help pages.

>>> from klopt import Scorer, Turn
>>> page = "# Wifi\n\nDraadloos netwerken staat uit in de vliegtuigstand."
>>> turn = Turn("Werkt wifi in de vliegtuigstand?", "Klik op **Turbo**.", [page])
>>> Scorer.load().score(turn).verdict
'block'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from klopt._internal.imports import lazily
from klopt.errors import KloptError
from klopt.types import Evidence, Measurement, Page, Turn
from klopt.version import VERSION

if TYPE_CHECKING:
    from klopt.logs.frames import score_frame, show_frame
    from klopt.retrieval.index_file import Index
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.profile import Profile
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.streaming import AnswerStream

__all__ = [
    "AnswerStream",
    "Assessment",
    "Evidence",
    "Index",
    "KloptError",
    "Measurement",
    "Page",
    "Profile",
    "Scorer",
    "Turn",
    "__version__",
    "score_frame",
    "show_frame",
]

__version__ = VERSION

__getattr__ = lazily(
    __name__,
    {
        "AnswerStream": "klopt.scoring.streaming",
        "Assessment": "klopt.scoring.assessment",
        "Index": "klopt.retrieval.index_file",
        "Profile": "klopt.scoring.profile",
        "Scorer": "klopt.scoring.scorer",
        "score_frame": "klopt.logs.frames",
        "show_frame": "klopt.logs.frames",
    },
)
