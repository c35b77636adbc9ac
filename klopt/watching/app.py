"""The page of ``klopt watch``: the report of a log, and what keeps it up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from klopt import shipped
from klopt.report.log_page import LANGUAGES, render
from klopt.report.templating import Markup, digest, environment
from klopt.server.gate import Gate
from klopt.server.running import HTTP, Address, listen, url_of
from klopt.server.telemetry import Telemetry
from klopt.watching.watch import PERIODS, Watch

_POLICY: Final = "frame-ancestors 'none'"
"""What the page's own policy, which lets in its style sheet and scripts alone, cannot say."""


class WatchPage:
    """What is answered on each path; ``auto`` is the language of most answers."""

    def __init__(self, watch: Watch, language: str, name: str) -> None:
        self._watch, self._language, self._name = watch, language, name
        self._script = shipped.text("klopt.watching", "watch.js")
        self._texts = shipped.table("klopt.watching", "watch.toml")

    def page(self, request: Request) -> Response:
        """The report of a period, which ``period`` names."""
        period = request.query_params.get("period", "")
        return HTMLResponse(
            self.text(period if period in PERIODS else "today"),
            headers={"content-security-policy": _POLICY},
        )

    def text(self, period: str) -> str:
        """The page of a period."""
        with self._watch.lock:
            figures, every = self._watch.figures[period], self._watch.figures["all"]
            language = self._language
            if language == "auto":
                language = max(LANGUAGES, key=lambda code: every.languages[code])
            pieces = render(
                figures,
                language,
                self._name,
                "watch.html",
                environment("html", "klopt.watching"),
                trend=every,
                watch=self._watch,
                words=self._texts[language],
                period=period,
                watch_script=Markup(self._script),
                watch_digest=digest(self._script),
            )
            return "".join(pieces)

    def state(self, request: Request) -> Response:
        """Changes with the page."""
        return JSONResponse({"version": self._watch.version})


def run(
    watch: Watch, address: Address, language: str, name: str, announce: Callable[[str], object]
) -> None:
    """Shows the page until Ctrl-C or SIGTERM, in ``nl``, ``en`` or (``auto``) as most answers are.

    ``name`` is that of the logs; ``announce`` takes the address as soon as it can be opened.

    Raises:
        ConfigurationError: The port is taken.
    """
    page = WatchPage(watch, language, name)
    paths = {"/": page.page, "/state": page.state}
    app = Starlette(routes=[Route(path, answer) for path, answer in paths.items()])
    gate = Gate(app, Telemetry(), paths, address.token, address.names, is_for_people=True)
    listening = listen(address)
    config = uvicorn.Config(gate, **HTTP, timeout_graceful_shutdown=5)
    watch.start()
    announce(url_of(listening))
    try:
        uvicorn.Server(config).run([listening])
    finally:
        watch.stop()
