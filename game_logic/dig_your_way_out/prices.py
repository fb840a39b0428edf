"""What a purchase costs this prisoner (R38, A38)."""

from __future__ import annotations

from game_logic.dig_your_way_out import hands
from game_logic.dig_your_way_out.box import Offer
from game_logic.dig_your_way_out.now import Now


def price(now: Now, offer: Offer, percent: int = 100) -> int:
    """The gang's reduction first, then the share to pay, rounded up."""
    return -(-max(0, offer.price - now.perks.cheaper) * percent // 100)


def in_stock(now: Now, offer: Offer) -> bool:
    """Buying two needs two on the pile (A29)."""
    return hands.left(now.state, offer.item) >= offer.cards


def affordable(now: Now, offer: Offer, percent: int = 100) -> bool:
    return in_stock(now, offer) and price(now, offer, percent) <= now.me.cigarettes
