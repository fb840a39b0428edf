"""What is said on MQTT: what anybody may know, as Home Assistant's documentation has it."""

from __future__ import annotations

import json
import random

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from drivers.health import Health
from firmware_host.health import DeviceHealth
from firmware_host.journal import Record
from firmware_host.mqtt import discovery, topics
from firmware_host.snapshot import Event, Invitation, Snapshot
from game_logic import GAMES, load
from game_logic.core import CHANCE, Act, Rolled, Text, pick


class Sealed:
    """A state that cannot be looked into: only the game's own public answers are let out."""


class Public:
    """A game that answers what the public may ask, for a sealed state, and nothing else."""

    def __init__(self, game, state, played=()):
        self.id, self.title = game.id, game.title
        self._game, self._states, self._played = game, {}, dict(played)
        self.seal = self.hide(state)

    def hide(self, state):
        sealed = Sealed()
        self._states[sealed] = state
        return sealed

    def view(self, state, seat):
        assert seat is None
        return self._game.view(self._states[state], None)

    def prompt(self, state, to):
        assert to is None
        return self._game.prompt(self._states[state], None)

    def told(self, state, move, by, to):
        assert to is None
        return self._game.told(self._states[state], move, by, None)

    def play(self, state, move, by):
        return self.hide(self._game.play(self._states[state], move, by))

    def chance(self, state):
        return self._game.chance(self._states[state])

    def __getattr__(self, name):
        assert name in ("tracks", "image", "outcome", "to_act"), f"{name} is not for everybody"
        return lambda state: getattr(self._game, name)(self._states[state])


class Step:
    def __init__(self, state):
        self.state = state


class Shown:
    """A record whose states are sealed."""

    id, seq, ended = 1, 7, None

    def __init__(self, public, *states):
        self.game = public
        self.state = states[-1]
        self.line = tuple(Step(state) for state in states)


def random_game(id, seed, seats=None, most=160):
    """(state, act, after) of a random game."""
    rng = random.Random(seed)
    game = load(id)
    state = game.new(("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")[: seats or game.seats[1]])
    for _ in range(most):
        actors = game.to_act(state)
        if not actors:
            return
        by = rng.choice(actors)
        if by == CHANCE:
            move = pick(rng.choice(game.chance(state).parts), rng.randrange)
        else:
            move = rng.choice(game.moves(state, by))
        after = game.play(state, move, by)
        yield game, state, Act(by, move), after
        state = after


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_secret_leaves(id, seed):
    for game, state, act, after in random_game(id, seed):
        public = Public(game, state)
        shown = Shown(public, public.seal, public.hide(after))
        said = topics.game(Snapshot(shown))
        assert set(said) >= {"game", "turn", "board"}
        assert json.loads(said["game"])["view"] == json.loads(topics.encode(game.view(after, None)))
        event = json.loads(topics.event("run", 1, Event("move", 0.0, shown, (act,))))
        told = game.told(state, act.move, act.by, None)
        assert event["text"] == [{"fr": told.fr, "en": told.en}]
        chance = game.chance(state)
        if isinstance(act.move, Rolled) and chance.sees is None:
            assert event["dice"] == [{"die": act.move.die, "face": act.move.face}]
        else:
            assert event["dice"] == []
        discovery.components("t", Snapshot(shown), [], commands=True)


def test_a_private_roll_is_not_told():
    game = load("breakout")
    state = game.new(("Ana", "Bo"))

    class Private:
        sees = (0,)

    class Secretive(Public):
        def chance(self, state):
            return Private

        def told(self, state, move, by, to):
            return Text("?", "?")

        def play(self, state, move, by):
            return state

    public = Secretive(game, state)
    shown = Shown(public, public.seal, public.seal)
    event = Event("move", 0.0, shown, (Act(CHANCE, Rolled("die", 6)),))
    assert topics.dice(event) == []


def test_what_a_hand_tried_in_vain_is_nobodys_matter():
    assert "refused" not in topics.TOLD
    assert "notice" not in topics.TOLD


# -- Home Assistant: the fields its documentation names for each platform, those required first --

SHARED = {"platform", "unique_id", "name", "icon", "entity_category", "qos", "device_class"}
FIELDS = {
    "sensor": ({"state_topic"}, {"value_template", "json_attributes_topic"}),
    "binary_sensor": ({"state_topic"}, {"value_template", "payload_on", "payload_off"}),
    "button": ({"command_topic"}, {"command_template", "payload_press", "retain"}),
    "event": ({"state_topic", "event_types"}, {"value_template"}),
}
REQUIRED = {"device", "origin", "components"}
DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version"}


def announced(id="prison_break", table="wall", gone=(), **kind):
    game = load(id)
    shot = Snapshot(Record.begin(game, ("Ana", "Bo", "Cy", "Dee")[: game.seats[0]]), **kind)
    healths = [DeviceHealth.of(Health(name)) for name in ("bus 1", "screen 0x3c")]
    parts = discovery.components(table, shot, healths, commands=True)
    return json.loads(discovery.payload(table, shot, parts, dict(gone)))


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_announcement_is_as_documented(id, language):
    said = announced(id, language=language)
    assert REQUIRED <= set(said) <= REQUIRED | {"availability"}
    assert set(said["device"]) <= DEVICE
    assert said["device"]["identifiers"] == ["cavale_wall"]
    assert said["origin"]["name"]
    assert said["availability"] == [{"topic": "cavale/wall/status"}]
    ids = [part["unique_id"] for part in said["components"].values()]
    assert len(ids) == len(set(ids))
    for part in said["components"].values():
        required, optional = FIELDS[part["platform"]]
        assert required <= set(part) <= required | optional | SHARED
        assert part["name"]
        for key in ("state_topic", "command_topic", "json_attributes_topic"):
            assert part.get(key, "cavale/wall/").startswith("cavale/wall/")
    platforms = {part["platform"] for part in said["components"].values()}
    assert platforms == set(FIELDS)
    assert {"undo", "pause", "game", "turn", "roll"} <= set(said["components"])


def test_a_button_sends_a_command_with_an_id_of_its_own():
    template = announced()["components"]["undo"]["command_template"]
    assert json.loads(template.replace("{{ now().timestamp() }}", "1.5")) == {
        "id": "ha-1.5",
        "do": "undo",
    }


def render(template, payload):
    """As Home Assistant would: the same engine, sandboxed, with the payload as `value_json`."""
    engine = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    return engine.from_string(template).render(value_json=json.loads(payload))


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_template_finds_its_field_in_what_is_said(id, language):
    """All states of a random game, through the templates that were announced for them."""
    parts = announced(id, language=language)["components"]
    rolls = 0
    for game, state, act, after in random_game(id, 5, seats=load(id).seats[0], most=60):
        shown = Shown(game, state, after)
        said = topics.game(Snapshot(shown)) | topics.health([DeviceHealth.of(Health("bus 1"))])
        for part in parts.values():
            topic = part.get("state_topic", "").removeprefix("cavale/wall/")
            if topic in said:
                value = render(part["value_template"], said[topic])
                assert 0 < len(value) <= discovery.LONGEST
                if topic.startswith("tracks/"):
                    assert int(value) == json.loads(said[topic])["value"]
                if topic.startswith("health/"):
                    assert value in ("ON", "OFF")
        event = topics.event("run", 1, Event("move", 0.0, shown, (act,)))
        told = render(parts["roll"]["value_template"], event)
        assert bool(told) == bool(json.loads(event)["dice"])
        if told:
            rolls += 1
            assert json.loads(told)["event_type"] in parts["roll"]["event_types"]
            assert json.loads(told)["dice"] == json.loads(event)["dice"]
    assert (rolls > 0) == any(
        isinstance(act.move, Rolled)
        for *_, act, _ in random_game(id, 5, seats=load(id).seats[0], most=60)
    )


def test_no_game_has_templates_too():
    shot = Snapshot(None)
    for id, part in discovery.components("wall", shot, [], commands=False).items():
        if id in ("game", "turn"):
            assert render(part["value_template"], topics.game(shot)[id])


def test_an_invitation_is_nobody_s_but_its_screen_s():
    game = load("breakout")
    code = Invitation(0, "K7QX2M9P", "HTTP://10.0.0.7/J/K7QX2M9P")
    shot = Snapshot(Record.begin(game, ("Ana", "Bo")), invitation=code, mute=True)
    assert b"K7QX2M9P" not in b"".join(topics.game(shot).values())


def test_tables_never_share_an_id():
    one = announced(table="x")["components"]["turn"]
    other = announced(table="x_track")["components"]["turn"]
    assert one["unique_id"] != other["unique_id"]
    ids = {
        part["unique_id"]
        for table in ("x", "x_track", "x-track", "x_game")
        for part in announced(table=table)["components"].values()
    }
    assert len(ids) == 4 * len(announced()["components"])


def test_readers_never_share_a_topic():
    names = [f"reader {name}" for name in ("yard-1", "yard_1", "Yard_1", "yard1")]
    healths = [DeviceHealth.of(Health(name)) for name in names]
    assert len(topics.health(healths)) == len(names)
    parts = discovery.components("t", Snapshot(None), healths, commands=False)
    told = {part["state_topic"] for part in parts.values() if "health" in part["state_topic"]}
    assert told == {f"cavale/t/{topic}" for topic in topics.health(healths)}


def test_an_entity_that_is_gone_is_named_with_its_platform_alone():
    said = announced(gone={"track_x": {"platform": "sensor", "name": "x"}})
    assert said["components"]["track_x"] == {"platform": "sensor"}
