"""Page retrieval: an index file of pages read at build time, and its search."""

from typing import Final

MAX_RETRIEVED: Final = 50  # Pages that klopt finds for a turn without contexts
