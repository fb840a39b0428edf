// One seat's own page: its hand, its choices. On a phone that is passed around, a cover lies over it
// until its owner lifts it.

import { $, ask, begin, bar, draw, forget, get, h, listen, page, part, say, t } from "/static/common.js";
import { attention, board, clock, dialog, dice, log, sentence, status, tracks } from "/static/parts.js";

let seat = Number(location.pathname.split("/")[2] ?? NaN);
let covered = null; // not yet known: a phone of one seat need not be covered at first

function shown(state) {
  const name = state.seats?.[seat]?.name ?? "";
  document.title = [name, state.title, "Cavale"].filter(Boolean).join(" · ");
  const shared = state.you.seats.length > 1;
  covered ??= shared;
  bar(name || t("welcome"), null, () => [
    h("a", { class: "button quiet", "data-key": "table", href: "/" }, t("table")),
    h("button", { class: "quiet", "data-key": "hide", on: { click: cover } }, t("hide")),
  ]);
  cover_(state, name, shared);
  if (covered) return;
  status(state);
  attention(state);
  choices(state);
  hand(state);
  board(state, (place) => touched(state, place));
  dice(state);
  tracks(state);
  log(state, 12);
}

// -- the cover ----------------------------------------------------------------------------------

function cover() {
  covered = true;
  draw();
}

function cover_(state, name, shared) {
  const place = $("cover"), under = $("main");
  place.hidden = !covered;
  under.inert = covered;
  document.body.classList.toggle("covered", covered);
  if (!covered) return;
  for (const section of under.querySelectorAll("section[id]")) section.replaceChildren();
  forget();
  const others = state.you.seats.filter((other) => other !== seat && state.seats?.[other]);
  place.replaceChildren(
    h("div", {},
      h("h2", {}, t("cover", { name })),
      h("p", {}, t("cover_hint", { name })),
      h("button", { class: "main", on: { click: () => { covered = false; draw(); under.focus(); } } }, t("uncover", { name })),
      shared && h("p", { class: "or" }, t("or")),
      others.map((other) => h("button", { on: { click: () => change(other) } },
        state.seats[other].name, state.seats[other].acts && h("span", { class: "badge" }, t("acts")))),
      h("button", { class: "quiet leave", on: { click: () => leave(name) } }, t("leave", { name }))));
}

async function leave(name) {
  if (confirm(t("leave_sure", { name }))) await ask("/api/leave", { seat });
}

function change(other) {
  seat = other;
  history.replaceState(null, "", `/seat/${seat}`);
  covered = true;
  forget();
  listen(seat, shown, gone);
}

// A phone that goes to sleep, or to another hand, is covered if it is shared.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && page.state?.you.seats.length > 1) cover();
});

// Another phone's now; or in a new game this person sits elsewhere.
async function gone() {
  const { you } = await get("/api/state").catch(() => ({ you: { seats: [] } }));
  if (you.seats.length) {
    change(you.seats[0]);
    return;
  }
  document.body.classList.add("covered");
  $("main").inert = true;
  const place = $("cover");
  place.hidden = false;
  place.replaceChildren(h("div", {}, h("h2", {}, t("gone")), h("p", {}, t("gone_hint")), h("a", { class: "button main", href: "/join" }, t("join")), h("a", { class: "button", href: "/" }, t("table"))));
}

// -- choices ------------------------------------------------------------------------------------

async function play(state, move) {
  for (const button of document.querySelectorAll("#choices button")) button.disabled = true;
  const done = await ask("/api/intents", { game: state.game, seat, decision: state.decision, moves: [move] });
  for (const button of document.querySelectorAll("#choices button")) button.disabled = false;
  if (done) say(t("played"), "good");
}

// "Careful move: the Cells" and "Careful move: the Yard" are one heading and two buttons.
function grouped(moves) {
  const groups = new Map();
  for (const move of moves) {
    const cut = move.text.search(/\s?:\s/);
    const head = cut > 0 ? move.text.slice(0, cut) : "";
    if (!groups.has(head)) groups.set(head, []);
    groups.get(head).push({ ...move, short: cut > 0 ? move.text.slice(cut).replace(/^\s?:\s/, "") : move.text });
  }
  const plain = groups.get("") ?? [];
  groups.delete("");
  for (const [head, of] of groups) {
    if (of.length < 2) {
      plain.push({ ...of[0], short: of[0].text });
      groups.delete(head);
    }
  }
  return { plain, groups };
}

function choices(state) {
  const acts = state.moves?.length > 0;
  part("choices", [state.moves, state.decision, state.refused, state.paused], () => {
    if (!acts) return [];
    const { plain, groups } = grouped(state.moves);
    const button = (move) => h("button", { class: move.secret ? "move secret" : "move", "data-key": JSON.stringify(move.move), disabled: state.paused, "aria-label": move.text, on: { click: () => play(state, move.move) } }, sentence(move.short));
    const many = state.moves.length > 14;
    return [
      h("div", { class: "head" }, h("h2", {}, t("choices")), state.moves.every((move) => move.secret) && h("span", { class: "badge secret" }, t("secret"))),
      plain.length > 0 && h("div", { class: plain.length > 4 && plain.filter(({ short }) => short.length < 30).length > plain.length / 2 ? "moves small" : "moves" }, plain.map(button)),
      [...groups].map(([head, of]) => many && groups.size > 1
        ? h("details", { class: "group" }, h("summary", {}, sentence(head), " ", h("small", {}, String(of.length))), h("div", { class: "moves small" }, of.map(button)))
        : h("div", { class: "group" }, h("h3", {}, sentence(head)), h("div", { class: "moves small" }, of.map(button)))),
      state.refused.length > 0 && h("details", { class: "refused" }, h("summary", {}, t("why_not")), h("ul", {}, state.refused.map((why) => h("li", {}, why)))),
    ];
  });
}

// A touch on the board: the moves that go there.
function touched(state, place) {
  const names = (move) => Object.entries(move).filter(([key]) => key !== "type").map(([, value]) => value);
  const here = (state.moves ?? []).filter(({ move }) => place.opening
    ? `${move.row}_${move.side}` === place.opening
    : names(move).includes(place.space));
  if (!here.length) return;
  const box = dialog(t("choices"), h("div", { class: "moves" }, here.map((move) =>
    h("button", { class: "move", on: { click: () => { box.close(); play(state, move.move); } } }, sentence(move.text)))));
  box.showModal();
}

// -- the hand -----------------------------------------------------------------------------------

function hand(state) {
  part("hand", [state.hand], () => (state.hand ?? []).map((section) => h("section", { class: "held" },
    h("h2", {}, section.title),
    section.items.length
      ? h("ul", { class: "cards" }, section.items.map((item) => h("li", { class: `card-${item.id}` },
        h("b", {}, item.text), item.count > 1 && h("span", { class: "count" }, `×${item.count}`), item.detail && h("small", {}, item.detail))))
      : h("p", { class: "small" }, t("nothing")))));
}

await begin();
addEventListener("language", draw);
if (Number.isNaN(seat)) {
  const { you } = await get("/api/state");
  if (you.seats.length) location.replace(`/seat/${you.seats[0]}`);
  else location.replace("/join");
} else {
  listen(seat, shown, gone);
}
setInterval(clock, 500);
