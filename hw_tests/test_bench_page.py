"""The bench over HTTP: who may sit at it, and what becomes of nonsense."""

from __future__ import annotations

import asyncio
import json
import random

import httpx
import msgspec
import pytest

from firmware_host.config import profile
from firmware_host.config_parts import PagePart
from firmware_host.plug import Plug
from firmware_host.web.server import Page
from firmware_host.workbench import Workbench
from hw_tests.served import Served, wait

WALL = profile("wall")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    running = Served(tmp_path_factory.mktemp("bench"), config=WALL)
    yield running
    running.close()


@pytest.fixture
def bench(served):
    with httpx.Client(base_url=served.page.url, timeout=10.0) as client:
        yield client


def events(client):
    with client.stream("GET", "/api/bench/events") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def test_the_page_and_all_that_it_loads_come_from_here(bench):
    page = bench.get("/bench")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "style=" not in page.text
    assert "<script>" not in page.text
    for path in ("bench.js", "bench.css", "hands.js", "talk.js", "dom.js"):
        assert bench.get(f"/static/bench/{path}").status_code == 200
    assert "http" not in bench.get("/static/bench/bench.css").text


def test_the_stream_tells_all_once_and_then_only_what_is_news(served, bench):
    stream = events(bench)
    whole = next(stream)
    assert {"board", "screens", "hint", "words", "faults", "health"} <= set(whole)
    answer = bench.post("/api/bench", json={"do": "order", "order": "missing screen 0x3d"})
    assert answer.status_code == 200
    news = {}
    while "faults" not in news:
        news = next(stream)
        assert "words" not in news
    assert news["faults"] == [["missing", "screen 0x3d"]]
    bench.post("/api/bench", json={"do": "mend"})
    stream.close()


NONSENSE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'{"do":"levitate"}',
    b'{"do":"press"}',
    b'{"do":"press","button":"undo","why":"fun"}',
    b'{"do":"lift","n":"one"}',
    b'{"do":"speak","language":"nl"}',
    b'{"do":"play","game":"chess","seats":"AB"}',
    b"\xff\xfe",
    b"[" * 10_000,
]


@pytest.mark.parametrize("text", NONSENSE, ids=lambda text: repr(text[:30]))
def test_nonsense_is_a_400_and_changes_nothing(served, bench, text):
    before = served.record.seq, dict(served.sim.world.pieces)
    answer = bench.post("/api/bench", content=text, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["why"]
    assert (served.record.seq, dict(served.sim.world.pieces)) == before


def test_other_forms_are_refused(bench):
    assert bench.post("/api/bench", content=b"do=unplug").status_code == 415
    large = {"do": "order", "order": "x" * 20_000}
    assert bench.post("/api/bench", json=large).status_code == 413
    strange = {"Origin": "http://evil.example"}
    assert bench.post("/api/bench", json={"do": "unplug"}, headers=strange).status_code == 403
    assert bench.get("/api/bench").status_code == 405


@pytest.mark.parametrize(
    "wish",
    [
        {"do": "answer", "at": 0},
        {"do": "play", "game": "chess", "seats": ["A", "B"]},
        {"do": "play", "game": "breakout", "seats": ["A"]},
        {"do": "play", "game": "breakout", "seats": ["A", "B"], "table": "/etc/passwd"},
        {"do": "lift", "space": "r1c1", "n": -1},
        {"do": "push", "opening": "0_left", "kind": "knot_red"},
        {"do": "order", "order": "flood bus 1"},
    ],
    ids=lambda wish: json.dumps(wish),
)
def test_what_cannot_be_is_a_409_with_its_reason(served, bench, wish):
    before = served.record.seq
    answer = bench.post("/api/bench", json=wish)
    assert answer.status_code == 409
    assert answer.json()["why"]
    assert served.record.seq == before


def test_random_deeds_never_break_the_table(served, bench):
    """Whatever hands do: an answer below 500, and the loop goes on."""
    rng = random.Random(5)
    spaces = ["r1c1", "r2c2", "exit_1", "nowhere", None]
    for _ in range(60):
        deed = rng.choice(
            [
                {"do": "lift", "space": rng.choice(spaces), "n": rng.randint(-1, 2)},
                {"do": "lift", "kind": rng.choice(["knot_red", "knot_blue", "figure_red", "x"])},
                {"do": "slide", "space": rng.choice(spaces[:4])},
                {"do": "lower", "space": rng.choice(spaces), "on": rng.choice([None, 0, 7])},
                {"do": "push", "opening": f"{rng.randint(0, 6)}_left", "kind": "knot_red"},
                {"do": "hold", "card": "card:x"},
                {"do": "throw", "dice": {"die": rng.randint(0, 7)}},
                {"do": "put_right"},
            ]
        )
        assert bench.post("/api/bench", json=deed).status_code in (200, 409)
    counts = {thing.name: 0 for thing in served.record.game.things()}
    for there in served.sim.world.pieces.values():
        for piece in there:
            counts[piece.kind] += 1
    most = {thing.name: thing.count for thing in served.record.game.things()}
    assert all(counts[name] <= most[name] for name in counts), "pieces are not made of nothing"
    bench.post("/api/bench", json={"do": "lower"})
    bench.post("/api/bench", json={"do": "put_right"})
    wait(lambda: not any(served.sim.world.pieces.values()))


def ask(page, client, method, path):
    """As the web server would call us, for somebody at another machine."""

    async def call():
        transport = httpx.ASGITransport(page._app(), client=(client, 4711))
        url = f"http://127.0.0.1:{page.port}"
        async with httpx.AsyncClient(transport=transport, base_url=url) as http:
            return await http.request(method, path, json={"do": "put_right"})

    return asyncio.run(call())


@pytest.mark.parametrize("opened", [False, True])
def test_the_bench_is_for_this_machine_unless_it_is_opened(served, tmp_path, opened):
    config = msgspec.structs.replace(WALL, page=PagePart(bench=opened))
    page = Page(config, ("127.0.0.1", 0), Workbench(served.sim), tmp_path / "x.db")
    page.house.open(served.table)
    far = ask(page, "192.0.2.7", "GET", "/bench")
    near = ask(page, "127.0.0.1", "GET", "/bench")
    page.house.close()
    page._socket.close()
    assert near.status_code == 200
    assert far.status_code == (200 if opened else 403)


def test_a_table_of_real_chips_has_no_bench(served, tmp_path):
    page = Page(WALL, ("127.0.0.1", 0), None, tmp_path / "x.db", plug=Plug(()))
    page.house.open(served.table)
    for method, path in (("GET", "/bench"), ("POST", "/api/bench"), ("GET", "/api/bench/events")):
        assert ask(page, "127.0.0.1", method, path).status_code == 404
    page._socket.close()
