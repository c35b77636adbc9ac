"""A property that is worked out once, behind no lock.

In Python 3.11 that of the standard library holds a lock of its class while it is worked out: a
process that is forked meanwhile waits for it for ever.
"""

from __future__ import annotations

import functools
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - as it is called there
        """As `functools.cached_property` of Python 3.12, with nothing in the place of its lock."""

        def __init__(self, func: Any) -> None:  # noqa: ANN401
            super().__init__(func)
            self.lock = nullcontext()
