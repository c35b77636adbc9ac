"""Profiles that compare statements, for what does not depend on what was learnt."""

from __future__ import annotations

import dataclasses

from klopt import Profile


def comparing(fault_below: float, **changes: object) -> Profile:
    """The default profile, measuring the weakest statement beside the rest.

    Args:
        fault_below: Above 1 every statement is at fault, at 0 none is.
        changes: Other fields of the profile.
    """
    default = Profile.load()
    return dataclasses.replace(
        default,
        weights={**default.weights, "weakest_statement": 1.0},
        options={**default.options, "weakest_statement": {"fault_below": fault_below}},
        **changes,
    )
