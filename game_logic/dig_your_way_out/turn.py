"""What a player can do on his own turn while nothing else is open (R10 to R12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.dig_your_way_out import deeds, hands, moves, passives, tasks, team
from game_logic.dig_your_way_out.box import SHIV, TOOLS
from game_logic.dig_your_way_out.errands import bought, buy_refusal, dug, sold
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, opponents_here, push
from game_logic.dig_your_way_out.state import team as team_of
from game_logic.dig_your_way_out.walking import arrive, goal_refusal


class Verb(NamedTuple):
    """One thing to do: `barred` is why it cannot be done at all, `refusal` why not like that."""

    barred: Callable[[Now], Code | None]
    options: Callable[[Now], Iterable[Move]]
    refusal: Callable[[Now, Any], Code | None]
    do: Callable[[Now, Any], Blackgate]


def legal(now: Now) -> list[Move]:
    found: list[Move] = []
    for barred, options, refusal, _ in VERBS.values():
        if barred(now) is None:
            found += [move for move in options(now) if refusal(now, move) is None]
    return found


def refusal(now: Now, move: Move) -> Code | None:
    verb = VERBS.get(type(move))
    if verb is None:
        return "not_now"
    return verb.barred(now) or verb.refusal(now, move)


def do(now: Now, move: Move) -> Blackgate:
    return VERBS[type(move)].do(now, move)


def acted(now: Now, cost: int = 1, **turn: Any) -> Blackgate:
    """So many actions are used; what was done before is no longer fresh."""
    spent = replace(now.turn, **{"fresh": "", "actions": now.turn.actions - cost} | turn)
    return replace(now.state, turn=spent)


def _free(now: Now) -> Code | None:
    return None


def _an_action(now: Now) -> Code | None:
    return None if now.turn.actions else "no_actions"


def _fine(now: Now, move: Move) -> Code | None:
    return None


# -- search (R14) ----------------------------------------------------------------------------------


def _search_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if now.turn.searches >= now.state.options.search_per_turn + now.perks.searches:
        return "search_used"
    if not now.board.search[now.me.place]:
        return "search_nothing"
    return None if now.state.pile or now.state.discard else "pile_empty"


def _search(now: Now, move: moves.Search) -> Blackgate:
    state = acted(now, searches=now.turn.searches + 1, fresh="search")
    cards = now.board.search[now.me.place] + now.perks.search_more
    shed = now.perks.search_discard
    then = (tasks.Shed(now.seat, shed),) if shed else ()
    return push(state, tasks.Draw(now.seat, cards), *then)


# -- moves (R15, R16) ------------------------------------------------------------------------------


def _walk_barred(now: Now) -> Code | None:
    return None if now.turn.actions or now.turn.free_walks else "no_actions"


def _walk(now: Now, move: moves.Walk) -> Blackgate:
    free = now.turn.free_walks
    state = acted(now, 0, free_walks=free - 1) if free else acted(now)
    return push(state, tasks.RollDie(now.seat))


def sneak_cost(now: Now) -> int:
    """Cheaper once per turn for some."""
    if now.perks.careful_cost and not now.turn.cheap_sneak:
        return now.perks.careful_cost
    return now.state.options.careful_move_cost


def _sneak_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    return None if now.turn.actions >= sneak_cost(now) else "careful_cost"


def _sneaks(now: Now) -> Iterable[Move]:
    return [moves.Sneak(place) for place in now.board.open]


def _sneak_refusal(now: Now, move: moves.Sneak) -> Code | None:
    return goal_refusal(now, move.place, now.me.place)


def _sneak(now: Now, move: moves.Sneak) -> Blackgate:
    cheap = now.turn.cheap_sneak or bool(now.perks.careful_cost)
    state = acted(now, sneak_cost(now), cheap_sneak=cheap)
    return arrive(now.box, state, now.seat, move.place)


# -- gangs (R17 to R20) ----------------------------------------------------------------------------


def _joins(now: Now) -> Iterable[Move]:
    me = now.me
    if not me.unknown and now.box.accessories.isdisjoint(me.hand):
        return ()
    return [moves.Join(gang) for gang in now.box.gangs]


def _join_refusal(now: Now, move: moves.Join) -> Code | None:
    gang = now.box.gangs.get(move.gang)
    if gang is None:
        return "no_such_gang"
    known = [card for card in gang.accepts if card in now.me.hand]
    need = gang.different - len(known)
    if need > 0:
        if need > now.me.unknown or need > hands.hidden_search_cards(now.state):
            return "accessories_missing"
        loose = [c for c, _ in now.state.loose if c in gang.accepts and c not in known]
        if need > len(loose):
            return "accessories_missing"
    pile = now.state.gangs[now.box.gang_slot[move.gang]]
    return None if pile.rest or pile.under else "gang_empty"


def _join(now: Now, move: moves.Join) -> Blackgate:
    return push(acted(now), tasks.Tribute(now.seat, move.gang))


# -- action cards (R21) ----------------------------------------------------------------------------


def _cards(now: Now) -> Iterable[Move]:
    actions = now.box.actions
    return [moves.PlayCard(c) for c in hands.holdings(now.state, now.seat) if c in actions]


def _card_refusal(now: Now, move: moves.PlayCard) -> Code | None:
    action = now.box.actions.get(move.card)
    if action is None:
        return "not_an_action"
    if not hands.holds(now.state, now.seat, move.card):
        return "not_in_hand"
    in_hand = now.me.cards - 1
    can = any(deeds.possible(now, effect, in_hand) for effect in action.effect)
    return None if can else "no_effect"


def _card(now: Now, move: moves.PlayCard) -> Blackgate:
    state = hands.spend(acted(now), now.seat, move.card)
    state = push(state, tasks.Tidy(move.card))
    return deeds.run(Now(now.box, state, now.seat), now.box.actions[move.card].effect)


# -- racket (R22, R23) -----------------------------------------------------------------------------


def _racket_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if now.turn.rackets >= now.state.options.racket_per_turn + now.perks.rackets:
        return "racket_used"
    weapons = now.box.weapons[now.me.gang]
    if not weapons.isdisjoint(now.me.hand):
        return None
    armed = now.me.unknown and any(hands.holds(now.state, now.seat, w) for w in weapons)
    return None if armed else "no_weapon"


def _rackets(now: Now) -> Iterable[Move]:
    there = opponents_here(now.state, now.seat)
    return [moves.Racket(target, tool) for target in there for tool in TOOLS]


def _racket_refusal(now: Now, move: moves.Racket) -> Code | None:
    state, target = now.state, move.target
    if not 0 <= target < len(state.seats) or target == now.seat:
        return "no_target"
    if team_of(state, target) == team_of(state, now.seat):
        return "target_teammate"
    if state.prisoners[target].place != now.me.place:
        return "target_away"
    return None if move.tool in TOOLS else "not_a_tool"


def _racket(now: Now, move: moves.Racket) -> Blackgate:
    state = acted(now, rackets=now.turn.rackets + 1)
    racket = tasks.Extortion(now.seat, move.target, move.tool, "weapon", now.seat)
    if now.perks.bare_hands:
        racket = replace(racket, stage="answer", asked=move.target)
    return push(state, racket)


# -- craft (R29 to R31) ----------------------------------------------------------------------------


def _craft_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if now.me.beatings - now.perks.tough > now.perks.craft_beatings:
        return "craft_beaten"
    here = now.me.place
    if here in now.board.craft or now.perks.craft_anywhere:
        return None if here != now.box.solitary else "craft_place"
    if now.state.options.teams and here in now.board.homes:
        mine = here == now.board.homes[team_of(now.state, now.seat)]
        return "craft_own_block" if mine else None
    return "craft_place"


def _crafts(now: Now) -> Iterable[Move]:
    ways = now.box.ways
    return [moves.Craft(recipe, way) for recipe in ways for way in ways[recipe]]


def _craft_refusal(now: Now, move: moves.Craft) -> Code | None:
    if move.cards not in now.box.ways.get(move.recipe, ()):
        return "wrong_cards"
    if not hands.holds_all(now.state, now.seat, move.cards):
        return "not_in_hand"
    item = now.box.recipes[move.recipe].item
    return None if hands.left(now.state, item) else "pile_empty"


def _craft(now: Now, move: moves.Craft) -> Blackgate:
    state, recipe = acted(now, fresh="craft"), now.box.recipes[move.recipe]
    for card in move.cards:
        state = hands.drop(state, now.seat, card)
    more = now.perks.more_shivs if recipe.item == SHIV else 0
    return hands.from_stock(state, now.seat, recipe.item, recipe.cards + more)


# -- place actions (R36 to R40) --------------------------------------------------------------------


def _dig_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if "dig" not in now.board.actions[now.me.place]:
        return "dig_place"
    if not deeds.digs_here(now):
        return "dig_own_block"
    return None if deeds.can_dig(now) else "dig_beaten"


def _digs(now: Now) -> Iterable[Move]:
    return [moves.Dig(tool) for tool in TOOLS]


def _dig_refusal(now: Now, move: moves.Dig) -> Code | None:
    if move.tool not in TOOLS:
        return "not_a_tool"
    return None if hands.holds(now.state, now.seat, move.tool) else "not_in_hand"


def _dig(now: Now, move: moves.Dig) -> Blackgate:
    return dug(now.box, acted(now, fresh="dig"), now.seat, move.tool)


def _sell_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    here = "sell" in now.board.actions[now.me.place] or now.perks.sell_anywhere
    return None if here else "sell_place"


def _sells(now: Now) -> Iterable[Move]:
    return [moves.Sell(card) for card in hands.holdings(now.state, now.seat)]


def _sell_refusal(now: Now, move: moves.Sell) -> Code | None:
    return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"


def _sell(now: Now, move: moves.Sell) -> Blackgate:
    after = Now(now.box, acted(now), now.seat)
    return push(sold(after, move.card, before=False), tasks.Sale(now.seat, True))


def _buy_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    return None if "buy" in now.board.actions[now.me.place] else "buy_place"


def _buys(now: Now) -> Iterable[Move]:
    return [moves.Buy(offer) for offer in now.box.offers]


def _buy_refusal(now: Now, move: moves.Buy) -> Code | None:
    return buy_refusal(now, move.purchase)


def _buy(now: Now, move: moves.Buy) -> Blackgate:
    return bought(now, acted(now), move.purchase)


def _heal_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if "heal" not in now.board.actions[now.me.place] and not now.perks.heal_anywhere:
        return "heal_place"
    return None if now.me.beatings else "not_beaten"


def _heal(now: Now, move: moves.Heal) -> Blackgate:
    return deeds.healed(acted(now), now.seat, 1)


def _steal_barred(now: Now) -> Code | None:
    if not now.turn.actions:
        return "no_actions"
    if "steal" not in now.board.actions[now.me.place]:
        return "steal_place"
    return None if hands.left(now.state, "spoon") else "pile_empty"


def _steal(now: Now, move: moves.Steal) -> Blackgate:
    return hands.from_stock(acted(now), now.seat, "spoon", 1)


# -- besides the actions ---------------------------------------------------------------------------


def _reveal_refusal(now: Now, move: moves.Reveal) -> Code | None:
    return passives.refusal(now, move, *passives.at_turn(now))


def _reveal(now: Now, move: moves.Reveal) -> Blackgate:
    return passives.reveal(Now(now.box, acted(now, 0), now.seat), move)


def _michel_barred(now: Now) -> Code | None:
    return None if now.state.michel_place else "no_michel"


def _michel(now: Now, move: moves.MoveMichel) -> Blackgate:
    roll = tasks.RollDie(now.seat, michel=True)
    return push(now.state, roll, tasks.Trim(now.seat), tasks.NextTurn())


def _end(now: Now, move: moves.EndTurn) -> Blackgate:
    return push(now.state, tasks.Trim(now.seat), tasks.NextTurn())


VERBS: dict[type[Move], Verb] = {
    moves.Search: Verb(_search_barred, lambda now: (moves.Search(),), _fine, _search),
    moves.Walk: Verb(_walk_barred, lambda now: (moves.Walk(),), _fine, _walk),
    moves.Sneak: Verb(_sneak_barred, _sneaks, _sneak_refusal, _sneak),
    moves.Rejoin: Verb(team.rejoin_barred, team.rejoins, team.rejoin_refusal, team.rejoin),
    moves.Join: Verb(_an_action, _joins, _join_refusal, _join),
    moves.PlayCard: Verb(_an_action, _cards, _card_refusal, _card),
    moves.Racket: Verb(_racket_barred, _rackets, _racket_refusal, _racket),
    moves.Craft: Verb(_craft_barred, _crafts, _craft_refusal, _craft),
    moves.Dig: Verb(_dig_barred, _digs, _dig_refusal, _dig),
    moves.Sell: Verb(_sell_barred, _sells, _sell_refusal, _sell),
    moves.Buy: Verb(_buy_barred, _buys, _buy_refusal, _buy),
    moves.Heal: Verb(_heal_barred, lambda now: (moves.Heal(),), _fine, _heal),
    moves.Steal: Verb(_steal_barred, lambda now: (moves.Steal(),), _fine, _steal),
    moves.Exchange: Verb(
        team.exchange_barred, team.exchanges, team.exchange_refusal, team.exchange
    ),
    moves.Reveal: Verb(_free, passives.options, _reveal_refusal, _reveal),
    moves.MoveMichel: Verb(_michel_barred, lambda now: (moves.MoveMichel(),), _fine, _michel),
    moves.EndTurn: Verb(_free, lambda now: (moves.EndTurn(),), _fine, _end),
}
