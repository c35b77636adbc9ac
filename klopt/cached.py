"""A property that is worked out once, behind no lock.

In Python 3.11 that of the standard library holds a lock of its class while it is worked out: a
process that is forked meanwhile waits for it for ever.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - as it is called there
        """As `functools.cached_property`; of two threads that work it out at once one's stays."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:  # noqa: ANN401
            if instance is None:
                return self
            known = instance.__dict__
            if self.attrname not in known:
                known.setdefault(self.attrname, self.func(instance))
            return known[self.attrname]
