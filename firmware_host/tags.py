"""The tag table: which tag is on which thing of which box, or chooses a game.

It lies in a file of its own, `tags.toml` beside the journal: a table may be rewired or its
table.toml replaced without a single piece being learnt again.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from firmware_host import files
from firmware_host.journal import JournalError
from firmware_host.journal.store import set_aside
from firmware_host.texts import TEXTS
from game_logic import load as load_game
from game_logic.core import Game, Text, Thing

FILE = "tags.toml"
UID = re.compile(r"[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20}")  # ISO 14443: 4, 7 or 10 bytes
RANDOM = "08"  # four bytes that begin so are made up anew at every reading: telephones, bank cards

_HEAD = """\
# Which tag is what; `cavale learn` writes this file. A tag with a game alone chooses that game.

[tags]
"""


class TagError(Exception):
    """A tag or a table that cannot be taken: a stable code, and what to do, for people."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.text: Text = TEXTS(code, **fields)
        super().__init__(self.text.en)


class Tag(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a tag stands for: a thing of a game, or the game itself."""

    game: str
    thing: str | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    tags: dict[str, Tag] = {}


class Tags:
    """An immutable table. `games` gives a game by its id, with the owner's deck if there is one."""

    def __init__(
        self,
        tags: Mapping[str, Tag] | None = None,
        games: Callable[[str], Game[Any]] = load_game,
        notice: Text | None = None,
    ) -> None:
        self._tags = dict(tags or {})
        self._games = games
        self._things: dict[str, dict[str, Thing]] = {}
        self.notice = notice  # what people should know about the file it came from

    # -- asking ---------------------------------------------------------------------------------

    def thing(self, game_id: str, uid: str) -> Thing | None:
        """What carries this tag; None if it is not learnt, or belongs to another box."""
        tag = self._tags.get(uid)
        if tag is None or tag.game != game_id or tag.thing is None:
            return None
        return self._of(game_id).get(tag.thing)

    def things(self, game: Game[Any]) -> Mapping[str, Thing]:
        """By tag: all that is learnt of this game's box."""
        named = {thing.name: thing for thing in game.things()}
        return {
            uid: named[tag.thing]
            for uid, tag in self._tags.items()
            if tag.game == game.id and tag.thing in named
        }

    def game(self, uid: str) -> str | None:
        """The game which this tag chooses."""
        tag = self._tags.get(uid)
        return tag.game if tag is not None and tag.thing is None else None

    def knows(self, uid: str) -> bool:
        return uid in self._tags

    def known(self, uid: str) -> Tag | None:
        return self._tags.get(uid)

    def uid(self, thing: str, n: int = 0) -> str:
        """The n-th tag of this thing, from 0, in a table of one game."""
        found = [uid for uid, tag in self._tags.items() if tag.thing == thing]
        if not 0 <= n < len(found):
            raise KeyError(f"{thing!r} has {len(found)} tags, none with the number {n}")
        return found[n]

    def missing(self, game: Game[Any]) -> tuple[tuple[Thing, int], ...]:
        """The things without a tag, and how many of each; in the order of the box."""
        learnt = self._learnt(game.id)
        left = ((thing, thing.count - learnt[thing.name]) for thing in game.things())
        return tuple((thing, many) for thing, many in left if many > 0)

    def progress(self, game: Game[Any]) -> tuple[int, int]:
        """How many things have their tag, of how many."""
        total = sum(thing.count for thing in game.things())
        return total - sum(many for _, many in self.missing(game)), total

    # -- changing: a new table each time ----------------------------------------------------------

    def learn(self, uid: str, game_id: str, thing: str | None = None) -> Tags:
        """With one tag more. Raises TagError for a tag or a thing that has none to give."""
        uid = uid.lower()
        if not UID.fullmatch(uid):
            raise TagError("tag_malformed", uid=uid)
        if len(uid) == 8 and uid.startswith(RANDOM):
            raise TagError("tag_random", uid=uid)
        if taken := self._tags.get(uid):
            raise TagError("tag_taken", uid=uid, what=self.name(taken))
        if thing is not None:
            known = self._of(game_id).get(thing)
            if known is None:
                raise TagError("tag_no_such_thing", game=game_id, thing=thing)
            if self._learnt(game_id)[thing] >= known.count:
                raise TagError("tag_enough", what=known.text, count=known.count)
        return self._with({**self._tags, uid: Tag(game_id, thing)})

    def forget(self, uid: str) -> Tags:
        """Without this tag."""
        if uid.lower() not in self._tags:
            raise TagError("tag_unknown", uid=uid)
        return self._with({u: tag for u, tag in self._tags.items() if u != uid.lower()})

    def name(self, tag: Tag) -> Text:
        """What a tag stands for, in words."""
        if tag.thing is None:
            with suppress(KeyError, ValueError):
                return self._games(tag.game).title
            return Text(tag.game, tag.game)
        known = self._of(tag.game).get(tag.thing)
        return known.text if known else Text(tag.thing, tag.thing)

    @classmethod
    def simulated(cls, *games: Game[Any]) -> Tags:
        """A made-up tag on every thing of these boxes, always the same ones."""
        tags = {
            _made_up(game.id, thing.name, n): Tag(game.id, thing.name)
            for game in games
            for thing in game.things()
            for n in range(thing.count)
        }
        return cls(tags, {game.id: game for game in games}.__getitem__)

    # -- the file ---------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Path, games: Callable[[str], Game[Any]] = load_game) -> Tags:
        """The table in a file; an empty one if there is none. A damaged file is set aside, and
        `notice` says where. Raises TagError for one that cannot be read."""
        try:
            text = path.read_text("utf-8")
            file = msgspec.convert(tomllib.loads(text), _File)
            for uid in file.tags:
                if not UID.fullmatch(uid):
                    raise ValueError(f"{uid!r} is no tag's number")
        except FileNotFoundError:
            return cls({}, games)
        except OSError as error:
            raise TagError("tags_unreadable", path=path, detail=error) from error
        except ValueError as error:  # not UTF-8, not TOML, not a tag table
            try:
                aside = set_aside(path)
            except JournalError as refused:
                raise TagError("tags_unreadable", path=path, detail=refused) from error
            notice = TEXTS("tags_set_aside", path=path, aside=aside, detail=error)
            return cls({}, games, notice)
        return cls(file.tags, games)

    def save(self, path: Path) -> None:
        """All or nothing. Anybody may read it: the daemon may be another user than who learns."""
        try:
            files.write(path, _HEAD + "".join(map(_line, self._tags.items())))
        except OSError as error:
            raise TagError("tags_unwritable", path=path, detail=error) from error

    # -- small things -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._tags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and self._tags == other._tags

    __hash__ = None  # type: ignore[assignment]

    def _with(self, tags: Mapping[str, Tag]) -> Tags:
        return Tags(tags, self._games, self.notice)

    def _of(self, game_id: str) -> dict[str, Thing]:
        """The things of a game by name; none of a game that this version does not know."""
        if game_id not in self._things:
            try:
                things = self._games(game_id).things()
            except (KeyError, ValueError):
                things = ()
            self._things[game_id] = {thing.name: thing for thing in things}
        return self._things[game_id]

    def _learnt(self, game_id: str) -> Counter[str | None]:
        return Counter(tag.thing for tag in self._tags.values() if tag.game == game_id)


def _made_up(game: str, thing: str, n: int) -> str:
    """Seven bytes, as most stickers have; the first is that of their usual maker."""
    return "04" + hashlib.sha256(f"{game}/{thing}/{n}".encode()).hexdigest()[:12]


def _line(entry: tuple[str, Tag]) -> str:
    uid, tag = entry
    fields = {key: value for key, value in (("game", tag.game), ("thing", tag.thing)) if value}
    inline = ", ".join(f'{key} = "{value}"' for key, value in fields.items())
    return f"{uid} = {{ {inline} }}\n"
