"""The pages of the review, and what happens when somebody clicks."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import Any, Final, get_args

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from klopt import shipped
from klopt.batch.rows import Row
from klopt.company.suggestions import Status
from klopt.errors import KloptError
from klopt.reading.reader import vote
from klopt.records import MESSAGE_TYPES
from klopt.report.log_answers import QUESTION_CHARS
from klopt.report.log_page import texts as log_texts
from klopt.report.templating import environment
from klopt.report.wording import brief
from klopt.review.desk import DecidedError, ReviewDesk
from klopt.review.requests import BODY_BYTES, HEADERS, NotDoneError, StaleError, read_form
from klopt.review.shown import ANSWER_CHARS, Told, kinds, shown, substring, texts
from klopt.review.store import ChangedError, PersonOpinion
from klopt.server.running import HTTP, Address, listen, url_of

HOSTS: Final = ("127.0.0.1", "localhost")
NOTE_CHARS: Final = 5_000
_READ_S: Final = 5.0
_READ_FOR_LANGUAGE: Final = 20
_MOST_MARKS: Final = 200
_RATINGS: Final = ("1", "2", "3", "4", "5")
_STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class Review:
    """What is done on each path."""

    def __init__(self, desk: ReviewDesk, language: str) -> None:
        self.desk, self._language = desk, language
        self._texts = texts(language)
        self._token = token_hex(16)
        self._writing = asyncio.Lock()

    def start(self, request: Request) -> Response:
        """To the answer at hand, or a word on why there is none."""
        key = self.desk.begin()
        if key is not None:
            return RedirectResponse(f"/answer/{key}", 303)
        book = self.desk.book
        said = "finished" if self.desk.rated else "empty"
        return self._page("pause.html", said=said if book.is_done else "opening")

    def answer(self, request: Request) -> Response:
        """An answer to rate."""
        return self._answer(self._key(request), self._stored(request))

    def previous(self, request: Request) -> Response:
        """To the answer before."""
        key = self._key(request)
        return RedirectResponse(f"/answer/{self.desk.before(key) or key}", 303)

    def next(self, request: Request) -> Response:
        """To the answer after, passing this one over."""
        key = self.desk.after(self._key(request))
        return RedirectResponse(f"/answer/{key}" if key else "/", 303)

    async def rate(self, request: Request) -> Response:
        """Stores what a person says of an answer, and goes on when it is rated."""
        key = await asyncio.to_thread(self._key, request)
        try:
            form = await read_form(request, self._token)
            async with self._writing:
                return await asyncio.to_thread(self._rated, key, form)
        except StaleError:
            said, status = "restarted", 409
        except ChangedError:
            said, status = "changed", 409
        return await asyncio.to_thread(self._answer, key, self._texts["stored"][said], status)

    def suggestions(self, request: Request) -> Response:
        """What is suggested, and what was decided."""
        return self._suggestions(self._stored(request))

    async def decide(self, request: Request) -> Response:
        """Accepts or rejects a suggestion."""
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
            said = words["restarted"]
        except DecidedError:
            said = words["changed"]
        except KloptError as error:
            said = words["failed"].format(reason=brief(str(error), 500))
        return await asyncio.to_thread(self._suggestions, said, 409)

    def refused(self, request: Request, error: Exception) -> Response:
        """A word on why nothing was done."""
        known = error if isinstance(error, NotDoneError) else NotDoneError(404, "unknown")
        if isinstance(error, HTTPException):
            known = NotDoneError(error.status_code, "unknown")
        if known.key == "opening":
            return self._page("pause.html", known.status, said=known.key)
        said = self._texts["stored"][known.key]
        said = said.format(most=BODY_BYTES)
        return self._page("pause.html", known.status, said="refused", words=said)

    def failed(self, request: Request, error: Exception) -> Response:
        """What cannot be written or read, in words."""
        said = self._texts["stored"]["failed"]
        reason = brief(str(error), 500)
        words = said.format(reason=reason) if request.method == "POST" else reason
        return self._page("pause.html", 500, said="refused", words=words)

    def _rated(self, key: str, form: Mapping[str, str]) -> Response:
        row = self.desk.book.row(key)
        before = self.desk.opinion(key)
        note, kind, mark = (form.get(name, "") for name in ("note", "message_type", "mark"))
        if len(note) > NOTE_CHARS or (kind and kind not in MESSAGE_TYPES):
            raise NotDoneError(400, "bad")
        untrue, rating = list(before.untrue), form.get("rating", "")
        taken = form.get("unmark", "")
        if re.fullmatch(r"\d{1,3}", taken, re.ASCII) and int(taken) < len(untrue):
            del untrue[int(taken)]
        if (words := substring(row["answer"], mark)) and words not in untrue:
            untrue.append(words)
        told = self.desk.book.get(key)
        is_corrected = told is None or kind != told.kind
        said = PersonOpinion(
            rating=float(rating) if rating in _RATINGS else before.rating,
            message_type=kind if is_corrected else "",
            untrue=tuple(untrue[:_MOST_MARKS]),
            note=note.replace("\r\n", "\n").strip(),
        )
        self.desk.say(key, said, form.get("version", ""))
        if rating not in _RATINGS:
            return RedirectResponse(f"/answer/{key}?stored={key}", 303)
        onward = self.desk.after(key, only_unrated=True)
        return RedirectResponse(f"/answer/{onward}?stored={key}" if onward else "/", 303)

    def _answer(self, key: str, said: str, status: int = 200) -> Response:
        desk = self.desk
        desk.at = key
        opinion = desk.opinion(key)
        row = desk.book.row(key)
        turn, found = desk.book.assess(row)
        view = shown(turn, found, opinion.untrue)
        return self._page(
            "answer.html",
            status,
            said=said,
            key=key,
            shown=view,
            opinion=opinion,
            kinds=kinds(self._language),
            kind=opinion.message_type or found.message_type or "",
            has_previous=desk.before(key) is not None,
            limits={"question": QUESTION_CHARS, "answer": ANSWER_CHARS, "note": NOTE_CHARS},
        )

    def _suggestions(self, said: str, status: int = 200) -> Response:
        every = self.desk.suggestions()
        groups = (
            [suggestion for suggestion in every if suggestion.status == "open"],
            [suggestion for suggestion in every if suggestion.status != "open"],
        )
        return self._page("suggestions.html", status, said=said, open=groups[0], decided=groups[1])

    def _stored(self, request: Request) -> str:
        """What the address says was stored just now, as it is stored."""
        name, words = request.query_params.get("stored", ""), self._texts
        if name in self.desk.book:
            rating = self.desk.opinion(name).rating
            key = "other" if rating is None else "rating"
            return str(words["stored"][key].format(rating=f"{rating or 0:g}"))
        for suggestion in self.desk.suggestions() if name else ():
            if suggestion.id == name:
                return str(words["stored"][suggestion.status].format(id=suggestion.id))
        return ""

    def _key(self, request: Request) -> str:
        key: str = request.path_params["key"]
        book = self.desk.book
        book.wait_for(key, _READ_S)
        if key not in book:
            raise NotDoneError(404, "unknown") if book.is_read else NotDoneError(503, "opening")
        return key

    def _page(self, template: str, status: int = 200, **filled: Any) -> Response:  # noqa: ANN401
        text = (
            environment("html", "klopt.review")
            .get_template(template)
            .render(
                texts=self._texts,
                log=log_texts(self._language),
                told=Told(self.desk, self._language),
                token=self._token,
                **filled,
            )
        )
        return HTMLResponse(text, status, HEADERS)


def application(desk: ReviewDesk, language: str) -> Starlette:
    """The review as an ASGI application, in ``nl`` or ``en``."""
    review = Review(desk, language)
    css = "\n".join(shipped.text("klopt.report", name) for name in ("style.css", "log.css"))
    css += shipped.text("klopt.review", "review.css")
    script = shipped.text("klopt.review", "review.js")
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
    handlers: dict[Any, Any] = {
        NotDoneError: review.refused,
        HTTPException: review.refused,
        KloptError: review.failed,
    }
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[*HOSTS], www_redirect=False)
    return Starlette(routes=routes, exception_handlers=handlers, middleware=[hosts])


def _static(text: str, kind: str, request: Request) -> Response:
    return Response(text, 200, HEADERS, kind)


def language_of(rows: Iterable[Row]) -> str:
    """The language that most of the first rows of a log are in; ``en`` when none can be told.

    >>> from klopt import Turn
    >>> language_of([Row(1, "a", Turn("Kan dat?", "Ja, dat kan met de knop Opslaan."))])
    'nl'
    """
    turns = (row.turn for row in rows if row.turn is not None)
    told = (
        vote([turn.question, turn.answer]).language if turn.language == "auto" else turn.language
        for turn in islice(turns, _READ_FOR_LANGUAGE)
    )
    counts = Counter(language for language in told if language in ("nl", "en"))
    return counts.most_common(1)[0][0] if counts else "en"


def run(desk: ReviewDesk, port: int, language: str, announce: Callable[[str], object]) -> None:
    """Shows the pages on this machine alone, until Ctrl-C or SIGTERM; port 0 is one that is free.

    ``announce`` takes the address as soon as it can be opened.

    Raises:
        ConfigurationError: The port is taken.
    """
    listening = listen(Address(port=port))
    config = uvicorn.Config(application(desk, language), **HTTP, timeout_graceful_shutdown=5)
    announce(url_of(listening))
    uvicorn.Server(config).run([listening])
