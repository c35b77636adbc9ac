"""The heuristics: each in one file of its own, all listed here."""

from __future__ import annotations

from typing import Final

from klopt.heuristics import (
    abstention,
    company_specific_terms,
    complex_answer,
    components_defined,
    components_together,
    denied_names,
    guide_asked,
    hal,
    prompt_overlap,
    solution_coverage,
    solution_known,
    statements_hold,
    step_order,
    subject_combination,
    verbatim_guide_defined,
    weakest_statement,
)
from klopt.heuristics.declaration import Heuristic, Material, Options

__all__ = ["ALL", "BY_NAME", "Heuristic", "Material", "Options"]

ALL: Final[tuple[Heuristic, ...]] = (
    company_specific_terms.HEURISTIC,
    components_defined.HEURISTIC,
    complex_answer.HEURISTIC,
    prompt_overlap.HEURISTIC,
    hal.HEURISTIC,
    subject_combination.HEURISTIC,
    verbatim_guide_defined.HEURISTIC,
    components_together.HEURISTIC,
    step_order.HEURISTIC,
    solution_coverage.HEURISTIC,
    solution_known.HEURISTIC,
    abstention.HEURISTIC,
    guide_asked.HEURISTIC,
    statements_hold.HEURISTIC,
    weakest_statement.HEURISTIC,
    denied_names.HEURISTIC,
)
"""The seven features of the AFAS paper, section 5.2, and after them klopt's own."""

BY_NAME: Final = {one.name: one for one in ALL}
