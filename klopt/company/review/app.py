"""The routes of the rating page."""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import Any, Final, get_args

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from klopt._internal import shipped
from klopt.company.review.desk import DecidedError, ReviewDesk
from klopt.company.review.shown import ANSWER_CHARS, PageWords, shown, substring, texts
from klopt.company.review.store import ChangedError, PersonOpinion
from klopt.company.suggestions import Status
from klopt.errors import KloptError
from klopt.logs.rows import Row
from klopt.report.evidence import QUESTION_CHARS
from klopt.report.log_page import texts as log_texts
from klopt.report.templating import environment
from klopt.report.wording import brief
from klopt.server.run import HTTP, listen, url_of
from klopt.server.settings import Address
from klopt.text.language import vote
from klopt.types import MESSAGE_TYPES

BODY_BYTES: Final = 65_536
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": _POLICY,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # Not "no-referrer", with which browsers send no origin along with a form.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}  # Of every page: they allow its own script and style sheet, and nothing else


class NotDoneError(Exception):
    """A refused request: the HTTP status, and a key of the texts in ``stored``."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(status, key)
        self.status, self.key = status, key


class StaleError(Exception):
    """The form comes from a page from before klopt was restarted."""


async def read_form(request: Request, token: str) -> Mapping[str, str]:
    """Return the fields of a form of our own pages, whose token is new at each start.

    NotDoneError if it comes from elsewhere, is too large or no form; StaleError if from an earlier
    start.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site != "same-origin" or origin not in (None, f"http://{request.headers.get('host')}"):
        raise NotDoneError(403, "refused")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > BODY_BYTES:
                raise NotDoneError(413, "large")
        found = QueryParams(body.decode())
    except (ClientDisconnect, ValueError):
        raise NotDoneError(400, "bad") from None
    given = found.get("token", "").encode()
    if not hmac.compare_digest(given, token.encode()):
        if origin is None or len(given) != len(token):
            raise NotDoneError(403, "refused")
        raise StaleError
    return found


HOSTS: Final = ("127.0.0.1", "localhost")
NOTE_CHARS: Final = 5_000
_ERROR_CHARS: Final = 500
_READ_S: Final = 5.0  # Seconds to wait for an answer that the log reader has not reached yet
_LANGUAGE_SAMPLE_ROWS: Final = 20
_MAX_MARKS: Final = 200
_RATINGS: Final = ("1", "2", "3", "4", "5")
_STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class Review:
    """The handlers, and the pages that they return."""

    def __init__(self, desk: ReviewDesk, language: str) -> None:
        self.desk, self._language = desk, language
        self._texts = texts(language)
        self._token = token_hex(16)
        self._writing = asyncio.Lock()

    def start(self, request: Request) -> Response:
        """Go to the current answer, or say why there is none."""
        key = self.desk.begin()
        if key is not None:
            return RedirectResponse(f"/answer/{key}", 303)
        outcome = "finished" if self.desk.rated else "empty"
        return self._page("pause.html", message=outcome if self.desk.book.is_done else "opening")

    def answer(self, request: Request) -> Response:
        """Show an answer to rate."""
        return self._answer(self._key(request), self._stored(request))

    def previous(self, request: Request) -> Response:
        """Go to the previous answer."""
        key = self._key(request)
        return RedirectResponse(f"/answer/{self.desk.before(key) or key}", 303)

    def next(self, request: Request) -> Response:
        """Skip this answer."""
        key = self.desk.after(self._key(request))
        return RedirectResponse(f"/answer/{key}" if key else "/", 303)

    async def rate(self, request: Request) -> Response:
        """Store an opinion on an answer, and go to the next one if it has a rating."""
        key = await asyncio.to_thread(self._key, request)
        try:
            form = await read_form(request, self._token)
            async with self._writing:
                return await asyncio.to_thread(self._rated, key, form)
        except StaleError:
            problem = "restarted"
        except ChangedError:
            problem = "changed"
        return await asyncio.to_thread(self._answer, key, self._texts["stored"][problem], 409)

    def suggestions(self, request: Request) -> Response:
        """Show open and decided suggestions."""
        return self._suggestions(self._stored(request))

    async def decide(self, request: Request) -> Response:
        """Accept or reject a suggestion."""
        words = self._texts["stored"]
        try:
            form = await read_form(request, self._token)
            name, status, seen = (form.get(key, "") for key in ("id", "status", "seen"))
            if status not in _STATUSES:
                raise NotDoneError(400, "bad")
            async with self._writing:
                await asyncio.to_thread(self.desk.decide, name, status, seen)
            return RedirectResponse(f"/suggestions?stored={name}", 303)
        except StaleError:
            message = words["restarted"]
        except DecidedError:
            message = words["changed"]
        except KloptError as error:
            message = words["failed"].format(reason=brief(str(error), _ERROR_CHARS))
        return await asyncio.to_thread(self._suggestions, message, 409)

    def refused(self, request: Request, error: Exception) -> Response:
        """Say why nothing was done."""
        known = error if isinstance(error, NotDoneError) else NotDoneError(404, "unknown")
        if isinstance(error, HTTPException):
            known = NotDoneError(error.status_code, "unknown")
        if known.key == "opening":
            return self._page("pause.html", known.status, message=known.key)
        words = self._texts["stored"][known.key].format(most=BODY_BYTES)
        return self._page("pause.html", known.status, message="refused", words=words)

    def failed(self, request: Request, error: Exception) -> Response:
        """Say what cannot be read or written."""
        words = brief(str(error), _ERROR_CHARS)
        if request.method == "POST":
            words = self._texts["stored"]["failed"].format(reason=words)
        return self._page("pause.html", 500, message="refused", words=words)

    def _rated(self, key: str, form: Mapping[str, str]) -> Response:
        row = self.desk.book.row(key)
        before = self.desk.opinion(key)
        note, kind, mark = (form.get(name, "") for name in ("note", "message_type", "mark"))
        if len(note) > NOTE_CHARS or (kind and kind not in MESSAGE_TYPES):
            raise NotDoneError(400, "bad")
        untrue, rating = list(before.untrue), form.get("rating", "")
        removed = form.get("unmark", "")
        if re.fullmatch(r"\d{1,3}", removed, re.ASCII) and int(removed) < len(untrue):
            del untrue[int(removed)]
        if (words := substring(row["answer"], mark)) and words not in untrue:
            untrue.append(words)
        scored = self.desk.book.get(key)
        given = PersonOpinion(
            rating=float(rating) if rating in _RATINGS else before.rating,
            message_type=kind if scored is None or kind != scored.kind else "",
            untrue=tuple(untrue[:_MAX_MARKS]),
            note=note.replace("\r\n", "\n").strip(),
        )
        self.desk.rate(key, given, form.get("version", ""))
        if rating not in _RATINGS:
            return RedirectResponse(f"/answer/{key}?stored={key}", 303)
        following = self.desk.after(key, only_unrated=True)
        return RedirectResponse(f"/answer/{following}?stored={key}" if following else "/", 303)

    def _answer(self, key: str, message: str, status: int = 200) -> Response:
        desk = self.desk
        desk.at = key
        opinion = desk.opinion(key)
        turn, found = desk.book.assess(desk.book.row(key))
        kinds = log_texts(self._language)["kinds"]
        return self._page(
            "answer.html",
            status,
            message=message,
            key=key,
            shown=shown(turn, found, opinion.untrue, QUESTION_CHARS),
            opinion=opinion,
            kinds=[(kind, kinds[kind]) for kind in MESSAGE_TYPES],
            kind=opinion.message_type or found.message_type or "",
            has_previous=desk.before(key) is not None,
            limits={"question": QUESTION_CHARS, "answer": ANSWER_CHARS, "note": NOTE_CHARS},
        )

    def _suggestions(self, message: str, status: int = 200) -> Response:
        every = self.desk.suggestions()
        open_ones = [suggestion for suggestion in every if suggestion.status == "open"]
        decided = [suggestion for suggestion in every if suggestion.status != "open"]
        filled = {"message": message, "open": open_ones, "decided": decided}
        return self._page("suggestions.html", status, **filled)

    def _stored(self, request: Request) -> str:
        """Return a sentence on what was just stored, as named in the URL."""
        name, words = request.query_params.get("stored", ""), self._texts["stored"]
        if name in self.desk.book:
            rating = self.desk.opinion(name).rating
            key = "other" if rating is None else "rating"
            return str(words[key].format(rating=f"{rating or 0:g}"))
        for suggestion in self.desk.suggestions() if name else ():
            if suggestion.id == name:
                of_page = "_page" * (not suggestion.name and suggestion.status != "open")
                return str(words[suggestion.status + of_page].format(id=suggestion.id))
        return ""

    def _key(self, request: Request) -> str:
        key: str = request.path_params["key"]
        book = self.desk.book
        book.wait_for(key, _READ_S)
        if key not in book:
            raise NotDoneError(404, "unknown") if book.is_read else NotDoneError(503, "opening")
        return key

    def _page(self, template: str, status: int = 200, **filled: Any) -> Response:  # noqa: ANN401
        filled |= {"view": PageWords(self.desk, self._language), "log": log_texts(self._language)}
        page = environment("html", "klopt.company.review").get_template(template)
        text = page.render(texts=self._texts, token=self._token, **filled)
        return HTMLResponse(text, status, HEADERS)


def application(desk: ReviewDesk, language: str) -> Starlette:
    """Return the rating page as an ASGI application, in ``nl`` or ``en``."""
    review = Review(desk, language)
    css = "\n".join(shipped.text("klopt.report", name) for name in ("style.css", "log.css"))
    css += shipped.text("klopt.company.review", "review.css")
    script = shipped.text("klopt.company.review", "review.js")
    routes = [
        Route("/", review.start, methods=["GET"]),
        Route("/answer/{key}", review.answer, methods=["GET"]),
        Route("/answer/{key}", review.rate, methods=["POST"]),
        Route("/previous/{key}", review.previous, methods=["GET"]),
        Route("/next/{key}", review.next, methods=["GET"]),
        Route("/suggestions", review.suggestions, methods=["GET"]),
        Route("/suggestions", review.decide, methods=["POST"]),
        Route("/review.css", partial(_static, css, "text/css"), methods=["GET"]),
        Route("/review.js", partial(_static, script, "text/javascript"), methods=["GET"]),
    ]
    handlers: dict[Any, Any] = dict.fromkeys((NotDoneError, HTTPException), review.refused)
    handlers[KloptError] = review.failed
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[*HOSTS], www_redirect=False)
    return Starlette(routes=routes, exception_handlers=handlers, middleware=[hosts])


def _static(text: str, kind: str, request: Request) -> Response:
    return Response(text, 200, HEADERS, kind)


def language_of(rows: Iterable[Row]) -> str:
    """Return the language of most of the first rows of a log; ``en`` if unknown.

    >>> from klopt import Turn
    >>> language_of([Row(1, "a", Turn("Kan dat?", "Ja, dat kan met de knop Opslaan."))])
    'nl'
    """
    turns = (row.turn for row in rows if row.turn is not None)
    languages = (
        vote([turn.question, turn.answer]).language if turn.language == "auto" else turn.language
        for turn in islice(turns, _LANGUAGE_SAMPLE_ROWS)
    )
    counts = Counter(language for language in languages if language in ("nl", "en"))
    return counts.most_common(1)[0][0] if counts else "en"


def run(desk: ReviewDesk, port: int, language: str, announce: Callable[[str], object]) -> None:
    """Serve the pages to this machine only, until Ctrl-C or SIGTERM; port 0 takes a free port.

    ``announce`` gets the URL as soon as it can be opened. Raises ConfigurationError if the port is
    taken.
    """
    listening = listen(Address(port=port))
    settings = {**HTTP, "log_level": "warning", "timeout_graceful_shutdown": 5}
    config = uvicorn.Config(application(desk, language), **settings)
    announce(url_of(listening))
    uvicorn.Server(config).run([listening])
