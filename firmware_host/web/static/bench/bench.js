// The bench: the whole simulated table on a page. The state comes in parts; each part draws itself.

import { $, dressed, filled, h, picture, show } from "./dom.js";
import { Chooser } from "./begin.js";
import { Hands } from "./hands.js";
import { Mishaps } from "./mishaps.js";
import { Screens } from "./screens.js";
import { talk } from "./talk.js";
import { Tower } from "./tower.js";

dressed();
const state = { words: {}, box: [], dice: [], faults: [], cards: [] };
const send = talk({ news, lost, refused: (why) => toast(why) });
const screens = new Screens();
const tower = new Tower(send);
const mishaps = new Mishaps(send);
const chooser = new Chooser(send);
const hands = new Hands(send, {
  stacks, drawing, knot, say, redraw,
  throw: (names) => tower.throw(names), toggle: (die) => tower.toggle(die),
});

const PARTS = {
  words: spell,
  language: () => { document.documentElement.lang = state.language; },
  games: choose, table: choose, game: [drawGame, choose],
  board: drawBoard,
  box: drawBox,
  screens: () => screens.draw(state.screens, state.words),
  light: () => screens.light(state.light),
  beeps: () => screens.sound(state.sounding, state.beeps),
  sounding: () => screens.sound(state.sounding, state.beeps),
  buttons: drawButtons,
  dice: () => tower.draw(state.dice),
  cards: drawCards,
  pads: drawCards,
  breakable: () => mishaps.offer(state.breakable),
  faults: () => mishaps.faults(state.faults, state.words),
  health: () => mishaps.health(state.health),
  said: drawSaid,
  told: () => $("told").replaceChildren(...state.told.map((line) => h("li", {}, line))),
  hint: drawHint,
  invitation: drawPhones,
};

const LIVE = new Set([PARTS.screens, PARTS.light, PARTS.beeps, PARTS.sounding]);
const due = new Set(); // what is to be drawn anew

function news(parts) {
  Object.assign(state, parts);
  if (!$("dark").hidden) { // the power is back
    $("dark").hidden = true;
    toast(state.words.back);
  }
  for (const name of Object.keys(PARTS)) {
    if (name in parts) [PARTS[name]].flat().forEach((draw) => due.add(draw));
  }
  if ("words" in parts) Object.values(PARTS).flat().forEach((draw) => due.add(draw));
  if ("board" in parts || "dice" in parts || "cards" in parts) due.add(drawHint);
  redraw();
  document.documentElement.dataset.ready = "";
}

// While a hand carries a piece nothing may move under it: only the panel goes on.
function redraw() {
  for (const draw of [...due]) {
    if (!due.has(draw) || (hands.busy && !LIVE.has(draw))) continue;
    due.delete(draw);
    draw();
  }
}

function lost() {
  if (document.documentElement.dataset.ready !== undefined) $("dark").hidden = false;
}

let toasting = 0;
function toast(text) {
  show($("toast"), text);
  clearTimeout(toasting);
  toasting = setTimeout(() => show($("toast"), ""), 5000);
}

// -- words ------------------------------------------------------------------------------------

function spell() {
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = state.words[element.dataset.word] ?? "";
  }
  $("box").title = state.words.box_help ?? "";
  $("slide").closest("label").title = state.words.slide_help ?? "";
  $("find").placeholder = state.words.find_card ?? "";
  $("find").setAttribute("aria-label", state.words.find_card ?? "");
  screens.words(state.words);
  tower.words(state.words);
}

function choose() {
  chooser.know(state.games ?? [], state.words);
  chooser.current = {
    game: state.game?.id, table: state.table, seats: state.game?.seats,
    open: Boolean(state.game && !state.game.ended),
  };
  $("table").textContent = state.words[`table_${state.table}`] ?? state.table ?? "";
}

// -- the board --------------------------------------------------------------------------------

function drawGame() {
  const { game, words } = state;
  $("game").textContent = game?.title ?? "Cavale";
  document.title = game ? `${game.title} · Cavale` : "Cavale";
  document.body.dataset.game = game?.id ?? "";
  document.body.dataset.acting = game?.to_act.join() ?? "";
  $("tracks").replaceChildren(...(game?.tracks ?? []).map(picture));
  show($("prompt"), game?.outcome ? "" : game?.prompt);
  show($("outcome"), game?.outcome);
  drawPhones();
}

function drawBoard() {
  const room = $("board");
  const focus = hands.focused(room);
  if (!state.board) { room.replaceChildren(); return; }
  const board = picture(state.board);
  room.replaceChildren(board);
  hands.adopt(board, focus);
}

function drawBox() {
  const focus = document.activeElement?.dataset?.thing;
  const there = state.box.filter((thing) => thing.left > 0);
  $("things").replaceChildren(...there.map((thing) => h("span", {
    class: "thing", tabindex: 0, role: "button", title: thing.name,
    "aria-label": `${thing.name}: ${thing.left}`,
    "data-thing": `${thing.kind}:${thing.id ?? ""}`, "data-kind": thing.kind, "data-id": thing.id ?? "",
    "data-left": thing.left,
  }, picture(thing.svg), ...(thing.left > 1 ? [h("b", {}, thing.left)] : []))));
  if (!there.length) $("things").replaceChildren(h("p", { class: "help" }, state.words.nothing_left));
  if (focus) $("things").querySelector(`[data-thing="${CSS.escape(focus)}"]`)?.focus();
  $("box").hidden = state.box.length === 0;
}

const same = (thing, kind, id) => thing.kind === kind && (thing.id ?? "") === (id ?? "");

function drawing(source) {
  return state.box.find((thing) => same(thing, source.kind, source.id))?.svg;
}

function stacks(kind, id) {
  return state.box.find((thing) => same(thing, kind, id))?.stacks ?? false;
}

// Whose turn it is pushes a knot of its colour.
function knot() {
  const seat = state.game?.to_act?.[0];
  return ["knot_red", "knot_blue"][seat] ?? null;
}

function say(source) {
  if (!source) { drawHint(); return; }
  const name = state.box.find((thing) => same(thing, source.kind, source.id))?.name ?? source.kind;
  $("hint-text").textContent = filled(state.words.selected, { piece: name });
}

// -- what to do next --------------------------------------------------------------------------

function drawHint() {
  const hint = state.hint;
  if (!hint) return;
  if (!document.body.classList.contains("holding")) $("hint-text").textContent = hint.text;
  document.body.dataset.hint = hint.use ?? "";
  $("right").hidden = hint.use !== "right";
  const act = actions()[hint.use];
  show($("act"), act?.[0]);
  $("act").onclick = act?.[1];
  $("whose").hidden = hint.use !== "seat";
  $("whose").replaceChildren(...hint.seats.map((seat) => invite(seat, state.game.seats[seat])));
  document.querySelectorAll(".hinted, .hinted-from").forEach((element) =>
    element.classList.remove("hinted", "hinted-from"));
  const point = (selector, name = "hinted") => document.querySelector(selector)?.classList.add(name);
  if (hint.to) point(`#board [data-opening="${hint.to}"], #board [data-space="${CSS.escape(hint.to)}"]`);
  if (hint.piece) {
    const [kind, id] = hint.piece;
    const stock = { knot_red: 0, knot_blue: 1 }[kind];
    if (hint.origin) point(`#board [data-space="${CSS.escape(hint.origin)}"] [data-piece="${kind}"][data-id="${id ?? ""}"]`, "hinted-from");
    else point(`#things [data-thing="${CSS.escape(`${kind}:${id ?? ""}`)}"]`, "hinted-from");
    if (!hint.origin && stock !== undefined) point(`#board [data-stock="${stock}"]`, "hinted-from");
  }
  const place = {
    confirm: "#press-confirm", next: "#press-next", tower: "#tower", pad: "#pad",
    question: "#said", game: "#new", seat: "#phones",
  }[hint.use];
  if (place) point(place);
}

// What the hint speaks of, at one click.
function actions() {
  const { words } = state;
  const dice = state.dice.filter((die) => die.wanted).map((die) => die.name);
  const cards = state.cards.filter((card) => card.wanted);
  const press = (button) => [words[button], () => send({ do: "press", button })];
  return {
    confirm: press("confirm"),
    next: press("next"),
    tower: (dice.length || !state.dice.length) && [words.throw, () => tower.throw(dice)],
    pad: cards.length && [words.draw_card, () => {
      const { sign } = cards[Math.floor(Math.random() * cards.length)];
      send({ do: "hold", card: sign });
    }],
    game: [words.new_game, () => chooser.open()],
  };
}

$("right").addEventListener("click", () => send({ do: "put_right" }));

// -- the panel --------------------------------------------------------------------------------

function drawButtons() {
  $("buttons").replaceChildren(...(state.buttons ?? []).map((button) =>
    h("button", { class: `press ${button}`, id: `press-${button}`, on: { click: () => send({ do: "press", button }) } },
      h("span", { class: "cap" }), h("span", {}, state.words[button]))));
  drawHint();
}

function drawSaid() {
  const { notice, question, flash, trouble } = state.said;
  const telling = notice && notice.kind !== "paused";
  show($("notice"), notice?.text);
  $("notice").className = `notice ${notice?.kind ?? ""}`;
  show($("why"), telling ? notice.why : "");
  $("progress").hidden = !(notice?.of > 1);
  if (notice?.of > 1) { $("progress").max = notice.of; $("progress").value = notice.done; }
  show($("flash"), flash);
  show($("trouble"), trouble);
  $("question").hidden = !question;
  if (question) {
    $("asked").textContent = question.text;
    $("options").replaceChildren(...question.options.map((option, n) => h("button", {
      class: n === question.at ? "at" : "", "aria-current": String(n === question.at),
      on: { click: () => send({ do: "answer", at: n }) },
    }, option)));
  }
}

// -- cards and phones -------------------------------------------------------------------------

function drawCards() {
  $("pad").hidden = !state.pads;
  const wanted = $("find").value.trim().toLowerCase();
  const found = state.cards.filter((card) => card.name.toLowerCase().includes(wanted));
  $("find").hidden = state.cards.length < 8;
  $("cards").replaceChildren(...found.map((card) => h("button", {
    class: card.wanted ? "scan wanted" : "scan", "data-card": card.sign, on: { click: () => send({ do: "hold", card: card.sign }) },
  }, card.name)));
  if (!state.cards.length) $("cards").replaceChildren(h("p", { class: "help" }, state.words.no_cards));
}

$("find").addEventListener("input", drawCards);

const invite = (seat, name) => h("button", {
  "data-seat": seat ?? "host", on: { click: () => send({ do: "phone", seat }) },
}, filled(state.words.invite, { name }));

function drawPhones() {
  const { words, invitation } = state;
  const seats = state.game?.seats ?? [];
  $("phones").hidden = !state.game;
  $("seats").replaceChildren(...seats.map((name, seat) => invite(seat, name)), invite(null, words.host));
  $("invitation").hidden = !invitation;
  if (invitation) {
    const name = invitation.seat === null ? words.host : seats[invitation.seat];
    $("join").textContent = filled(words.join, { name, code: invitation.code });
    $("join").href = `/S/${invitation.code}`;
  }
}

$("plug").addEventListener("click", () => { send({ do: "unplug" }); lost(); });
$("language").addEventListener("click", () =>
  send({ do: "speak", language: state.language === "fr" ? "en" : "fr" }));
