"""The heuristics, all listed here; those that look at the same share a module."""

from __future__ import annotations

from typing import Final

from klopt.heuristics import components, guides, parsed, solutions, statements, words
from klopt.heuristics.declaration import Heuristic, Material, Options

__all__ = ["ALL", "BY_NAME", "Heuristic", "Material", "Options"]

ALL: Final[tuple[Heuristic, ...]] = (
    words.company_specific_terms,
    components.components_defined,
    words.complex_answer,
    parsed.prompt_overlap,
    parsed.hal,
    parsed.subject_combination,
    guides.verbatim_guide_defined,
    components.components_together,
    guides.step_order,
    solutions.solution_coverage,
    solutions.solution_known,
    solutions.abstention,
    guides.guide_asked,
    statements.statements_hold,
    statements.weakest_statement,
    words.denied_names,
)
"""The seven features of the AFAS paper, section 5.2, and after them klopt's own."""

BY_NAME: Final = {one.name: one for one in ALL}
