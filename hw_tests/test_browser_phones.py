"""Phones at the table, in a real browser: joined by code, a secret vote, nobody sees another's."""

from __future__ import annotations

import pytest

from hw_tests.browser import PHONE, Visit, chromium, daemon, needs_browser

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]

NAMES = ("Ana", "Bo", "Cy")


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


def join(browser, bench, url, seat):
    """The bench invites, its screen shows the code, and the phone follows the link."""
    bench.page.locator(f'#seats [data-seat="{seat}"]').click()
    link = bench.page.locator("#join")
    bench.page.wait_for_function(
        "(name) => document.getElementById('join').textContent.includes(name)", arg=NAMES[seat]
    )
    phone = Visit(browser, size=PHONE)
    phone.page.goto(url.rstrip("/") + link.get_attribute("href"))
    phone.page.locator("form button.main").click()
    phone.page.wait_for_url(f"**/seat/{seat}")
    bench.page.wait_for_selector("#invitation", state="hidden")
    return phone


def test_a_secret_vote_from_three_phones(tmp_path, browser):
    names = ",".join(NAMES)
    with daemon(tmp_path, "--table", "places", "--seats", names, "--language", "en") as running:
        bench = Visit(browser)
        bench.page.goto(f"{running.url}bench")
        bench.page.wait_for_selector("html[data-ready] #board svg")
        phones = [join(browser, bench, running.url, seat) for seat in range(3)]
        bench.picture("bench-alcatraz")
        onlooker = Visit(browser)
        onlooker.page.goto(running.url)

        # Each ends its turn, until the vote is called.
        for _ in range(3):
            acting = _acting(bench.page)
            phones[acting].page.get_by_role("button", name="End the turn").click()
            bench.page.wait_for_function(
                "(seat) => !document.body.dataset.acting.split(',').includes(seat)",
                arg=str(acting),
            )
        caller = phones[_acting(bench.page)]
        caller.page.get_by_role("button", name="Call for the vote").click()
        for phone in phones:
            phone.page.wait_for_selector("#choices button.secret")
        phones[0].picture("seat-vote-phone")
        onlooker.picture("table-vote-desktop")

        # One changes the language of his own phone, and nobody else's.
        french = phones[2].page
        french.locator('[data-key="language"]').click()
        french.get_by_role("button", name="Voter : Bo").wait_for()
        phones[2].picture("seat-vote-phone-fr")
        assert phones[0].page.get_by_role("button", name="Vote: Bo").count() == 1

        vote = phones[0].page.get_by_role("button", name="Vote: Bo")
        vote.click()
        vote.wait_for(state="detached")  # it is cast; she may still think better of it
        for watching in (phones[1], phones[2], onlooker, bench):
            assert "Ana votes" not in watching.page.content()
        # A phone that is reloaded in the middle is still that seat's.
        phones[1].page.reload()
        phones[1].page.get_by_role("button", name="Vote: Cy").click()
        french.get_by_role("button", name="Voter : Bo").click()
        for watching in (onlooker, phones[0]):
            watching.page.get_by_text("Bo is the Scapegoat").first.wait_for()
        onlooker.picture("table-alcatraz")
        for visit in (*phones, bench, onlooker):
            assert visit.wrong == []
            visit.close()


def _acting(page):
    page.wait_for_function("() => document.body.dataset.acting.match(/^[0-9]$/)")
    return int(page.get_attribute("body", "data-acting"))
