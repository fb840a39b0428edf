// The table as everybody sees it.

import { ask, begin, bar, draw, h, listen, page, part, t } from "/static/common.js";
import { attention, board, clock, dice, health, log, status, tracks } from "/static/parts.js";
import { hostPanel } from "/static/host.js";

function shown(state) {
  document.title = [state.title, "Cavale"].filter(Boolean).join(" · ");
  const mine = state.you.seats.filter((seat) => state.seats[seat]).map((seat) => [seat, state.seats[seat].name]);
  bar(state.title ?? t("welcome"), [mine, state.bench, state.you.host], () => [
    mine.map(([seat, name]) => h("a", { class: "button", "data-key": `seat ${seat}`, href: `/seat/${seat}` }, name)),
    !mine.length && h("a", { class: "button", "data-key": "join", href: "/join" }, t("join")),
    state.bench && h("a", { class: "button quiet", "data-key": "bench", href: "/bench" }, t("bench")),
    state.you.host && h("button", { class: "quiet", "data-key": "host", on: { click: hostPanel } }, t("host")),
  ]);
  status(state);
  attention(state);
  board(state);
  dice(state);
  tracks(state);
  seats(state);
  log(state, 24);
  health(state);
}

function seats(state) {
  const keyed = state.you.host || state.you.seats.length > 0;
  part("seats", [state.seats, state.over, state.paused, keyed, state.ended], () => state.seats.length && [
    h("h2", {}, t("seats")),
    h("ul", { class: "people" }, state.seats.map((seat) => h("li", { class: `tint-${seat.tint} ${seat.acts ? "acts" : ""}` },
      h("span", { class: "who" }, seat.name),
      state.over?.winners.includes(seat.seat) && h("span", { class: "won", role: "img", "aria-label": t("won") }, "★"),
      state.over?.scores[seat.seat] !== undefined && h("span", { class: "score" }, String(state.over.scores[seat.seat])),
      seat.acts && h("span", { class: "badge" }, t("acts")),
      seat.joined && h("span", { class: "phone", role: "img", title: t("joined"), "aria-label": t("joined") })))),
    keyed && !state.ended && h("button", { class: "quiet", "data-key": "pause", on: { click: () => ask("/api/pause", { on: !state.paused }) } }, t(state.paused ? "go_on" : "pause")),
  ]);
}

await begin();
addEventListener("language", draw);
listen(null, shown);
setInterval(clock, 500);
