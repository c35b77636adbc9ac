"""docs/adapters.md is written by a command."""

from __future__ import annotations

from tests.adapters.environments import PAGE, page


def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text("utf-8") == page()
