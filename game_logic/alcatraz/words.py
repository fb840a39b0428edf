"""What Alcatraz says to people, in French and English; the sentences are in data/texts.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from game_logic.alcatraz import guards, steps
from game_logic.alcatraz.box import Box
from game_logic.alcatraz.moves import Agree, Complete, Offer, Refuse, Spend, Vote
from game_logic.alcatraz.places import function
from game_logic.alcatraz.state import NOBODY, Prison
from game_logic.alcatraz.turn import ActingHandler
from game_logic.core import CHANCE, Drawn, Malformed, Move, Piece, Text, Thing

_PLACES = ("to", "origin", "place")


class Words:
    def __init__(self, box: Box, acting: ActingHandler) -> None:
        self._box = box
        self._texts = box.texts
        self._acting = acting

    # -- names ----------------------------------------------------------------------------------

    def place(self, space: str) -> Text:
        if space not in self._box.index:
            known = ", ".join(self._box.places)
            raise Malformed(f"Alcatraz has no location {space!r}; it has {known}")
        return self._box.place_names[self._box.index[space]]

    def piece(self, piece: Piece) -> Text:
        if piece.kind == "guard":
            return self._texts("guard")
        if piece.kind == "pawn" and piece.id in self._box.settings.pawns:
            return self._texts("pawn", colour=self._colour(piece.id))
        raise Malformed(f"Alcatraz has no piece {piece.kind!r} {piece.id!r}")

    def seat_name(self, seat: int) -> Text:
        return self._colour(self._box.settings.pawns[seat]).capital()

    def things(self) -> Iterator[Thing]:
        """Pawns, guard cubes, and the three kinds of cards."""
        box = self._box
        for colour in box.settings.pawns:
            pawn = Piece("pawn", colour)
            yield Thing.of(pawn, self.piece(pawn))
        yield Thing.of(Piece("guard"), self._texts("guard"), box.settings.guards_total)
        for kind, ids in (("location", box.places), ("task", box.tasks), ("blackmail", box.cards)):
            for id in ids:
                yield Thing.card(id, self._texts(f"thing_{kind}", card=self._card(id)))

    def _colour(self, pawn: str) -> Text:
        key = f"colour_{pawn}"
        return self._texts(key) if key in self._texts else Text(pawn, pawn)

    def _goods(self, what: str) -> Text:
        kind = self._box.kinds.get(what)
        return Text(kind.fr, kind.en) if kind else self._own(what)

    def _own(self, word: str) -> Text:
        """A word of the texts ("cash"), or one that nobody knows, as it came."""
        return self._texts(word) if word in self._texts else Text(word, word)

    def _card(self, card: str) -> Text:
        if card in self._box.tasks:
            return self._box.tasks[card].text
        if card in self._box.cards:
            return self._box.cards[card].text
        if card in self._box.index:
            return self.place(card)
        return self._colour(card) if card in self._box.settings.pawns else self._own(card)

    def _list(self, words: Iterable[Text]) -> Text:
        words = list(words) or [self._texts("nothing")]
        return Text(", ".join(w.fr for w in words), ", ".join(w.en for w in words))

    def _names(self, s: Prison, seats: Iterable[int]) -> Text:
        return self._list(Text(s.seats[seat], s.seats[seat]) for seat in seats)

    def _tokens(self, s: Prison, tokens: Iterable[steps.Token]) -> Text:
        return self._list(
            self._texts("token", what=self._goods(what), name=s.seats[seat])
            for seat, what in tokens
        )

    def _fields(self, s: Prison, move: Move) -> dict[str, object]:
        """What a move names, in words."""
        fields: dict[str, object] = {}
        for key in move.__struct_fields__:
            value = getattr(move, key)
            if key == "seat":
                fields[key] = s.seats[value] if 0 <= value < len(s.seats) else str(value)
            elif key == "what":
                fields[key] = self._goods(value)
            elif key in _PLACES or key == "card":
                fields[key] = self._card(value)
        return fields

    def _scene(self, s: Prison) -> dict[str, object]:
        """The active player and where he is."""
        if s.turn.seat == NOBODY:
            return {}
        return {
            "name": s.seats[s.turn.seat],
            "here": self._box.place_names[s.here],
            "guards": guards.counted(s),
            "ap": s.turn.ap,
            "price": guards.price(s),
            "does": function(self._box, s).text,
            **self._task(s),
        }

    def _task(self, s: Prison) -> dict[str, object]:
        id = s.tasks[s.here]
        if id is None:
            return {}
        task = self._box.tasks[id]
        objects = self._list(map(self._goods, task.objects))
        return {
            "task": task.text,
            "part": task.part,
            "objects": objects,
            "prisoners": task.prisoners,
            "allowed": task.guards,
        }

    # -- sentences ------------------------------------------------------------------------------

    def refusal(self, s: Prison, move: Move, code: str) -> Text:
        return self._texts(code, **self._scene(s), **self._fields(s, move))

    def outcome(self, s: Prison, over: steps.Over) -> Text:
        if over.stays is None:
            return self._texts("all_lost")
        free = self._names(s, (seat for seat in range(len(s.seats)) if seat != over.stays))
        return self._texts("escaped", free=free, name=s.seats[over.stays])

    def offered(self, s: Prison, move: Move) -> Text:
        fields = self._scene(s) | self._fields(s, move)
        text = self._texts(f"offer_{_tag(move)}", **fields)
        price = self._acting.price(s, move) if isinstance(s.step, steps.Acting) else None
        if price is None:
            return text
        cost = self._texts("price", ap=price) if price else self._texts("free")
        return Text(f"{text.fr} ({cost.fr})", f"{text.en} ({cost.en})")

    def prompt(self, s: Prison, actors: tuple[int, ...]) -> Text:
        step = s.step
        if isinstance(step, steps.Over):
            return self.outcome(s, step)
        fields = self._scene(s)
        fields["who"] = self._names(s, (seat for seat in actors if seat != CHANCE))
        key = f"await_{_tag(step)}"
        match step:
            case steps.Cells():
                pawn = next(n for n, p in enumerate(s.prisoners) if p.place == NOBODY)
                fields["name"] = s.seats[pawn]
            case steps.Faces():
                fields["place"] = self._box.place_names[len(s.faces)]
            case steps.Spot(card):
                fields["task"] = self._card(card)
            case steps.Guard():
                fields |= {"name": s.seats[s.scapegoat], "round": s.round}
            case steps.Ballot(votes, tied):
                missing = (seat for seat in actors if votes[seat] is None)
                fields["who"] = self._names(s, missing)
                if tied:
                    key, fields["tied"] = "await_verdict", self._names(s, tied)
            case steps.Tie(tied):
                fields["tied"] = self._names(s, tied)
            case steps.Naming(tokens):
                fields["tokens"] = self._tokens(s, tokens)
            case steps.Consent(tokens, _):
                fields["tokens"] = self._tokens(s, tokens)
            case steps.Bargain(seat, gives, asks) | steps.Answer(seat, gives, asks):
                fields["other"] = s.seats[seat]
                fields["gives"] = self._list(map(self._goods, gives))
                fields["asks"] = self._list(map(self._goods, asks))
            case steps.Plucking(victim) | steps.Seizing(victim):
                fields["other"] = s.seats[victim]
            case steps.Aiming(card) | steps.Surrendering(card, _):
                own = self._box.cards[card]
                fields |= {"card": own.text, "effect": Text(own.does_fr, own.does_en)}
            case steps.Bringing(place, _):
                fields["place"] = self._box.place_names[place]
        return self._texts(key, **fields)

    def told(self, s: Prison, move: Move, by: int, after: Prison, knows: bool) -> Text:
        """What happened and what came of it, to somebody who knows what the move says or not."""
        said = [self._deed(s, move, by, after, knows)]
        if isinstance(move, Vote) and not isinstance(after.step, steps.Ballot):
            said = [self._votes(s, move, by)]
        if isinstance(move, Complete | Spend | Agree) and len(after.spent) > len(s.spent):
            used = self._tokens(s, _used(s, after))
            said.append(self._texts("tell_accomplished", tokens=used, **self._scene(s)))
        if after.scapegoat != s.scapegoat or (s.turn.seat == NOBODY != after.turn.seat):
            said.append(
                self._texts("tell_elected", name=after.seats[after.scapegoat], bonus=after.bonus)
            )
        if isinstance(after.step, steps.Tie | steps.Fate):
            said.append(self._texts("tell_tie", tied=self._names(s, after.step.tied)))
        if isinstance(after.step, steps.Over):
            said.append(self.outcome(after, after.step))
        return Text(" ".join(text.fr for text in said), " ".join(text.en for text in said))

    def _deed(self, s: Prison, move: Move, by: int, after: Prison, knows: bool) -> Text:
        fields = self._scene(s) | self._fields(s, move)
        if by >= 0:
            fields["name"] = s.seats[by]
        key = f"tell_{_tag(move)}"
        match move, s.step:
            case Drawn(), step:
                return self._drawn(s, step, move, after, knows, fields)
            case Vote(), _ if not knows:
                key = "tell_vote_unseen"
            case Refuse() | Agree(), steps.Consent():
                key += "_task"
            case Offer(seat), _:
                fields["other"] = s.seats[seat]
        if isinstance(s.step, steps.Bargain | steps.Answer):
            fields["other"] = s.seats[s.step.seat]
            fields["gives"] = self._list(map(self._goods, s.step.gives))
            fields["asks"] = self._list(map(self._goods, s.step.asks))
            fields["active"] = s.seats[s.turn.seat]
        return self._texts(key, **fields)

    def _drawn(
        self,
        s: Prison,
        step: steps.AnyStep,
        move: Drawn,
        after: Prison,
        knows: bool,
        fields: dict[str, object],
    ) -> Text:
        key = f"tell_{_tag(step)}"
        match step:
            case steps.Faces():
                fields["place"] = self._box.place_names[len(s.faces)]
            case steps.Cells():
                pawn = next(n for n, p in enumerate(s.prisoners) if p.place == NOBODY)
                fields["name"] = s.seats[pawn]
            case steps.Card():
                fields["part"] = self._box.tasks[move.card].part
                key = key if isinstance(after.step, steps.Spot) else "tell_card_under"
            case steps.Spot(card):
                fields["task"] = self._card(card)
            case steps.Reward():
                fields["part"] = self._box.tasks[move.card].part
                marked = (seat for seat in s.others() if seat != s.scapegoat)
                fields["names"] = self._names(s, marked)
            case steps.Lot() | steps.Fate():
                fields["name"] = s.seats[self._box.settings.pawns.index(move.card)]
            case steps.Plucking(victim):
                fields["other"] = s.seats[victim]
                if function(self._box, s).does == "take_blackmail":
                    key = "tell_taken" if knows else "tell_taken_unseen"
            case steps.Drawing() if not knows:
                key = "tell_drawing_unseen"
        return self._texts(key, **fields)

    def _votes(self, s: Prison, move: Vote, by: int) -> Text:
        """The last vote is in, and all are shown."""
        assert isinstance(s.step, steps.Ballot)
        votes = list(s.step.votes)
        votes[by] = move.seat
        each = self._list(
            self._texts("vote", name=s.seats[seat], seat=s.seats[vote])
            for seat, vote in enumerate(votes)
            if vote is not None
        )
        return self._texts("tell_votes", votes=each)


def _used(s: Prison, after: Prison) -> Iterator[steps.Token]:
    """The tokens that a completed task cost."""
    for seat, (had, has) in enumerate(zip(s.prisoners, after.prisoners, strict=True)):
        for what in (Counter(had.objects) - Counter(has.objects)).elements():
            yield seat, what


def _tag(value: Move | steps.Step) -> str:
    tag = type(value).__struct_config__.tag
    assert isinstance(tag, str)
    return tag
