"""How the page says no: a status, a stable code for programs, a sentence for people."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from firmware_host.texts import TEXTS
from firmware_host.web.patience import PATIENCE
from game_logic.core import Text, encode

LARGEST = 16_384  # bytes of a request
T = TypeVar("T")


class Refused(Exception):
    def __init__(self, status: int, code: str, text: Text | None = None, **fields: object) -> None:
        """The sentence is the one called page_`code`, unless another is given."""
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.text = text or TEXTS(f"page_{code}", **fields)


def answer(value: Any, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def refusal(refused: Refused, language: str) -> Response:
    why = refused.text.in_(language)
    response = answer({"ok": False, "code": refused.code, "why": why}, refused.status)
    if refused.status == 429:
        response.headers["Retry-After"] = "5"
    return response


async def body(request: Request, kind: type[T]) -> T:
    """The request's JSON, of just this form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "json_only")
    data = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                data += chunk
                if len(data) > LARGEST:
                    raise Refused(413, "too_large", most=LARGEST)
    except TimeoutError:
        raise Refused(408, "too_slow") from None
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, "malformed", why=str(error)) from None
