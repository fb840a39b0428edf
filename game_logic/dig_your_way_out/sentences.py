"""Which sentences the text files must hold, and what they may be filled with."""

from __future__ import annotations

# In log and menu, besides one sentence for each kind of move: by what is open.
VARIANTS = (
    "reveal_bonus",
    "pass_riot",
    "pass_blow",
    "pass_exile",
    "pass_racket_boxer",
    "pass_racket_fight",
    "pass_racket_help",
    "pass_loot",
    "pass_won",
    "pass_michel_answer",
    "pass_michel_fight",
    "pass_forfeit",
)
# In the log: what chance gave, and what others than those concerned may read.
DRAWS = (
    "first",
    "passives",
    "passives_unseen",
    "drawn_search",
    "drawn_search_unseen",
    "hands",
    "hands_unseen",
    "taken",
    "taken_unseen",
    "lost",
    "gang",
    "michel",
    "give_unseen",
    "take_card_unseen",
)
# Every sentence may use these.
FIELDS = (
    "who",
    "other",
    "card",
    "place",
    "gang",
    "says",
    "face",
    "n",
    "price",
    "prompt",
    "points",
)
OTHERS = (
    "turn",
    "over",
    "nobody",
    "escaped",
    "time",
    "michel",
    "michelle",
    "michel_calm",
    "michel_shiv",
    "track_seat",
    "track_team",
    "track_actions",
)
