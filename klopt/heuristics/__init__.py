"""The heuristics: each in one file of its own, all listed here, in the paper's order."""

from __future__ import annotations

from typing import Final

from klopt.heuristics import (
    company_specific_terms,
    complex_answer,
    components_defined,
    hal,
    prompt_overlap,
    subject_combination,
    verbatim_guide_defined,
)
from klopt.heuristics.declaration import Context, Heuristic, Material

__all__ = ["ALL", "Context", "Heuristic", "Material"]

ALL: Final[tuple[Heuristic, ...]] = (
    company_specific_terms.HEURISTIC,
    components_defined.HEURISTIC,
    complex_answer.HEURISTIC,
    prompt_overlap.HEURISTIC,
    hal.HEURISTIC,
    subject_combination.HEURISTIC,
    verbatim_guide_defined.HEURISTIC,
)
"""The seven features of the AFAS paper, section 5.2."""
