"""Table and seat pages in a real browser: all five games, a phone that is passed around, a host."""

from __future__ import annotations

import pytest

from firmware_host.dealer import sayable
from firmware_host.inbox import Correct, Set
from game_logic import GAMES, load
from hw_tests.browser import PHONE, Visit, chromium, needs_browser
from hw_tests.served import Served, played, wait

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]

NAMES = ("Ana", "Bo", "Cy")


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture
def served(tmp_path):
    table = Served(tmp_path, "la_grande_evasion", NAMES)
    yield table
    table.close()


def visit(browser, served, phone, path, **more):
    """The page as the holder of that phone's key sees it."""
    seen = Visit(browser, **more)
    url = served.page.url.rstrip("/")
    for name, value in phone.cookies.items():
        seen.context.add_cookies([{"name": name, "value": value, "url": url}])
    seen.page.goto(url + path)
    seen.page.wait_for_selector("#bar h1")
    return seen


def test_every_game_is_followed_on_a_tv_and_on_a_phone(browser, served):
    """Without a reload from game to game; in both languages; nothing is wider than its screen."""
    host = served.phone(None)
    phones = [served.phone(seat) for seat in range(3)]
    tv = visit(browser, served, served.phone(), "/", locale="fr", color_scheme="dark")
    mobile = visit(browser, served, phones[0], "/seat/0", size=PHONE, locale="en")
    for game in GAMES:
        rules = load(game)
        names = list(NAMES[: min(3, rules.seats[1])])
        wish = {"game": game, "seats": names, "abandon": True}
        assert host.ask("games", **wish).status_code == 200
        wait(lambda game=game: served.record.game.id == game)
        served.rest()
        for seen, language in ((tv, "fr"), (mobile, "en")):
            page = seen.page
            page.wait_for_selector(f"#board svg.{game}")
            assert page.get_attribute("html", "lang") == language
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{game} is {wide} pixels wider than its screen"
        title = rules.title.fr
        assert tv.page.text_content("#bar h1") == title
        tv.picture(f"table-{game}-fr-dark")
        mobile.picture(f"seat-{game}-phone-en-light")
    for seen in (tv, mobile):
        assert seen.wrong == []
        seen.close()


def test_a_phone_that_goes_around_shows_each_hand_to_its_owner(browser, served):
    shared, host = served.phone(0, 1), served.phone(None)
    seen = visit(browser, served, shared, "/seat/0", size=PHONE)
    page = seen.page
    page.get_by_role("button", name="I am Ana").click()
    page.locator("#choices .move").nth(2).click()
    page.wait_for_selector("#hand .cards li")
    pawn = page.text_content("#hand .cards li b")
    page.locator("[data-key=hide]").click()
    page.wait_for_selector("#cover:visible")
    seen.picture("cover-phone")
    assert pawn not in page.content()
    page.get_by_role("button", name="Bo").first.click()
    page.get_by_role("button", name="I am Bo").click()
    page.wait_for_selector("#choices .move")
    page.wait_for_selector("#tracks .track")  # all of the page is back
    assert page.locator("#hand .cards li").count() == 0
    assert pawn not in page.text_content("#hand")
    # His key is taken back: the phone is hers alone now, and still in his hand.
    assert host.ask("leave", seat=1).status_code == 200
    page.wait_for_url("**/seat/0")
    page.get_by_role("button", name="I am Ana").wait_for()
    assert pawn not in page.content()
    assert host.ask("leave", seat=0).status_code == 200
    page.get_by_text("no longer this phone's").wait_for()
    seen.close()


def test_a_host_begins_a_game_by_keyboard(browser, served):
    seen = visit(browser, served, served.phone(None), "/")
    page = seen.page
    page.wait_for_selector("#board svg")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("[data-key=host]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    seen.picture("host")
    page.select_option("#new-game", "breakout")
    page.get_by_label("Abandon the game").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board svg.breakout")
    page.wait_for_selector("dialog", state="detached")
    assert seen.wrong == []
    seen.close()


@pytest.fixture
def alcatraz(tmp_path):
    table = Served(tmp_path, "alcatraz", NAMES)
    yield table
    table.close()


def test_a_host_puts_a_piece_right_and_hands_a_seat_over(browser, alcatraz):
    served, bo = alcatraz, alcatraz.phone(1)
    seen = visit(browser, served, served.phone(None), "/")
    page = seen.page
    page.locator("[data-key=host]").click()
    page.get_by_text("Correct the position").click()
    standing = page.get_by_label("Which piece?")
    pawn = standing.locator("option", has_text="red pawn").text_content()
    standing.select_option(label=pawn)
    page.get_by_label("Where does it stand?").select_option(index=5)
    seen.picture("host-correct")
    before = served.record
    page.get_by_role("button", name="Propose the correction").click()
    question = wait(lambda: (q := bo.state()["question"]) and q["kind"] == "proposal" and q)
    assert "red" in question["text"]
    assert bo.ask("pick", question=question["id"], at=1).status_code == 200
    page.get_by_text("The position is corrected").wait_for()
    wait(lambda: served.record.seq > before.seq)
    page.locator("[data-key=host]").click()
    page.get_by_text("Somebody leaves").click()
    page.get_by_label("Who leaves?").select_option(label="Cy")
    page.get_by_label("Who takes the seat?").fill("Zoe")
    page.get_by_role("button", name="Hand the seat over").click()
    page.locator("#seats .who", has_text="Zoe").wait_for()
    page.locator("[data-key=host]").click()
    page.get_by_text("Somebody leaves").click()
    page.get_by_label("Who leaves?").select_option(label="Zoe")
    page.get_by_label("Nobody: the house plays on").check()
    page.get_by_role("button", name="Hand the seat over").click()
    page.locator("#seats .who", has_text="Cavale").wait_for()
    assert seen.wrong == []
    seen.close()


def test_a_card_of_the_box_is_said_by_phone(browser, alcatraz):
    served = alcatraz
    served.table.inbox.put(Set(luck="box"))
    ana = visit(browser, served, served.phone(0), "/", size=PHONE)
    tv = visit(browser, served, served.phone(), "/", locale="fr")
    rules = load("alcatraz")
    state = played(rules, lambda s: sayable(c) if (c := rules.chance(s)) else False, NAMES)
    served.table.inbox.put(Correct(state))
    yard = ana.page.get_by_role("button", name="The yard", exact=True)
    yard.click()
    assert yard.get_attribute("aria-pressed") == "true"
    tv.page.get_by_text("Dites-le sur la page").first.wait_for()
    assert tv.page.locator("details.chance").count() == 0
    ana.picture("table-card-by-hand-phone")
    tv.picture("table-card-awaited-fr")
    ana.page.get_by_role("button", name="That is the one").click()
    ana.page.locator("#log li", has_text="yard").first.wait_for()
    assert ana.wrong == tv.wrong == []
    ana.close()
    tv.close()
