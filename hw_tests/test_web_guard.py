"""Strangers at the door: other origins, other names, too much, too fast, nonsense. A clear 4xx, and
nothing changes."""

from __future__ import annotations

import json
import random
import socket
from itertools import count

import httpx
import pytest

from firmware_host.config import Config, ConfigError, parse
from firmware_host.config_parts import PagePart, PanelPart
from firmware_host.web.guard import Rates
from firmware_host.web.refusal import LARGEST
from firmware_host.web.server import Page, PageError, _address_of
from hw_tests.served import Served, wait

ROUTES = {
    "join": {"code": "AAAAAAAA"},
    "leave": {"seat": 0},
    "invite": {"seat": 0},
    "intents": {"game": 1, "seat": 0, "decision": 1, "moves": [{"type": "push"}]},
    "pick": {"question": "0" * 16, "at": 0},
    "press": {"button": "confirm"},
    "undo": {"game": 1, "seq": 1},
    "pause": {"on": True},
    "games": {"game": "breakout", "seats": ["A", "B"], "abandon": True},
    "close": {},
    "correct": {
        "game": 1,
        "seq": 1,
        "changes": [{"path": ["turn"], "value": 0}],
        "pieces": [{"kind": "knot_red", "id": None, "at": None, "to": "1_1"}],
    },
    "settings": {"language": "fr", "luck": "box"},
    "takeover": {"seat": 0, "name": "Zoe"},
}
HOSTLY = ("games", "close", "correct", "settings", "takeover")
DATED = ("intents", "undo", "correct")
READ = ("state", "moves", "history", "events", "words", "games", "correct")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    page = PagePart("127.0.0.1", 0, ("cavale.example", "table.example:81"))
    config = Config(name="tests", page=page, panel=PanelPart(confirm=5, undo=6, next=13))
    table = Served(tmp_path_factory.mktemp("served"), config=config)
    table.ana, table.bo = table.phone(0), table.phone(1)
    table.host = table.phone(None)
    wait(lambda: table.shot.invitation is None)
    yield table
    table.close()


@pytest.fixture(autouse=True)
def nothing_changes(served):
    before, keys = served.shot, dict(served.page.house.keys._holders)
    yield
    wait(lambda: served.shot.flash is None)
    assert served.shot.record is before.record
    assert served.shot._replace(health=()) == before._replace(health=())
    assert served.page.house.keys._holders == keys


def refused(answer, *statuses):
    assert answer.status_code in statuses, (answer.request, answer.text)
    said = answer.json()
    assert said["ok"] is False
    assert said["code"]
    assert said["why"]
    return said


def raw(served, lines, body=b""):
    """Bytes as no well-behaved client sends them; what comes back, up to the end of its head."""
    with socket.create_connection(("127.0.0.1", served.page.port), timeout=10) as line:
        line.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        answer = b""
        while b"\r\n\r\n" not in answer and (chunk := line.recv(65536)):
            answer += chunk
        return answer


# -- names and origins --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.example",
            "evil.example:{port}",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.0.0.1.nip.io:{port}",
        ),
        *("10.0.0.9:{port}", "[::1]:{port}", "user@127.0.0.1:{port}", "127.0.0.1:{port}/", ""),
        *("localhost:{port}.evil.example", "127.0.0.1:{port}:80", "cavale.example.evil.example"),
    ],
)
def test_a_host_that_we_are_not_called_is_refused_everywhere(served, host):
    for path in ("/", "/seat/0", "/api/state", "/static/page.css", "/S/AAAAAAAA"):
        answer = served.ana.get(path, headers={"Host": host.format(port=served.page.port)})
        refused(answer, 400, 421)
    answer = served.ana.post(
        "/api/pause", json={"on": True}, headers={"Host": host.format(port=served.page.port)}
    )
    refused(answer, 400, 421)


def test_our_own_names_are_known(served):
    port = served.page.port
    own = socket.gethostname().partition(".")[0]
    for host in (
        *(f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"{own}.local:{port}"),
        *("cavale.example", "Cavale.Example:99", "table.example:81"),
    ):
        assert served.ana.get("/api/state", headers={"Host": host}).status_code == 200, host


def test_two_hosts_or_none_are_refused(served):
    port = served.page.port
    ours = f"Host: 127.0.0.1:{port}"
    for lines in ([ours, "Host: evil.example"], []):
        answer = raw(served, ["GET /api/state HTTP/1.1", *lines])
        assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 421")), answer


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:{port}", "", "file://"],
)
def test_another_origin_cannot_speak_for_a_phone(served, origin):
    headers = {"Origin": origin.format(port=served.page.port)}
    for route, wish in ROUTES.items():
        refused(served.host.post(f"/api/{route}", json=wish, headers=headers), 403)
    for route in READ:
        refused(served.host.get(f"/api/{route}", headers=headers), 403)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_a_browser_that_says_it_comes_from_elsewhere_is_believed(served, site):
    headers = {"Sec-Fetch-Site": site}
    for route, wish in ROUTES.items():
        refused(served.host.post(f"/api/{route}", json=wish, headers=headers), 403)
    refused(served.ana.get("/api/state", headers=headers), 403)
    assert served.ana.get("/", headers=headers).status_code == 200  # a link is only a link


def test_every_answer_carries_the_strict_policy(served):
    for path in ("/", "/seat/0", "/join", "/api/state", "/static/page.css", "/nothing", "/api/no"):
        headers = served.ana.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers
        if path.startswith("/api/"):
            assert headers["cache-control"] == "no-store"


# -- what is no request at all --------------------------------------------------------------------


BAD = [
    *(b"", b"{", b"[]", b"null", b"0", b'"x"', b"{}{}", b"\xff\xfe", b"\x00", b"nan", b"{'a':1}"),
    *(b'{"unknown":1}', b"[" * 5000, b'{"a":' * 2000, b'{"seat":1e999}', b"\xef\xbb\xbf{}"),
    b'{"seat":99999999999999999999,"on":"yes","code":1,"game":"1","button":"undo"}',
]


@pytest.mark.parametrize("bad", BAD)
def test_malformed_json_is_answered_with_what_is_wrong(served, bad):
    for route in ROUTES:
        answer = served.host.post(
            f"/api/{route}", content=bad, headers={"Content-Type": "application/json"}
        )
        assert refused(answer, 400)["code"] == "malformed"


def test_unknown_fields_and_wrong_types_are_refused(served):
    for route, wish in ROUTES.items():
        for wrong in (wish | {"extra": 1}, [wish], *({**wish, name: [[]]} for name in wish)):
            answer = served.host.post(f"/api/{route}", json=wrong)
            assert refused(answer, 400)["code"] == "malformed"


def test_only_json_and_only_as_much_as_is_needed(served):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = served.host.post(
            "/api/pause", content=b'{"on":true}', headers={"Content-Type": kind}
        )
        refused(answer, 415)
    large = b'{"on":true,"x":"' + b"x" * LARGEST + b'"}'
    headers = {"Content-Type": "application/json"}
    refused(served.host.post("/api/pause", content=large, headers=headers), 413)

    head = ["POST /api/pause HTTP/1.1", f"Host: 127.0.0.1:{served.page.port}"]
    head += [f"Cookie: {name}={value}" for name, value in served.host.cookies.items()]
    head += ["Content-Type: application/json", "Transfer-Encoding: chunked"]
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    assert raw(served, head, chunk * 20).startswith(b"HTTP/1.1 413")  # and it waits for no more
    long = raw(
        served, ["GET /?" + "x" * 70_000 + " HTTP/1.1", f"Host: 127.0.0.1:{served.page.port}"]
    )
    assert long.startswith(b"HTTP/1.1 4")


def test_there_is_nothing_else_here(served):
    for path in (
        *("/api/nothing", "/static/../server.py", "/static/%2e%2e/server.py", "/etc/passwd"),
        *("/static/..%2f..%2fconfig.py", "/seat/x", "/seat/0/1", "/S/", "/docs", "/openapi.json"),
    ):
        refused(served.ana.get(path), 404)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert served.ana.request(method, "/api/state").status_code in (404, 405)
    refused(served.ana.get("/api/pause"), 405)
    refused(served.ana.post("/api/state", json={}), 405)
    refused(served.ana.get("/api/history", params={"game": "999"}), 404)
    for odd in ("-1", "1e3", "１", "1;drop", "9" * 30, ""):
        refused(served.ana.get("/api/history", params={"game": odd}), 404)


# -- the wrong key, the wrong moment --------------------------------------------------------------


def test_no_cookie_or_a_forged_one_reads_what_everybody_reads_and_asks_for_nothing(served):
    name = f"cavale_{served.page.port}"
    mark = next(iter(served.page.house.keys._holders.values()))
    everybody = served.phone().get("/api/state").content
    for forged in (None, "", "x", mark, "a" * 5000, '"; Path=/', "null"):
        stranger = served.phone()
        headers = {} if forged is None else {"Cookie": f"{name}={forged}"}
        assert stranger.get("/api/state", headers=headers).content == everybody
        for seat in ("0", "1", "-1", "00", "0 ", "٠", "1e0", "None"):
            for route in ("state", "moves", "events"):
                answer = stranger.get(f"/api/{route}", params={"seat": seat}, headers=headers)
                assert refused(answer, 403)["code"] == "not_your_seat"
        for route, wish in ROUTES.items():
            answer = stranger.post(f"/api/{route}", json=wish, headers=headers)
            refused(answer, 401, 403)
        refused(stranger.get("/api/correct", headers=headers), 403)


def test_another_seat_s_cookie_is_of_no_use(served):
    other = {0: 1, 1: 0}
    for seat, phone in ((0, served.ana), (1, served.bo)):
        for route in ("state", "moves", "events"):
            answer = phone.get(f"/api/{route}", params={"seat": str(other[seat])})
            assert refused(answer, 403)["code"] == "not_your_seat"
        told = phone.state(seat)
        wish = {"game": told["game"], "seat": other[seat], "decision": told["seq"]}
        answer = phone.ask("intents", **wish, moves=[{"type": "push", "row": 1, "side": "left"}])
        assert refused(answer, 403)["code"] == "not_your_seat"
        refused(phone.ask("leave", seat=other[seat]), 403)
        refused(phone.get("/api/correct"), 403)


def test_out_of_turn_stale_or_against_the_rules(served):
    turn = served.turn
    now, idle = (served.ana, served.bo) if turn == 0 else (served.bo, served.ana)
    told, waits = now.state(turn), idle.state(1 - turn)
    push = {"type": "push", "row": 1, "side": "left"}
    good = {"game": told["game"], "seat": turn, "decision": told["decision"], "moves": [push]}
    assert waits["decision"] is None
    for decision in (told["seq"], told["decision"], 0, -5, 10**12):
        late = good | {"seat": 1 - turn, "decision": decision}
        assert refused(idle.ask("intents", **late), 409)["code"] == "stale"
    for wrong, status, code in (
        ({"decision": told["decision"] - 1}, 409, "stale"),
        ({"decision": told["decision"] + 1}, 409, "stale"),
        ({"decision": None}, 400, "no_decision"),
        ({"game": told["game"] + 1}, 409, "stale"),
        ({"seat": None}, 409, "stale"),
        ({"moves": []}, 400, "malformed"),
        ({"moves": [push | {"row": 99}]}, 400, "malformed"),
        ({"moves": [push | {"side": "up"}]}, 400, "malformed"),
        ({"moves": [push | {"colour": "red"}]}, 400, "malformed"),
        ({"moves": [{"type": "fly"}]}, 400, "malformed"),
        ({"moves": [push, push, push]}, 409, None),
        ({"moves": [{"type": "rolled", "die": "die", "face": 6}]}, None, None),
    ):
        said = refused(now.ask("intents", **good | wrong), *([status] if status else [400, 409]))
        assert code in (None, said["code"])
    refused(now.ask("undo", game=told["game"], seq=told["seq"] - 1), 409)
    refused(now.ask("pick", question="0" * 16, at=0), 409)
    question = now.state()["question"]
    if question is not None:
        refused(now.ask("pick", question=question["id"], at=998), 400)
    refused(served.host.ask("games", game="chess", seats=["A", "B"]), 400)
    refused(served.host.ask("games", game="breakout", seats=["A"], abandon=True), 400)
    refused(served.host.ask("games", game="breakout", seats=["A", "B"]), 409)
    refused(served.host.ask("games", game="breakout", seats=["A\n", "B"], abandon=True), 400)
    wrong = {"rows": "many"}
    refused(served.host.ask("games", game="breakout", seats=["A", "B"], options=wrong), 400)
    for path in (["stocks", 99], ["key"], ["seats", 0], ["turn", "x"], ["wall"]):
        change = [{"path": path, "value": 1}]
        answer = served.host.ask("correct", game=told["game"], seq=told["seq"], changes=change)
        refused(answer, 400)


# -- how much, how fast ---------------------------------------------------------------------------


def bombard(served, requests, seed=3):
    """Random requests of every kind, none of which should do anything: nonsense from anybody, and
    what is well said by those who may not, or too late."""
    rng = random.Random(seed)
    name = f"cavale_{served.page.port}"
    tokens = [phone.cookies[name] for phone in (served.ana, served.bo, served.host)]
    junk = [
        None,
        True,
        0,
        -1,
        1.5,
        10**20,
        "",
        "x",
        "é" * 40,
        [],
        {},
        [[]],
        {"type": "push"},
        "\x00",
    ]
    statuses = set()
    with httpx.Client(base_url=served.page.url, timeout=20) as client:
        for n in range(requests):
            token = rng.choice([*tokens, None, "forged", "é".encode().hex()])
            headers = {"Content-Type": "application/json"}
            if token:
                headers["Cookie"] = f"{name}={token}"
            if rng.random() < 0.3:
                path = f"/api/{rng.choice(READ[:3])}"
                asked = {"seat": str(rng.choice(["x", 7, -1, ""]))} if rng.random() < 0.5 else {}
                answer = client.get(path, params=asked | {"language": "zz"}, headers=headers)
                assert answer.status_code in ((403, 429) if asked else (200, 403)), answer.text
            else:
                route, wish = rng.choice(list(ROUTES.items()))
                wish = dict(wish)
                known = tokens.index(token) if token in tokens else None
                fair = known is None or (known < 2 and route in HOSTLY)
                if known is not None and route in DATED and rng.random() < 0.5:
                    wish["game"], fair = rng.choice([0, 2, 3, 10**9]), True
                if not fair or rng.random() < 0.5:
                    for key in rng.sample(list(wish), k=rng.randrange(len(wish) + 1)):
                        wish[key] = rng.choice(junk)
                    wish[f"unknown {n}"] = rng.choice(junk)
                body = bytearray(json.dumps(wish).encode())
                for _ in range(0 if fair else rng.randrange(3)):
                    body[rng.randrange(len(body))] = rng.randrange(256)
                answer = client.post(f"/api/{route}", content=bytes(body), headers=headers)
                assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
                assert answer.json()["why"]
            statuses.add(answer.status_code)
    assert {200, 400, 401, 403, 409} <= statuses


def test_hundreds_of_random_requests_change_nothing(served):
    bombard(served, 400)


@pytest.mark.soak
def test_ten_thousand_random_requests_change_nothing(served):
    bombard(served, 10_000, seed=4)


def test_one_who_asks_too_fast_is_told_to_wait(tmp_path):
    rates = Rates(reads=(20, 0.01), writes=(5, 0.01), joins=(2, 0.01))
    served = Served(tmp_path, rates=rates)
    try:
        phone = served.phone()
        tried = [phone.ask("join", code=f"AAAA{n:04}").json()["code"] for n in range(3)]
        assert tried == ["bad_code", "bad_code", "too_fast"]
        code = served.invite(0)
        assert phone.ask("join", code=code).json()["code"] == "too_fast"  # the right one, too late
        last = next(r for _ in count() if (r := phone.ask("pause", on=True)).status_code != 401)
        assert last.status_code == 429
        assert last.headers["retry-after"]
        assert 429 in [phone.get("/api/state").status_code for _ in range(25)]
        assert not served.shot.paused
    finally:
        served.close()


def test_streams_are_counted(served):
    from firmware_host.web.api import STREAMS

    opened = []
    try:
        for _ in range(STREAMS):
            stream = served.phone().events()
            next(stream)
            opened.append(stream)
        refused(served.ana.get("/api/events"), 429)
    finally:
        for stream in opened:
            stream.close()
    wait(lambda: served.ana.get("/api/state").status_code == 200)
    closing = served.phone().events()
    wait(lambda: next(closing))
    closing.close()


@pytest.mark.soak
def test_who_says_nothing_or_never_ends_is_let_go(served):
    head = b"POST /api/pause HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % served.page.port
    body = b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    for said in (b"", b"GET / HT", head, head + body):
        with socket.create_connection(("127.0.0.1", served.page.port), timeout=60) as line:
            line.sendall(said)
            while line.recv(65536):
                pass


def test_asking_what_a_stream_is_opens_none(served):
    assert served.ana.head("/api/events").headers["content-type"].startswith("text/event-stream")


# -- where it is served -------------------------------------------------------------------------


def test_a_port_that_is_taken_is_said(served):
    with pytest.raises(PageError, match=r"127\.0\.0\.1:\d+ .*--page HOST:PORT"):
        Page(Config(), ("127.0.0.1", served.page.port))
    with pytest.raises(PageError, match=r"203\.0\.113\.9:0"):
        Page(Config(), ("203.0.113.9", 0))  # not an address of this machine


def test_our_address_is_found_where_no_way_leads_out():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        assert _address_of(probe, "lo") == "127.0.0.1"
        assert _address_of(probe, "no such thing, and far too long a name") is None


def test_the_part_of_the_table_is_checked():
    page = parse('[page]\nhost = "0.0.0.0"\nport = 80\nnames = ["cavale.example"]', "t").page
    assert page == PagePart("0.0.0.0", 80, ("cavale.example",))
    assert parse("[page]", "t").page == PagePart("0.0.0.0", 8080)
    for wrong, says in (
        ("[page]\nport = 99999", "page.port = 99999"),
        ('[page]\nnames = ["http://x/"]', "page.names"),
        ("[page]\ntls = true", "page.tls: there is no such key"),
    ):
        with pytest.raises(ConfigError, match=says):
            parse(wrong, "t")
