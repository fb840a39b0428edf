"""A real daemon and a real browser: Cavale as a subprocess, Debian's Chromium driven by Playwright.

Pages are waited for by what they show, never by the clock.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PLAIN = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
]
PATIENCE = 20_000  # ms; a wait that ends earlier ends earlier
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
PICTURES = Path(__file__).parent.parent / "build" / "screenshots"

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="NOT TESTED in a browser: no Chromium (apt install chromium)"
)


class Daemon:
    """`cavale run --sim` as people start it, on a port of its own."""

    def __init__(self, folder: Path, *arguments: str, address: str = "127.0.0.1:0") -> None:
        self._log = folder / "daemon.log"
        command = [sys.executable, "-m", "firmware_host.cli", "run", "--sim", "--page", address]
        command += ["--journal", str(folder / "cavale.db"), *arguments]
        with self._log.open("w") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out)
        self.url = self._announced()

    def _announced(self) -> str:
        while self._process.poll() is None:
            found = re.search(r"(http://\S+/)bench", self._log.read_text())
            if found:
                return found[1]
            time.sleep(0.02)
        raise AssertionError(f"the daemon did not start:\n{self.said}")

    @property
    def said(self) -> str:
        return self._log.read_text()

    @property
    def address(self) -> str:
        return self.url.removeprefix("http://").rstrip("/")

    def kill(self) -> None:
        """As the plug does: not a word of warning."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(timeout=20)


@contextmanager
def daemon(folder: Path, *arguments: str, **more: Any) -> Iterator[Daemon]:
    running = Daemon(folder, *arguments, **more)
    try:
        yield running
    finally:
        assert running.stop() == 0, running.said


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; give each person a context of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=PLAIN)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """Somebody's browser: a page, and all that went wrong in it."""

    def __init__(self, browser: Any, size: dict[str, int] | None = None, **more: Any) -> None:
        touch = size is PHONE
        self.context = browser.new_context(
            viewport=size or DESKTOP, has_touch=touch, reduced_motion="reduce", **more
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._said)

    def _said(self, message: Any) -> None:
        """Scripts, styles or pictures that our own policy forbids, and what is not there."""
        lost = "net::ERR_" in message.text  # a daemon that is gone
        if message.type == "error" and not lost:
            self.wrong.append(message.text)

    def picture(self, name: str) -> None:
        """Kept with the run, to be looked at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")

    def close(self) -> None:
        self.context.close()


def drag(page: Any, source: str, target: str, *, by: float = 0.5) -> None:
    """With the mouse, in a few steps, as a hand does. `by`: how far down the source is grabbed."""
    for end in (target, source):
        page.locator(end).first.scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = _middle(page, source, by), _middle(page, target)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
    page.mouse.move(to_x, to_y, steps=3)
    page.mouse.up()


def swipe(page: Any, source: str, target: str) -> None:
    """The same with a finger."""
    for end in (target, source):
        page.locator(end).first.scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = _middle(page, source), _middle(page, target)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for n in range(1, 7):
        touch("touchMove", (x + (to_x - x) * n / 6, y + (to_y - y) * n / 6))
    touch("touchEnd")
    finger.detach()


def _middle(page: Any, selector: str, by: float = 0.5) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, f"{selector} is not to be seen"
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * by
    assert 0 <= y < page.viewport_size["height"], f"{selector} is off the screen"
    return x, y
