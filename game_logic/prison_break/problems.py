"""Every way in which a state can be wrong: in saves, in corrections by hand, and in tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from game_logic.pile import unpack
from game_logic.prison_break.box import Box
from game_logic.prison_break.state import (
    BLANK,
    EXTERNALS,
    LEADERS,
    LINCOLN,
    NOBODY,
    NOWHERE,
    PEOPLE,
    SCOFIELD,
    UNKNOWN,
    Break,
    Casting,
    ChanceCard,
    FirstRoll,
    Marking,
    Surrender,
    Voting,
    Warned,
)


def found(box: Box, state: Break) -> Iterator[str]:
    """What is out of shape is said alone: the rest could not even be looked at."""
    wrong = [*_shape(box, state)]
    yield from wrong
    if not wrong:
        yield from _people(box, state)
        yield from _tokens(box, state)
        yield from _cards(box, state)
        yield from _guards(box, state)
        yield from _devices(box, state)
        yield from _time(box, state)


def _shape(box: Box, state: Break) -> Iterator[str]:
    seats, squares = len(state.seats), len(box.board.squares)
    if not 3 <= seats <= 4:
        yield f"{seats} seats; the game is for 3 or 4"
    if len(state.cast) != seats or (state.votes and len(state.votes) != seats):
        yield "cast and votes do not have one entry a seat"
    for name in ("where", "skips", "hands", "kept"):
        if len(getattr(state, name)) != len(PEOPLE):
            yield f"{name} does not have one entry a person"
    if len(state.ground) != len(box.spaces) or len(state.seen) != len(box.spaces):
        yield "ground and seen do not have one entry an object space"
    if len(state.spare) != len(box.kinds):
        yield "spare does not have one entry a logo"
    if any(not NOWHERE <= at < squares for at in state.where):
        yield "somebody stands off the board"
    if any(not (0 <= at < squares and 0 <= logo < len(box.kinds)) for at, logo in state.guards):
        yield "a guard stands off the board or has no logo"
    for task in state.todo:
        if not NOBODY <= getattr(task, "who", SCOFIELD) < len(PEOPLE):
            yield f"{task} is for nobody"
    if any(who not in PEOPLE for who in (*state.team, *state.wanted)):
        yield "the team has a member who does not exist"
    if bool(state.todo) == bool(state.over):
        yield "a game has something to do until it is over, and nothing then"
    if isinstance(state.todo[-1] if state.todo else None, Warned) and len(state.todo) < 2:
        yield "a warning about nothing"


def _people(box: Box, state: Break) -> Iterator[str]:
    chosen = [who for who in state.cast if who != NOBODY]
    begun = len(chosen) == len(state.cast)
    if len(set(chosen)) != len(chosen) or any(who not in LEADERS for who in chosen):
        yield "two seats play the same leader"
    if begun and SCOFIELD not in chosen:
        yield "nobody plays Scofield (R1)"
    if not begun and not isinstance(state.todo[-1], FirstRoll | Casting):
        yield "the game has begun and not everybody has a leader"
    playing = {who for s, who in enumerate(state.cast) if s != state.bellick and who != NOBODY}
    if list(state.team) != sorted(set(state.team)):
        yield "the team is not in order"
    if set(state.team) & set(LEADERS) != playing:
        yield "the leaders of the team are not those who play"
    if (state.phase == 2) != (state.bellick != NOBODY) or state.bellick >= len(state.seats):
        yield "Bellick plays in phase 2, and only then (R37)"
    if state.bellick != NOBODY and state.cast[state.bellick] == SCOFIELD:
        yield "Scofield cannot be eliminated (R36)"
    for who in PEOPLE:
        there = who in playing if who in LEADERS else state.phase == 1 or who in state.team
        there = there or who == LINCOLN
        if (state.where[who] != NOWHERE) != there:
            yield f"{box.people[who]} is {'missing from' if there else 'still on'} the board"
        if who not in state.team and (state.skips[who] or state.kept[who] or state.hands[who]):
            surrenders = any(isinstance(t, Surrender) and t.who == who for t in state.todo)
            if state.skips[who] or not surrenders:
                yield f"{box.people[who]} is not in the team and has things"
        if len(state.hands[who]) > state.options.objects_per_player:
            yield f"{box.people[who]} carries too many objects (R30)"
        if list(state.hands[who]) != sorted(state.hands[who]):
            yield f"the hand of {box.people[who]} is not in order"
    if state.phase == 1 and LINCOLN in state.team:
        yield "Lincoln joins in phase 2 only (R40)"
    if state.phase == 2 and any(who not in state.team for who in state.wanted):
        yield "phase 2 without the externals of the plan (A16)"
    crowd = Counter([at for at in state.where if at != NOWHERE])
    crowd.update(at for at, _ in state.guards)
    for at, persons in crowd.items():
        if persons > state.options.persons_per_square:
            yield f"{persons} persons on {box.board.squares[at]} (R28)"


def _tokens(box: Box, state: Break) -> Iterator[str]:
    lying = [token for token in state.ground if token]
    held = [token for hand in state.hands for token in hand]
    known = [t for t in (*lying, *held, *state.gone) if t != UNKNOWN]
    if sorted((*known, *unpack(state.bag.rest), *state.bag.under)) != sorted(
        unpack(box.tokens.rest)
    ):
        yield "object tokens are lost or made up"
    if len(state.bag) != (*lying, *held).count(UNKNOWN):
        yield "the bag does not hold as many tokens as are unknown"
    if BLANK in held:
        yield "a blank is kept (R31)"
    if state.house and UNKNOWN in held:
        yield "the house knows every hand"
    if not state.house and any(token != UNKNOWN for token in (*lying, *held)):
        yield "tokens at the table are unknown"
    seats = 1 << len(state.seats)
    for token, seen in zip(state.ground, state.seen, strict=True):
        if seen and (token in ("", UNKNOWN) or seen >= seats):
            yield "somebody knows a token that nobody has looked at"


def _cards(box: Box, state: Break) -> Iterator[str]:
    kept = [card for cards in state.kept for card in cards]
    drawn = [t.card for t in state.todo if isinstance(t, ChanceCard)]
    out = [*kept, *drawn, *state.discard, *([state.active] if state.active else [])]
    known = [card for card in out if card not in ("", UNKNOWN)]
    deck = sorted(unpack(box.deck.rest))
    if sorted((*known, *unpack(state.pile.rest), *state.pile.under)) != deck:
        yield "handicap and chance cards are lost or made up"
    if any(card != UNKNOWN and card not in box.chances for card in kept):
        yield "only chance cards are kept (R8)"
    if state.active and (state.active not in box.cards or state.active in box.chances):
        yield "the active card is no handicap (A38)"
    if state.house and UNKNOWN in (*kept, *drawn):
        yield "the house knows every card"
    if not state.house and any(card != UNKNOWN for card in kept):
        yield "kept cards at the table are unknown"
    hidden = sum(n for card, n in state.pile.rest if card in box.chances)
    if hidden < kept.count(UNKNOWN) + drawn.count(UNKNOWN):
        yield "more chance cards are kept than there are"


def _guards(box: Box, state: Break) -> Iterator[str]:
    if list(state.guards) != sorted(state.guards):
        yield "the guards are not in order"
    on_board = Counter(logo for _, logo in state.guards)
    for logo, (spare, every) in enumerate(zip(state.spare, box.guards, strict=True)):
        if spare < 0 or spare + on_board[logo] > every:
            yield f"more guards with {box.kinds[logo]} than there are"
    crowd = Counter(at for at, _ in state.guards)
    for at, guards in crowd.items():
        if guards > state.options.guards_per_square:
            yield f"{guards} guards on {box.board.squares[at]} (A35)"
        if box.board.strategic >> at & 1 and not state.options.guards_in_strategic:
            yield f"a guard in a strategic building, {box.board.squares[at]} (A11)"


def _devices(box: Box, state: Break) -> Iterator[str]:
    for device, numbers in enumerate(box.board.watched):
        if not (0 <= state.lit[device] < len(numbers) and 0 <= state.broken[device] < len(numbers)):
            yield "a camera or tower that does not exist"
        if state.lit[device] and state.lit[device] == state.broken[device]:
            yield "what is out of order cannot be on (R43)"
        if state.by_card[device] and not state.lit[device]:
            yield "a card has switched on nothing"
        stays = state.options.card_surveillance == "until_moved"
        if state.by_card[device] and not state.active and not stays:
            yield "a card that is not active keeps something on (A4)"
        carrier = state.tools[device]
        if carrier != NOBODY and (carrier not in state.team or state.broken[device]):
            yield "a tool is carried by nobody of the team, or used up"
        if state.phase == 1 and state.broken[device]:
            yield "tools are placed in phase 2 only (A42)"
    route = state.route
    if list(route) != sorted(set(route)) or len(route) > box.counts.escape_tokens:
        yield "escape tokens: one a place and no more than there are (A23)"
    if route and (state.phase == 1 or not 0 <= route[0] <= route[-1] < len(box.board.places)):
        yield "escape tokens lie on places, in phase 2 (A23)"


def _time(box: Box, state: Break) -> Iterator[str]:
    options = state.options
    if not 0 <= state.guilt <= options.guilt_limit:
        yield f"culpability {state.guilt} is off the scale"
    if (state.guilt == options.guilt_limit) != (state.over == "guilt"):
        yield "the game is over when culpability reaches its limit (R4)"
    if not 1 <= state.day <= options.days:
        yield f"day {state.day} is off the scale"
    if not 0 <= state.wish <= 6 or any(who not in EXTERNALS for who in state.wanted):
        yield "the externals want nothing that exists"
    if state.plan not in ("", UNKNOWN, *box.plans) or (state.house and state.plan == UNKNOWN):
        yield "Scofield has no such escape card"
    if not -1 <= state.slot <= len(state.seats) + len(EXTERNALS) + 1:
        yield "it is nobody's turn of the day"
    if any(isinstance(task, Voting) for task in state.todo) and not state.votes:
        yield "a vote without ballots"
    for task in state.todo:
        if isinstance(task, Marking) and any(way >> len(box.board.places) for way in task.ways):
            yield "a walk passes places that do not exist"
