"""What the named effects of effects.py do, and whether they can do anything at all (A30, A32)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.dig_your_way_out import effects as e
from game_logic.dig_your_way_out import hands, tasks
from game_logic.dig_your_way_out.box import MOST_BEATINGS, TOOLS, Box
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.prices import affordable
from game_logic.dig_your_way_out.state import (
    Blackgate,
    opponents_here,
    others_here,
    pop,
    push,
    swap,
    team,
    with_prisoner,
)

# -- whom an effect can be meant for ---------------------------------------------------------------


def targets(box: Box, state: Blackgate, seat: int, deed: tasks.Deed) -> tuple[int, ...]:
    """The players an effect with one chosen player may name (A43, A45)."""
    people = state.prisoners
    if deed == "beat":
        return tuple(s for s in others_here(state, seat) if people[s].beatings < MOST_BEATINGS)
    if deed == "rob":
        return tuple(s for s in others_here(state, seat) if people[s].cards)
    everybody = tuple(s for s in range(len(people)) if s != seat)
    if deed == "inform":
        return tuple(s for s in everybody if people[s].cards)
    if not state.options.use_solitary:
        return ()
    return tuple(s for s in everybody if people[s].place != box.solitary)


def _bruisable(state: Blackgate, seat: int) -> tuple[int, ...]:
    people = state.prisoners
    return tuple(s for s in opponents_here(state, seat) if people[s].beatings < MOST_BEATINGS)


def _opponents(state: Blackgate, seat: int) -> tuple[int, ...]:
    mine = team(state, seat)
    return tuple(s for s in range(len(state.seats)) if team(state, s) != mine)


def can_dig(now: Now) -> bool:
    """Is digging open to this prisoner: the right place, and fewer than 2 beatings that count?"""
    return digs_here(now) and now.me.beatings - now.perks.tough < MOST_BEATINGS


def can_dig_again(now: Now) -> bool:
    return can_dig(now) and any(hands.holds(now.state, now.seat, tool) for tool in TOOLS)


def digs_here(now: Now) -> bool:
    home = now.board.homes[team(now.state, now.seat) % 2]
    return "dig" in now.board.actions[now.me.place] and now.me.place == home


# -- can it do anything? ---------------------------------------------------------------------------


def possible(now: Now, effect: e.Effect, in_hand: int) -> bool:
    """`in_hand` counts the cards besides the one that is being played."""
    state, box, seat, me = now.state, now.box, now.seat, now.me
    match effect:
        case e.Draw():
            return bool(state.pile or state.discard)
        case e.Take(item):
            return hands.left(state, item) > 0
        case e.Heal():
            return me.beatings > 0
        case e.Sell():
            return in_hand > 0
        case e.Beat("one"):
            return bool(targets(box, state, seat, "beat"))
        case e.Beat("all") | e.Riot():
            return bool(_bruisable(state, seat))
        case e.Beat("attacker"):
            return state.prisoners[state.turn.seat].beatings < MOST_BEATINGS
        case e.Rob():
            return bool(targets(box, state, seat, "rob"))
        case e.Send():
            return bool(targets(box, state, seat, "send"))
        case e.Inform():
            return bool(targets(box, state, seat, "inform"))
        case e.Levy():
            return any(state.prisoners[s].cigarettes for s in _opponents(state, seat))
        case e.Lose():
            return any(state.prisoners[s].cards for s in opponents_here(state, seat))
        case e.Redeal():
            others = sum(p.cards for s, p in enumerate(state.prisoners) if s != seat)
            return others + in_hand > 0
        case e.DigAgain():
            return can_dig_again(now)
        case e.Discount(percent):
            return any(affordable(now, offer, percent) for offer in box.offers.values())
    return True


# -- doing it --------------------------------------------------------------------------------------

# The state, and the tasks an effect leaves to be done.
Done = tuple[Blackgate, tuple[tasks.AnyTask, ...]]


def run(now: Now, effects: Iterable[e.Effect]) -> Blackgate:
    """Apply the effects, one after another."""
    state = now.state
    todo: list[tasks.AnyTask] = []
    for effect in effects:
        state, then = _DEEDS[type(effect)](now.box, state, now.seat, effect)
        todo += then
        if state.end:
            return state
    return push(state, *todo)


def beaten(state: Blackgate, seat: int) -> Blackgate:
    """One beating more, of 2 at most (R34)."""
    me = state.prisoners[seat]
    beatings = min(me.beatings + 1, MOST_BEATINGS)
    return with_prisoner(state, seat, replace(me, beatings=beatings))


def healed(state: Blackgate, seat: int, beatings: int) -> Blackgate:
    me = state.prisoners[seat]
    return with_prisoner(state, seat, replace(me, beatings=max(0, me.beatings - beatings)))


def paid(state: Blackgate, seat: int, cigarettes: int) -> Blackgate:
    """So many cigarettes more, or fewer."""
    me = state.prisoners[seat]
    return with_prisoner(state, seat, replace(me, cigarettes=me.cigarettes + cigarettes))


def scored(box: Box, state: Blackgate, seat: int, points: int) -> Blackgate:
    """Tunnel points; who reaches the goal wins at once (R9, R52)."""
    me = state.prisoners[seat]
    state = with_prisoner(state, seat, replace(me, points=me.points + points))
    mine = team(state, seat)
    side = tuple(s for s in range(len(state.seats)) if team(state, s) == mine)
    if sum(state.prisoners[s].points for s in side) >= goal(box, state):
        return replace(state, end="escaped", winners=side, todo=())
    return state


def goal(box: Box, state: Blackgate) -> int:
    """R9, R52: the tunnel points that a player or a team needs."""
    by_seats = box.team_target if state.options.teams else box.target
    return state.options.target or by_seats[len(state.seats)]


def end_racket(
    box: Box, state: Blackgate, racket: tasks.Extortion, *then: tasks.AnyTask
) -> Blackgate:
    """R28: its weapons are discarded; what is still due comes before the target's consolation."""
    drawn = box.perks[state.prisoners[racket.target].gang].consolation
    after = (tasks.Draw(racket.target, drawn),) if drawn else ()
    return swap(hands.toss(state, racket.played), *then, *after)


def _draw(box: Box, state: Blackgate, seat: int, effect: e.Draw) -> Done:
    return state, (tasks.Draw(seat, effect.cards),)


def _take(box: Box, state: Blackgate, seat: int, effect: e.Take) -> Done:
    return hands.from_stock(state, seat, effect.item, effect.cards), ()


def _cigarettes(box: Box, state: Blackgate, seat: int, effect: e.Cigarettes) -> Done:
    return paid(state, seat, effect.amount), ()


def _heal(box: Box, state: Blackgate, seat: int, effect: e.Heal) -> Done:
    return healed(state, seat, effect.beatings), ()


def _go(box: Box, state: Blackgate, seat: int, effect: e.Go) -> Done:
    return state, (tasks.PickPlace(seat),)


def _actions(box: Box, state: Blackgate, seat: int, effect: e.Actions) -> Done:
    turn = replace(state.turn, actions=state.turn.actions + effect.more)
    return replace(state, turn=turn), ()


def _free_walk(box: Box, state: Blackgate, seat: int, effect: e.FreeWalk) -> Done:
    turn = replace(state.turn, free_walks=state.turn.free_walks + effect.times)
    return replace(state, turn=turn), ()


def _sell(box: Box, state: Blackgate, seat: int, effect: e.Sell) -> Done:
    return state, (tasks.Sale(seat),)


def _beat(box: Box, state: Blackgate, seat: int, effect: e.Beat) -> Done:
    if effect.who == "one":
        return state, (tasks.PickTarget(seat, "beat"),)
    if effect.who == "attacker":
        return state, (tasks.Blow(state.turn.seat),)
    return state, tuple(tasks.Blow(s) for s in opponents_here(state, seat))


def _rob(box: Box, state: Blackgate, seat: int, effect: e.Rob) -> Done:
    return state, (tasks.PickTarget(seat, "rob", effect.cards),)


def _send(box: Box, state: Blackgate, seat: int, effect: e.Send) -> Done:
    return state, (tasks.PickTarget(seat, "send"),)


def _inform(box: Box, state: Blackgate, seat: int, effect: e.Inform) -> Done:
    return state, (tasks.PickTarget(seat, "inform"),)


def _riot(box: Box, state: Blackgate, seat: int, effect: e.Riot) -> Done:
    return state, tuple(tasks.Riot(s) for s in opponents_here(state, seat))


def _levy(box: Box, state: Blackgate, seat: int, effect: e.Levy) -> Done:
    for other in _opponents(state, seat):
        given = min(effect.amount, state.prisoners[other].cigarettes)
        state = paid(paid(state, other, -given), seat, given)
    return state, ()


def _lose(box: Box, state: Blackgate, seat: int, effect: e.Lose) -> Done:
    named = state.options.secrets == "table"
    return state, tuple(tasks.Lose(s, named) for s in opponents_here(state, seat))


def _redeal(box: Box, state: Blackgate, seat: int, effect: e.Redeal) -> Done:
    if state.options.secrets == "table":
        return hands.redeal_unseen(state, seat), ()
    state, heap = hands.gather(state)
    return state, (tasks.Redeal(seat, heap),)


# -- effects of one moment: they change the task that waits -


def _dig_again(box: Box, state: Blackgate, seat: int, effect: e.DigAgain) -> Done:
    return state, (tasks.DigAgain(seat),)


def _score(box: Box, state: Blackgate, seat: int, effect: e.Score) -> Done:
    return scored(box, state, seat, effect.points), ()


def _discount(box: Box, state: Blackgate, seat: int, effect: e.Discount) -> Done:
    return state, (tasks.Purchase(seat, effect.percent),)


def _set_die(box: Box, state: Blackgate, seat: int, effect: e.SetDie) -> Done:
    steer = state.todo[-1]
    assert isinstance(steer, tasks.Steer)
    return swap(state, replace(steer, fixing=True)), ()


def _cancel(box: Box, state: Blackgate, seat: int, effect: e.Cancel) -> Done:
    racket = state.todo[-1]
    assert isinstance(racket, tasks.Extortion)
    return end_racket(box, state, racket), ()


def _duck(box: Box, state: Blackgate, seat: int, effect: e.Duck) -> Done:
    fight = state.todo[-1]
    if isinstance(fight, tasks.Shakedown):
        return swap(state, replace(fight, stage="fight", ducks=effect.times)), ()
    assert isinstance(fight, tasks.Extortion)
    mine, his = fight.ducks
    ducks = (effect.times, his) if seat == fight.seat else (mine, effect.times)
    return swap(state, replace(fight, ducks=ducks)), ()


def _loot(box: Box, state: Blackgate, seat: int, effect: e.Loot) -> Done:
    won = state.todo[-1]
    assert isinstance(won, tasks.Won)
    return pop(state), (tasks.Take(seat, won.loser, effect.cards, effect.choose),)


def _spare(box: Box, state: Blackgate, seat: int, effect: e.Spare) -> Done:
    assert isinstance(state.todo[-1], tasks.Blow)
    return pop(state), ()


_DEEDS: dict[type[e.Effect], Callable[[Box, Blackgate, int, Any], Done]] = {
    e.Draw: _draw,
    e.Take: _take,
    e.Cigarettes: _cigarettes,
    e.Heal: _heal,
    e.Go: _go,
    e.Actions: _actions,
    e.FreeWalk: _free_walk,
    e.Sell: _sell,
    e.Beat: _beat,
    e.Rob: _rob,
    e.Send: _send,
    e.Inform: _inform,
    e.Riot: _riot,
    e.Levy: _levy,
    e.Lose: _lose,
    e.Redeal: _redeal,
    e.DigAgain: _dig_again,
    e.Score: _score,
    e.Discount: _discount,
    e.SetDie: _set_die,
    e.Cancel: _cancel,
    e.Duck: _duck,
    e.Loot: _loot,
    e.Spare: _spare,
}
