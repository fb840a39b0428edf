"""The bench in a real browser: a newcomer's mouse, finger and keyboard on the whole table."""

from __future__ import annotations

import pytest

from game_logic import load
from game_logic.core import CHANCE, Drawn
from hw_tests.browser import PHONE, Daemon, Visit, chromium, daemon, drag, needs_browser, swipe

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A table at which several sit one after the other; they find the game as it was left."""
    with daemon(tmp_path_factory.mktemp("shared"), "--language", "en") as running:
        yield running


@pytest.fixture
def visit(browser):
    visits = []

    def arrive(url, **more):
        visits.append(Visit(browser, **more))
        page = visits[-1].page
        page.goto(f"{url}bench")
        page.wait_for_selector("html[data-ready] #board svg")
        return visits[-1]

    yield arrive
    for each in visits:
        assert each.wrong == []
        each.close()


def turn(page, seat=None):
    """Whose turn the board shows; waits until it is that seat's, and the table has looked."""
    page.wait_for_selector('body:not([data-hint="wait"])')
    which = "" if seat is None else f'="{seat}"'
    shown = page.wait_for_selector(f"#board [data-stock{which}].turn")
    return int(shown.get_attribute("data-stock"))


def lit(page, screen=1):
    """How many pixels of a screen are lit."""
    return page.evaluate(
        """(id) => {
            const canvas = document.getElementById(id);
            const { data } = canvas.getContext("2d").getImageData(0, 0, 128, 64);
            return data.filter((value, n) => n % 4 === 3 && value > 0).length;
        }""",
        f"screen-{screen}",
    )


def in_the_wall(page):
    return page.locator("#board [data-piece^=knot_]").count()


def knots(page, many):
    """Waits until so many knots are in the wall."""
    page.wait_for_function(
        "(many) => document.querySelectorAll('#board [data-piece^=knot_]').length === many",
        arg=many,
    )


def test_a_whole_round_of_breakout_by_mouse(tmp_path, visit):
    """Until a rope reaches the top, the wall is cleared and the next round begins."""
    game = load("breakout")
    with daemon(tmp_path, "--language", "en") as running:
        visitor = visit(running.url)
        page = visitor.page
        starter = turn(page)
        state = game.play(game.new(("Ana", "Bo"), {}), Drawn("starter", str(starter)), CHANCE)
        dark = lit(page, 2)
        visitor.picture("bench-breakout-begins")
        for n in range(11):
            by = game.to_act(state)[0]
            row, side = n // 2 % 5 + 1, ("left", "right")[by]
            assert turn(page, by) == by
            if n == 3:  # a tap on an opening pushes a knot as well
                page.locator(f'[data-opening="{row}_{side}"]').click()
            else:
                drag(page, f'[data-stock="{by}"] .piece', f'[data-opening="{row}_{side}"]')
            move = next(m for m in game.moves(state, by) if (m.row, m.side) == (row, side))
            state = game.play(state, move, by)
        escaped = [track.value for track in game.tracks(state)][1:]
        assert sum(escaped) == 1, "the script should have won a round"
        page.locator("#right").wait_for()
        page.get_by_text("wins the round").wait_for()
        visitor.picture("bench-breakout-won")
        assert lit(page, 2) != dark
        page.locator("#right").click()
        knots(page, 0)
        loser = game.to_act(state)[0]
        assert turn(page, loser) == loser
        page.wait_for_selector("#notice", state="hidden")
        assert page.locator('[data-space^="exit_"] [data-piece]').count() == 1
        drag(page, f'[data-stock="{loser}"] .piece', '[data-opening="3_left"]')
        turn(page, 1 - loser)
        knots(page, 1)


def test_what_hands_do_wrong_is_said_and_mended(shared, visit):
    page = visit(shared.url).page
    seat, before = turn(page), in_the_wall(page)
    other = ("knot_blue", "knot_red")[seat]
    drag(page, f'#things [data-kind="{other}"]', '[data-opening="2_left"]')
    page.wait_for_selector("#notice.mend:not([hidden])")
    page.wait_for_selector('#light[data-colour^="2"]')  # red
    assert int(page.get_attribute("#buzzer", "data-beeps")) > 0
    drag(page, '[data-space="r2c1"] [data-piece]', "#things")
    page.wait_for_selector("#notice", state="hidden")
    assert in_the_wall(page) == before
    turn(page, seat)


def test_by_keyboard_alone(shared, visit):
    page = visit(shared.url).page
    seat, before = turn(page), in_the_wall(page)
    page.focus(f'[data-stock="{seat}"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("body.holding")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.space ?? ''").startswith("r5c")
    page.focus('[data-opening="4_right"]')
    page.keyboard.press("Enter")
    turn(page, 1 - seat)
    assert in_the_wall(page) == before + 1
    page.keyboard.press("u")  # the undo button; then the knot is to be taken out again
    page.locator("#right").click()
    page.wait_for_selector("#notice", state="hidden")
    turn(page, seat)


def test_reload_in_the_middle_and_both_languages(shared, visit):
    visitor = visit(shared.url)
    page = visitor.page
    seat, before = turn(page), in_the_wall(page)
    page.locator("#language").click()
    page.wait_for_selector("html[lang=fr]")
    assert page.inner_text("#new") == "Nouvelle partie"
    page.locator('[data-opening="5_left"]').click()
    turn(page, 1 - seat)
    visitor.picture("bench-breakout-fr")
    page.reload()
    page.wait_for_selector("html[data-ready] #board svg")
    assert turn(page) == 1 - seat
    assert in_the_wall(page) == before + 1
    assert page.inner_text("#new") == "Nouvelle partie"
    french = lit(page)
    page.locator("#language").click()
    page.wait_for_selector("html[lang=en]")
    assert page.inner_text("#new") == "New game"
    page.wait_for_function(f"() => {_lit_js()} !== {french}")  # the OLED speaks English too
    page.locator('[data-opening="4_right"]').click()
    turn(page, seat)


def _lit_js():
    return (
        "[...document.getElementById('screen-1').getContext('2d').getImageData(0,0,128,64).data]"
        ".filter((v, n) => n % 4 === 3 && v > 0).length"
    )


def test_the_daemon_is_killed_and_comes_back(tmp_path, visit):
    first = Daemon(tmp_path, "--language", "en")
    page, watcher = visit(first.url).page, visit(first.url).page
    watcher.goto(first.url)  # the table's own page: it comes back by itself, too
    seat = turn(page)
    page.locator('[data-opening="1_left"]').click()
    turn(page, 1 - seat)
    first.kill()
    page.wait_for_selector("#dark:not([hidden])")
    watcher.wait_for_selector("body.offline")
    with daemon(tmp_path, "--language", "en", address=first.address):
        watcher.wait_for_selector("body:not(.offline)")
        page.wait_for_selector("#dark", state="hidden")
        assert turn(page) == 1 - seat
        knots(page, 1)
        page.locator('[data-opening="2_left"]').click()
        turn(page, seat)
        knots(page, 2)
        knots(watcher, 2)


def test_the_plug_is_pulled_and_a_chip_stays_broken(tmp_path, visit):
    with daemon(tmp_path, "--language", "en") as running:
        visitor = visit(running.url)
        page = visitor.page
        seat = turn(page)
        page.locator('[data-opening="1_left"]').click()
        turn(page, 1 - seat)
        page.select_option("#target", "screen 0x3d")
        page.select_option("#fault", "missing")
        page.locator("#order button").click()
        page.wait_for_selector('[data-fault="missing"]')
        page.wait_for_function(f"() => {_lit_js().replace('screen-1', 'screen-2')} === 0")
        page.wait_for_selector("#trouble:not([hidden])")
        visitor.picture("bench-breakout-broken")
        page.locator("#plug").click()
        page.wait_for_selector("#dark:not([hidden])")
        page.wait_for_selector("#dark", state="hidden")
        assert turn(page) == 1 - seat
        knots(page, 1)
        assert running.said.count("Resuming") == 1
        page.wait_for_selector('[data-fault="missing"]')
        page.locator(".fault button").click()
        page.wait_for_selector(".fault", state="detached")
        page.wait_for_function(f"() => {_lit_js().replace('screen-1', 'screen-2')} > 0")
        page.locator('[data-opening="2_left"]').click()
        turn(page, seat)


def test_another_game_on_another_table_from_a_phone(tmp_path, visit):
    """Dig Your Way Out on six readers: a pawn by finger, the die down the tower and askew."""
    with daemon(tmp_path, "--language", "en") as running:
        visitor = visit(running.url, size=PHONE)
        page = visitor.page
        turn(page)
        page.locator("#new").tap()
        page.locator('.choice:has([value="dig_your_way_out"])').tap()
        page.locator('.choice:has([value="places-dig"])').tap()
        visitor.picture("bench-choose-phone")
        page.locator("#start").tap()
        page.wait_for_selector("#board svg.dig_your_way_out")
        page.wait_for_selector('[data-space="cells"] [data-piece]')
        visitor.picture("bench-dig-phone")
        swipe(page, '[data-space="cells"] [data-piece]', '[data-space="yard"]')
        page.wait_for_selector('[data-space="yard"] [data-piece]')
        page.locator('[data-space="yard"] [data-piece]').tap()
        page.wait_for_selector("body.holding")
        page.locator('[data-space="refectory"]').tap(position={"x": 60, "y": 60})
        page.wait_for_selector('[data-space="refectory"] [data-piece]')
        page.locator("#throw").tap()
        page.wait_for_selector('[data-lies="die"][data-where="tray"]')
        page.locator("[data-lies] button").first.tap()
        page.wait_for_selector('[data-lies="die"][data-where="cocked"]')


def test_pawns_are_stacked_and_slid(tmp_path, visit):
    """La grande évasion: whatever the table makes of it, the pieces stand where hands put them."""
    with daemon(tmp_path, "--table", "squares-evasion", "--language", "en") as running:
        visitor = visit(running.url)
        page = visitor.page
        page.wait_for_selector('body[data-hint="seat"]')
        drag(page, '[data-space="window_3"] [data-piece]', '[data-space="square_5"]')
        page.wait_for_selector('[data-space="square_5"] [data-id="orange"]')
        drag(page, '[data-space="window_2"] [data-piece]', '[data-space="square_5"] [data-piece]')
        page.wait_for_selector('[data-space="square_5"] .covered[data-id="orange"]')
        visitor.picture("bench-evasion-stack")
        page.keyboard.down("Shift")
        drag(page, '[data-space="square_5"] .covered', '[data-space="square_9"]', by=0.75)
        page.keyboard.up("Shift")
        page.wait_for_selector('[data-space="square_9"] [data-id="yellow"]')
        assert page.locator('[data-space="square_9"] [data-piece]').count() == 2
        assert page.locator('[data-space="square_5"] [data-piece]').count() == 0
        page.locator("#right").click()
        page.wait_for_selector('[data-space="window_2"] [data-id="yellow"]')


def test_a_card_is_held_to_the_pad(tmp_path, visit):
    """Alcatraz with two pads: guards take their posts as location cards come up."""
    with daemon(tmp_path, "--table", "pad", "--game", "alcatraz", "--language", "en") as running:
        visitor = visit(running.url)
        page = visitor.page
        page.wait_for_selector('body[data-hint="pad"]')
        page.get_by_role("button", name="the location card: the yard").click()
        page.get_by_text("A guard takes his post in the yard").wait_for()
        page.wait_for_selector('[data-space="yard"] [data-piece="guard"]')
        page.locator("#act").click()  # the hint's own button draws another
        page.wait_for_function("() => document.querySelectorAll('#board [data-piece]').length > 1")
        visitor.picture("bench-alcatraz-pad")
