// The bench: the whole simulated table on a page. The state comes in parts; each part draws itself.

import { at, drawn, filled, make, show } from "./dom.js";
import { Chooser } from "./begin.js";
import { Hands } from "./hands.js";
import { Mishaps } from "./mishaps.js";
import { Screens } from "./screens.js";
import { talk } from "./talk.js";
import { Tower } from "./tower.js";

const state = { words: {}, box: [], dice: [], faults: [], cards: [] };
const send = talk({ news, lost, refused });
const screens = new Screens();
const tower = new Tower(send);
const mishaps = new Mishaps(send);
const chooser = new Chooser(send);
const hands = new Hands(send, {
  stacks, picture, knot, say,
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
  hint: drawHint,
  invitation: drawPhones,
};

function news(parts) {
  Object.assign(state, parts);
  if (!at("dark").hidden) { // the power is back
    at("dark").hidden = true;
    toast(state.words.back);
  }
  const due = new Set();
  for (const name of Object.keys(PARTS)) {
    if (name in parts) [PARTS[name]].flat().forEach((draw) => due.add(draw));
  }
  if ("words" in parts) Object.values(PARTS).flat().forEach((draw) => due.add(draw));
  if ("board" in parts) due.add(drawHint);
  due.forEach((draw) => draw());
  document.documentElement.dataset.ready = "";
}

function lost() {
  if (document.documentElement.dataset.ready !== undefined) at("dark").hidden = false;
}

function refused(why) {
  toast(typeof why === "string" ? why : why[state.language] ?? why.en);
}

let toasting = 0;
function toast(text) {
  show(at("toast"), text);
  clearTimeout(toasting);
  toasting = setTimeout(() => show(at("toast"), ""), 5000);
}

// -- words ------------------------------------------------------------------------------------

function spell() {
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = state.words[element.dataset.word] ?? "";
  }
  at("find").placeholder = state.words.find_card ?? "";
  at("find").setAttribute("aria-label", state.words.find_card ?? "");
  screens.words(state.words);
  tower.words(state.words);
}

function choose() {
  chooser.know(state.games ?? [], state.words);
  chooser.current = {
    game: state.game?.id, table: state.table, seats: state.game?.seats,
    open: Boolean(state.game && !state.game.ended),
  };
  at("table").textContent = state.words[`table_${state.table}`] ?? state.table ?? "";
}

// -- the board --------------------------------------------------------------------------------

function drawGame() {
  const { game, words } = state;
  at("game").textContent = game?.title ?? "Cavale";
  document.title = game ? `${game.title} · Cavale` : "Cavale";
  document.body.dataset.game = game?.id ?? "";
  at("tracks").replaceChildren(...(game?.tracks ?? []).map(drawn));
  show(at("prompt"), game?.outcome ? "" : game?.prompt);
  show(at("outcome"), game?.outcome);
  drawPhones();
}

function drawBoard() {
  const room = at("board");
  const focus = hands.focused(room);
  if (!state.board) { room.replaceChildren(); return; }
  const picture = drawn(state.board);
  room.replaceChildren(picture);
  hands.adopt(picture, focus);
}

function drawBox() {
  const focus = document.activeElement?.dataset?.thing;
  const there = state.box.filter((thing) => thing.left > 0);
  at("things").replaceChildren(...there.map((thing) => make("span", {
    class: "thing", tabindex: 0, role: "button", title: thing.name,
    "aria-label": `${thing.name}: ${thing.left}`,
    "data-thing": `${thing.kind}:${thing.id ?? ""}`, "data-kind": thing.kind, "data-id": thing.id ?? "",
    "data-left": thing.left,
  }, drawn(thing.svg), ...(thing.left > 1 ? [make("b", { text: thing.left })] : []))));
  if (!there.length) at("things").replaceChildren(make("p", { class: "help", text: state.words.nothing_left }));
  if (focus) at("things").querySelector(`[data-thing="${CSS.escape(focus)}"]`)?.focus();
  at("box").hidden = state.box.length === 0;
}

const same = (thing, kind, id) => thing.kind === kind && (thing.id ?? "") === (id ?? "");

function picture(source) {
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
  at("hint-text").textContent = filled(state.words.selected, { piece: name });
}

// -- what to do next --------------------------------------------------------------------------

function drawHint() {
  const hint = state.hint;
  if (!hint) return;
  if (!document.body.classList.contains("holding")) at("hint-text").textContent = hint.text;
  at("right").hidden = hint.use !== "right";
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

at("right").addEventListener("click", () => send({ do: "put_right" }));

// -- the panel --------------------------------------------------------------------------------

function drawButtons() {
  at("buttons").replaceChildren(...(state.buttons ?? []).map((button) =>
    make("button", { class: `press ${button}`, id: `press-${button}`, on: { click: () => send({ do: "press", button }) } },
      make("span", { class: "cap" }), make("span", { text: state.words[button] }))));
  drawHint();
}

function drawSaid() {
  const { notice, question, flash, trouble } = state.said;
  const telling = notice && notice.kind !== "paused";
  show(at("notice"), notice?.text);
  at("notice").className = `notice ${notice?.kind ?? ""}`;
  show(at("why"), telling ? notice.why : "");
  at("progress").hidden = !(notice?.of > 1);
  if (notice?.of > 1) { at("progress").max = notice.of; at("progress").value = notice.done; }
  show(at("flash"), flash);
  show(at("trouble"), trouble);
  at("question").hidden = !question;
  if (question) {
    at("asked").textContent = question.text;
    at("options").replaceChildren(...question.options.map((option, n) => make("button", {
      text: option, class: n === question.at ? "at" : "", "aria-current": n === question.at,
      on: { click: () => send({ do: "answer", at: n }) },
    })));
  }
}

// -- cards and phones -------------------------------------------------------------------------

function drawCards() {
  at("pad").hidden = !state.pads;
  const wanted = at("find").value.trim().toLowerCase();
  const found = state.cards.filter((card) => card.name.toLowerCase().includes(wanted));
  at("find").hidden = state.cards.length < 8;
  at("cards").replaceChildren(...found.map((card) => make("button", {
    class: "scan", text: card.name, "data-card": card.sign, on: { click: () => send({ do: "hold", card: card.sign }) },
  })));
  if (!state.cards.length) at("cards").replaceChildren(make("p", { class: "help", text: state.words.no_cards }));
}

at("find").addEventListener("input", drawCards);

function drawPhones() {
  const { words, invitation } = state;
  const seats = state.game?.seats ?? [];
  at("phones").hidden = !state.game;
  const invite = (seat, name) => make("button", {
    text: filled(words.invite, { name }), "data-seat": seat ?? "host", on: { click: () => send({ do: "phone", seat }) },
  });
  at("seats").replaceChildren(...seats.map((name, seat) => invite(seat, name)), invite(null, words.host));
  at("invitation").hidden = !invitation;
  if (invitation) {
    const name = invitation.seat === null ? words.host : seats[invitation.seat];
    at("join").textContent = filled(words.join, { name, code: invitation.code });
    at("join").href = `/S/${invitation.code}`;
  }
}

at("plug").addEventListener("click", () => { send({ do: "unplug" }); lost(); });
at("language").addEventListener("click", () =>
  send({ do: "speak", language: state.language === "fr" ? "en" : "fr" }));
