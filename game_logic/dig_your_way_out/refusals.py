"""Why a move is refused: the stable codes. Their sentences are in refusals.toml."""

from __future__ import annotations

from typing import Literal, get_args

Code = Literal[
    "game_over",
    "not_your_turn",
    "not_now",
    "no_actions",
    "not_in_hand",
    "no_effect",
    "pile_empty",
    # search and moves
    "search_used",
    "search_nothing",
    "careful_cost",
    "same_place",
    "no_such_place",
    "not_solitary",
    "not_rolled",
    "no_reroll",
    "no_nudge",
    "no_comrade",
    "no_michel",
    # gangs, actions, passives
    "no_such_gang",
    "gang_empty",
    "accessories_missing",
    "not_accepted",
    "accessory_twice",
    "not_an_action",
    "no_target",
    "must_return",
    "already_revealed",
    "not_your_passive",
    "not_the_moment",
    "not_a_member",
    # rackets
    "racket_used",
    "no_weapon",
    "target_away",
    "target_teammate",
    "not_a_tool",
    "not_a_weapon",
    "not_the_tool",
    "no_pay_off",
    "no_duck",
    "has_the_tool",
    # craft, dig and trade
    "craft_place",
    "craft_own_block",
    "craft_beaten",
    "wrong_cards",
    "dig_place",
    "dig_own_block",
    "dig_beaten",
    "sell_place",
    "sell_something",
    "buy_place",
    "too_dear",
    "heal_place",
    "not_beaten",
    "steal_place",
    # team mode
    "no_teams",
    "not_teammate",
    "nothing_to_give",
    "too_many_cigarettes",
    # chance
    "no_such_card",
]
CODES: tuple[str, ...] = get_args(Code)
