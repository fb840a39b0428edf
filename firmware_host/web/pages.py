"""The pages themselves: plain files, the same for everybody. What each may see comes by the API."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from firmware_host.web.boards import CSS

STATIC = Path(str(files("firmware_host") / "web" / "static"))


def page(name: str) -> FileResponse:
    """One of our own pages; never kept by the browser, so that an update is seen at once."""
    return FileResponse(STATIC / name, headers={"Cache-Control": "no-cache"})


async def table(request: Request) -> Response:
    return page("table.html")


async def seat(request: Request) -> Response:
    return page("seat.html")


async def join(request: Request) -> Response:
    """Looking at it uses no code up: messengers and cameras look at every link."""
    return page("join.html")


async def boards_css(request: Request) -> Response:
    return Response(CSS.read_text("utf-8"), media_type="text/css")


def routes() -> list[BaseRoute]:
    return [
        Route("/", table),
        Route("/seat", seat),
        Route("/seat/{seat:int}", seat),
        Route("/join", join),
        Route("/s/{code}", join),
        Route("/S/{code}", join),
        Route("/static/boards.css", boards_css),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
