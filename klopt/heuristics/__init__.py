"""The registry of heuristics; related ones share a module."""

from __future__ import annotations

from typing import Final

from klopt.heuristics import answers, guides, words
from klopt.heuristics.declaration import Heuristic, Material, Options

__all__ = ["ALL", "BY_NAME", "Heuristic", "Material", "Options"]

ALL: Final[tuple[Heuristic, ...]] = (
    words.company_specific_terms,
    answers.components_defined,
    words.complex_answer,
    words.prompt_overlap,
    words.hal,
    words.subject_combination,
    guides.verbatim_guide_defined,
    guides.step_order,
    answers.solution_coverage,
    answers.solution_known,
    answers.abstention,
    guides.guide_asked,
    answers.statements_hold,
    answers.weakest_statement,
    words.denied_names,
)
"""The seven features of the AFAS paper, section 5.2, then klopt's own."""

BY_NAME: Final = {heuristic.name: heuristic for heuristic in ALL}
