"""Nobody learns by any request what they may not know: two tables that differ only in that give the
same bytes, on every route and on the stream."""

from __future__ import annotations

import json
import random
import re
from itertools import cycle
from threading import Event as Flag

import pytest

from firmware_host.dealer import sayable
from firmware_host.inbox import Ask, Correct, Set
from firmware_host.web.telling import awaited
from game_logic import load
from game_logic.core import CHANCE, HOUSE, Illegal, encode, pick
from hw_tests.alcatraz.table import twin as alcatraz
from hw_tests.dig_your_way_out.prison import twin_of
from hw_tests.la_grande_evasion.twin import twin as la_grande_evasion
from hw_tests.prison_break.twin import twin as prison_break
from hw_tests.served import Served, wait

TWINS = {
    "la_grande_evasion": la_grande_evasion,
    "alcatraz": alcatraz,
    "dig_your_way_out": twin_of(load("dig_your_way_out")),
    "prison_break": prison_break,
}
NAMES = ("Ana", "Bo", "Cy")
# What differs between two tables that were set up one after the other, and is nobody's secret.
PLAIN = re.compile(rb'"(deadline_s|started)":("[^"]*"|\d+)')


@pytest.fixture
def two(tmp_path):
    """Two tables alike."""
    opened = []

    def make(game):
        for name in ("one", "other"):
            folder = tmp_path / name
            folder.mkdir()
            opened.append(Served(folder, game, NAMES))
        return opened

    yield make
    for served in opened:
        served.close()


def people_act(rules, state):
    return not {CHANCE, HOUSE} & {*rules.to_act(state)}


def people_say(rules, state):
    """Dice or cards of the box are awaited."""
    chance = rules.chance(state)
    return chance is not None and chance.kind == "draw" and sayable(chance)


def random_states(game, seed, moves, when=people_act):
    """States of one game in which people act, and the moves that were made on the way."""
    rng, rules = random.Random(seed), load(game)
    state, pool = rules.new(NAMES), []
    for _ in range(moves):
        actors = rules.to_act(state)
        if not actors:
            return
        if when(rules, state):
            yield state, pool
        if actors == (CHANCE,):
            by, move = CHANCE, pick(rng.choice(rules.chance(state).parts), rng.randrange)
        else:
            by = rng.choice(actors)
            move = rng.choice(rules.moves(state, by))
            pool.append(move)
        state = rules.play(state, move, by)


def everything(phone, seat, refused, language="en"):
    """All that this phone gets to see, route by route."""
    asked = ({} if seat is None else {"seat": str(seat)}) | {"language": language}
    game = 1
    seen = {}
    for route in ("state", "moves", "history", "correct"):
        seen[route] = phone.get(f"/api/{route}", params=asked).content
    seen["log"] = phone.get("/api/history", params={**asked, "game": game}).content
    id, _, told = next(phone.events(seat))
    seen["events"] = encode({key: value for key, value in told.items() if key != "deadline_s"})
    if told["deadline_s"] is None:
        seen["id"] = id.encode()
    for n, move in enumerate(refused):
        for by in {seat, (seat + 1) % len(NAMES)}:
            wish = {"game": game, "seat": by, "decision": told["decision"], "moves": [move]}
            answer = phone.ask("intents", **wish)
            assert 400 <= answer.status_code < 500
            seen["refusal", by, n] = answer.content
    return {what: PLAIN.sub(b"", said) for what, said in seen.items()}


def neither(rules, state, other, seat, pool, rng):
    """Some moves that the rules refuse in both states."""
    refused = []
    for move in rng.sample(pool, min(4, len(pool))):
        for by in (seat,) if seat is not None else ():
            try:
                rules.play(state, move, by)
                rules.play(other, move, by)
            except Illegal:
                refused.append(json.loads(encode(move)))
    return refused


def where(one, two):
    one, two = json.loads(one), json.loads(two)
    return [(key, one[key], two.get(key)) for key in one if one[key] != two.get(key)]


def show(tables, states):
    """Each table stands so, and has had its time to say something about it."""
    for table, state in zip(tables, states, strict=True):
        seq = table.record.seq
        table.table.inbox.put(Correct(state))
        wait(lambda table=table, seq=seq: table.record.seq > seq)
        for _ in range(4):
            done = Flag()
            table.table.inbox.put(Ask(lambda _, done=done: done.set()))
            assert done.wait(10)


def worth_comparing(game, seed, *, apart, most, when=people_act):
    """States with something in them that the seat may not know, and others that differ in it."""
    rng, last = random.Random(seed), -apart
    seats = cycle((0, None, 1, 2, None))
    seat = next(seats)
    for n, (state, pool) in enumerate(random_states(game, seed, 1500, when)):
        if n < last + apart or not most:
            continue
        other = TWINS[game](state, seat, rng.randrange)
        if other != state:
            yield seat, state, other, pool, rng
            last, most, seat = n, most - 1, next(seats)


def compare(tables, game, **how):
    phones = [{seat: t.phone(seat) for seat in (*range(len(NAMES)), None)} for t in tables]
    strangers = [t.phone() for t in tables]
    compared = 0
    states = worth_comparing(game, **how)
    for seat, state, other, pool, rng in states:
        show(tables, (state, other))
        refused = neither(load(game), state, other, seat, pool, rng)
        language = rng.choice(("fr", "en"))
        one, two = (everything(held[seat], seat, refused, language) for held in phones)
        for what in one:
            difference = one[what] != two[what] and where(one[what], two[what])
            assert not difference, f"{what} gives a secret away to {seat}: {difference}"
        if seat is None:
            one, two = (everything(phone, None, (), language) for phone in strangers)
            assert one == two
        compared += 1
    return compared


@pytest.mark.parametrize("game", TWINS)
def test_what_a_seat_may_not_know_is_in_no_answer(two, game):
    assert compare(two(game), game, seed=5, apart=7, most=4) == 4


def test_what_may_be_drawn_from_the_box_gives_no_hand_away(two):
    game = "dig_your_way_out"
    tables = two(game)
    for table in tables:
        table.table.inbox.put(Set(luck="box"))
    assert compare(tables, game, seed=5, apart=2, most=3, when=people_say) == 3
    assert all(awaited(table.shot) for table in tables)


@pytest.mark.soak
@pytest.mark.parametrize("game", TWINS)
@pytest.mark.parametrize("seed", range(5))
def test_what_a_seat_may_not_know_is_in_no_answer_of_long_games(two, game, seed):
    assert compare(two(game), game, seed=seed, apart=5, most=60) >= 5


def test_a_secret_bet_shows_on_its_own_phone_alone(two):
    """The same evening twice; only Bo's bet differs. Streams included, from first to last."""
    tables = two("la_grande_evasion")
    streams, seen = [], []
    for table, pawn in zip(tables, ("red", "blue"), strict=True):
        ana, bo, stranger = table.phone(0), table.phone(1), table.phone()
        host = table.phone(None)
        heard = [ana.events(0), stranger.events(), host.events()]
        first = [next(stream) for stream in heard]
        assert bo.play(1, {"type": "bet", "pawn": pawn}).status_code == 200
        wait(lambda bo=bo: bo.state(1)["hand"][0]["items"])
        own = bo.get("/api/state", params={"seat": "1"}).text
        assert f"the {pawn} pawn in place 1" in own
        streams.append((first, [next(stream) for stream in heard]))
        seen.append(
            [
                *(everything(phone, None, ()) for phone in (ana, stranger, host)),
                everything(ana, 0, ()),
            ]
        )
        seen[-1].append(everything(table.phone(), None, ()))
        for stream in heard:
            stream.close()
    assert streams[0] == streams[1]
    assert seen[0] == seen[1]


def test_refusals_tell_nothing_that_was_not_played(two):
    """A move that brings something out cannot be tried together with one that would tell what."""
    table = two("prison_break")[0]
    rules = load("prison_break")
    found = None
    for state, _ in random_states("prison_break", 5, 400):
        for seat in rules.to_act(state):
            for move in rules.moves(state, seat):
                if seat >= 0 and rules.closes_undo(state, move):
                    found = (state, seat, json.loads(encode(move)))
        if found:
            break
    assert found
    state, seat, move = found
    table.table.inbox.put(Correct(state))
    wait(lambda: table.record.state == state)
    before = table.record
    answer = table.phone(seat).play(seat, move, move)
    assert answer.status_code == 409
    assert answer.json()["code"] == "one_at_a_time"
    assert table.record is before
