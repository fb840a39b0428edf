"""Every invariant of a state: for loaded saves, corrections by hand, and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from game_logic.core import CHANCE
from game_logic.dig_your_way_out import hands, tasks
from game_logic.dig_your_way_out.box import FACES, MOST_BEATINGS, STOCK, TOOLS, Box
from game_logic.dig_your_way_out.deeds import goal
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.state import Blackgate
from game_logic.dig_your_way_out.steps import Steps
from game_logic.pile import unpack


def problems(box: Box, steps: Steps, state: Blackgate) -> tuple[str, ...]:
    wrong = _shape(box, state)
    if wrong:  # nothing else can be looked at
        return tuple(wrong)
    wrong = [*_cards(box, state), *_gangs(box, state), *_passives(box, state), *_michel(box, state)]
    wrong += [*_prisoners(box, state), *_secrets(state)]
    return tuple(wrong or _progress(box, steps, state))


def _shape(box: Box, state: Blackgate) -> list[str]:
    n = len(state.seats)
    wrong = []
    if not 2 <= n <= 6 or (state.options.teams and n not in box.team_target):
        wrong.append(f"{n} seats cannot play this")
    if len(state.prisoners) != n:
        wrong.append(f"{len(state.prisoners)} prisoners for {n} seats")
    if len(state.stock) != len(STOCK) or len(state.gangs) != len(box.gangs):
        wrong.append("a pile is missing")
    if not 0 <= state.turn.seat < n:
        wrong.append(f"it is the turn of seat {state.turn.seat}, who is not there")
    names = [card for p in state.prisoners for card in (*p.hand, *p.dug)]
    names += [*state.discard, *(card for card, _ in state.loose)]
    wrong += [f"there is no card {card!r}" for card in names if card not in box.names]
    wrong += [
        f"there is no gang card {p.gang!r}" for p in state.prisoners if p.gang not in box.perks
    ]
    passives = [*(p.passive for p in state.prisoners if p.passive), *unpack(state.passives)]
    wrong += [f"there is no passive {card!r}" for card in passives if card not in box.passives]
    places = box.boards[state.options.teams, state.options.use_solitary].places
    wrong += [f"there is no place {p.place!r}" for p in state.prisoners if p.place not in places]
    return wrong + [why for task in state.todo for why in _task(box, n, task)]


_SEATS = ("seat", "target", "victim", "partner", "giver", "asked", "winner", "loser")


def _task(box: Box, seats: int, task: tasks.AnyTask) -> list[str]:
    """Who and what a task speaks of."""
    people = [getattr(task, name) for name in _SEATS if hasattr(task, name)]
    people += getattr(task, "helpers", ())
    wrong = [f"{task.topic}: seat {s} is not there" for s in people if not 0 <= s < seats]
    things: list[tuple[str, Collection[str]]] = []
    match task:
        case tasks.Tidy():
            things = [(task.card, box.names)]
        case tasks.Redeal():
            things = [(card, box.names) for card, _ in task.pool]
        case tasks.Tribute() | tasks.DrawGang():
            things = [(task.gang, box.gangs)]
        case tasks.Extortion():
            things = [(task.tool, TOOLS), *((card, box.names) for card in task.played)]
        case tasks.Loot():
            things = [(task.tool, ("", *TOOLS))]
        case tasks.Shakedown():
            things = [(card, box.michel) for card in task.cards]
            things += [(card, box.names) for card in task.played]
            if task.stage != "reveal" and not task.cards:
                wrong.append(f"{task.topic}: no card of Michel(le) has been shown")
        case tasks.Forfeit():
            things = [(task.card, box.michel)]
        case tasks.Steer() if task.face not in FACES:
            wrong.append(f"{task.topic}: the die has no face {task.face}")
    return wrong + [f"{task.topic}: there is no {x!r}" for x, known in things if x not in known]


def _on_the_table(state: Blackgate) -> list[str]:
    """Hand cards that a task holds."""
    cards: list[str] = []
    for task in state.todo:
        match task:
            case tasks.Tidy(card):
                cards.append(card)
            case tasks.Redeal():
                cards += unpack(task.pool)
            case tasks.Extortion() | tasks.Shakedown():
                cards += task.played
    return cards


def _cards(box: Box, state: Blackgate) -> list[str]:
    """All search cards, tools and shivs are somewhere, exactly once."""
    have = Counter(_on_the_table(state))
    have.update(state.discard)
    have.update(unpack(state.loose))
    for prisoner in state.prisoners:
        have.update(prisoner.hand)
        have.update(prisoner.dug)
    have.update(dict(zip(STOCK, state.stock, strict=True)))
    want = Counter(dict(box.search)) + Counter(dict(zip(STOCK, box.stock, strict=True)))
    wrong = [
        f"{card}: {have[card]} in the game, {want[card]} in the box"
        for card in sorted(have | want)
        if have[card] != want[card]
    ]
    wrong += [
        f"pile of {item}: {n} cards" for item, n in zip(STOCK, state.stock, strict=True) if n < 0
    ]
    unknown = sum(prisoner.unknown for prisoner in state.prisoners)
    if state.pile < 0 or state.pile + unknown != hands.total(state.loose):
        wrong.append(f"search pile of {state.pile} and {unknown} unknown cards do not add up")
    if hands.hidden_search_cards(state) < 0:
        wrong.append("more tools and shivs are in hands than the hands hold")
    if state.options.secrets == "house" and unknown:
        wrong.append("a hand holds unknown cards although the house deals")
    return wrong


def _gangs(box: Box, state: Blackgate) -> list[str]:
    cards = [prisoner.gang for prisoner in state.prisoners if prisoner.gang]
    wrong = []
    for gang, pile in zip(box.gangs, state.gangs, strict=True):
        here = [*unpack(pile.rest), *pile.under]
        cards += here
        if any(box.gang_of.get(card) != gang for card in here):
            wrong.append(f"a card of another gang lies on the pile of {gang}")
    if sorted(cards) != sorted(box.gang_cards):
        wrong.append("gang cards are lost or made up")
    return wrong


def _passives(box: Box, state: Blackgate) -> list[str]:
    cards = [*unpack(state.passives), *(p.passive for p in state.prisoners if p.passive)]
    wrong = []
    if sorted(cards) != sorted(box.passives):
        wrong.append("passives are lost or made up")
    wrong += [
        f"{state.seats[seat]} has revealed a passive nobody knows"
        for seat, prisoner in enumerate(state.prisoners)
        if prisoner.revealed and not prisoner.passive
    ]
    return wrong


def _michel(box: Box, state: Blackgate) -> list[str]:
    cards = [*unpack(state.michel_pile), *state.michel_discard]
    for task in state.todo:
        if isinstance(task, tasks.Shakedown):
            cards += task.cards
    if (state.options.michel != "none") != bool(state.michel_place):
        return ["Michel(le) is in play, or not, against the options"]
    if sorted(cards) != (sorted(box.michel) if state.michel_place else []):
        return ["Michel(le)'s cards are lost or made up"]
    board = box.boards[state.options.teams, state.options.use_solitary]
    if state.michel_place and state.michel_place not in board.open:
        return [f"Michel(le) cannot be in {state.michel_place!r}"]
    return []


def _prisoners(box: Box, state: Blackgate) -> list[str]:
    wrong = []
    limit = state.options.hand_limit
    for seat, prisoner in enumerate(state.prisoners):
        name = state.seats[seat]
        if not 0 <= prisoner.beatings <= MOST_BEATINGS:
            wrong.append(f"{name} has {prisoner.beatings} beatings")
        if prisoner.cigarettes < 0 or prisoner.unknown < 0:
            wrong.append(f"{name} has fewer than no cigarettes or cards")
        if prisoner.hand != tuple(sorted(prisoner.hand)):
            wrong.append(f"the hand of {name} is not in order")
        if any(tool not in box.points for tool in prisoner.dug):
            wrong.append(f"{name} has dug with something that is no tool")
        elif prisoner.points < sum(box.points[tool] for tool in prisoner.dug):
            wrong.append(f"{name} has fewer points than his tools give")
    turn = state.turn
    if min(turn.actions, turn.searches, turn.rackets, turn.free_walks, limit) < 0:
        wrong.append("a number of the turn is negative")
    return wrong


def _secrets(state: Blackgate) -> list[str]:
    if state.options.secrets == "house":
        return []
    return [
        f"{state.seats[seat]}'s passive is known before it was revealed"
        for seat, prisoner in enumerate(state.prisoners)
        if prisoner.passive and not prisoner.revealed
    ]


def _progress(box: Box, steps: Steps, state: Blackgate) -> list[str]:
    """The game is over, or somebody has something to do."""
    points = [prisoner.points for prisoner in state.prisoners]
    sides = [points[0::2], points[1::2]] if state.options.teams else [[p] for p in points]
    escaped = any(sum(side) >= goal(box, state) for side in sides)
    if state.end:
        wrong = [] if state.winners and not state.todo else ["the end is not the end"]
        if (state.end == "escaped") != escaped:
            wrong.append("who has escaped and who has won does not fit")
        return wrong
    if escaped:
        return ["somebody has dug enough, but the game goes on"]
    if not state.todo:
        return [] if state.turn.number else ["no turn has begun"]
    task = state.todo[-1]
    step = steps[type(task)]
    if step.settle(box, state, task) is not None:
        return [f"{task.topic} waits for nobody"]
    if task.asks == CHANCE:
        return (
            [] if step.chance(box, state, task).parts[0].odds else [f"{task.topic}: no card left"]
        )
    now = Now(box, state, task.asks)
    if all(step.refusal(now, task, move) for move in step.options(now, task)):
        return [f"{task.topic}: {state.seats[task.asks]} can do nothing"]
    return []
