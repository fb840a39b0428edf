// The parts that table and seat pages have in common.

import { $, ask, get, h, page, part, picture, say, t } from "/static/common.js";

const keyed = (state) => state.you.host || state.you.seats.length > 0;

export function status(state) {
  const acting = (state.seats ?? []).filter((seat) => seat.acts).map((seat) => seat.name);
  const shows = [acting, state.prompt, state.over, state.ended, state.paused, state.game, state.you.seat, state.awaited];
  part("status", shows, () => {
    if (!state.game) return [h("p", { class: "turn" }, t("no_game")), h("p", { class: "prompt" }, t(state.you.host ? "begin_one" : "host_begins"))];
    const mine = state.you.seat !== null && state.seats[state.you.seat].acts;
    const who = state.over ? t("over") : mine ? t("your_turn") : acting.length ? acting.join(", ") : t(`awaited_${state.awaited ?? "table"}`);
    return [
      h("p", { class: mine ? "turn mine" : "turn" }, who),
      h("p", { class: "prompt" }, state.over ? state.over.text : state.prompt),
      h("p", { id: "clock", role: "timer" }),
    ];
  });
  clock();
}

export function clock() {
  const state = page.state, place = $("clock");
  if (!place || !state) return;
  if (state.deadline_s === null || state.deadline_s === undefined) {
    place.textContent = "";
    return;
  }
  const left = Math.max(0, Math.round(state.deadline_s - (state.paused ? 0 : (performance.now() - page.heard) / 1000)));
  place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  place.classList.toggle("short", left <= 15);
}

// Menus are for those who may answer them here: a seat has its own choices.
const menus = ["menu", "table"];
const asked = ({ question, you }) => (!menus.includes(question?.kind) || (question.yours && question.id && you.seat === null) ? question : null);

export function attention(state) {
  const { notice, trouble, flash, chance } = state;
  const question = asked(state);
  part("attention", [notice, question, trouble, flash, chance, state.paused, keyed(state), state.seq], () => [
    trouble && card("trouble", t("trouble"), trouble),
    flash && card("flash", t("refused"), flash),
    question?.kind === "menu" && h("details", { class: "note chance" }, h("summary", {}, t("for_the_seat")), answers(question)),
    question && question.kind !== "menu" && card("question", question.text, null,
      question.yours && question.id
        ? answers(question)
        : h("ul", { class: "options" }, question.options.map((option) => h("li", {}, option)))),
    notice && !(chance && state.awaited === "box") && card(notice.kind, t(`notice_${notice.kind}`), notice.text,
      notice.why && notice.why !== state.prompt && h("p", { class: "why" }, notice.why),
      notice.of > 1 && h("progress", { value: notice.done, max: notice.of, "aria-label": `${notice.done} / ${notice.of}` }),
      notice.confirm && keyed(state) && h("button", { class: "main", "data-key": "confirm", on: { click: confirm(state) } }, t(state.paused ? "go_on" : notice.kind === "chance" ? "house_gives" : "done"))),
    chance && byHand(chance, state),
  ]);
}

const answers = (question) => h("div", { class: "answers" }, question.options.map((option, at) =>
  h("button", { "data-key": `pick ${at}`, class: at === question.at ? "likely" : "", on: { click: () => ask("/api/pick", { question: question.id, at }) } }, option)));

const confirm = (state) => () => (state.paused ? ask("/api/pause", { on: false }) : ask("/api/press", { button: "confirm" }));

function card(kind, title, text, ...more) {
  const urgent = kind === "trouble" || kind === "mend";
  return h("div", { class: `note ${kind}`, role: urgent ? "alert" : null }, h("h2", {}, title), text && h("p", {}, text), ...more);
}

// "The location card: the chapel", "The location card: the yard": one heading and two buttons.
function headed(texts) {
  const head = texts[0].split(/\s?:\s/)[0];
  const rest = texts.map((text) => text.slice(head.length).replace(/^\s?:\s/, ""));
  const shared = texts.length > 1 && texts.every((text, n) => text.startsWith(head) && rest[n] && rest[n].length < text.length - head.length);
  return shared ? [head, rest.map(sentence)] : [null, texts];
}

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What people's own dice or cards gave, said by hand.
function byHand(chance, state) {
  const chosen = new Map();
  const cards = chance.kind === "draw";
  const send = h("button", { class: "main", disabled: true, "data-key": "chance", on: { click: () => ask("/api/intents", { game: state.game, seq: state.seq, moves: [...chosen.values()] }) } }, t(cards ? "this_came" : "this_fell"));
  const rows = chance.parts.map((of) => {
    const [head, texts] = cards ? headed(of.texts) : [of.name, of.texts];
    const group = h("div", { class: cards ? "faces named" : "faces", role: "group", "aria-label": head ?? t("card_by_hand") }, head && h("span", {}, sentence(head)));
    texts.forEach((text, n) => group.append(h("button", { "aria-pressed": "false", "data-key": `of ${of.id} ${n}`, on: { click: (event) => {
      chosen.set(of.id, of.moves[n]);
      for (const other of group.querySelectorAll("button")) other.ariaPressed = String(other === event.target);
      send.disabled = chosen.size < chance.parts.length;
    } } }, text)));
    return group;
  });
  const boxed = state.awaited === "box"; // nothing else gives it: this, or the house
  return h("details", { class: "note chance", open: boxed }, h("summary", {}, t(cards ? "card_by_hand" : "dice_by_hand")), rows,
    h("div", { class: "answers" }, send, boxed && h("button", { "data-key": "confirm", on: { click: confirm(state) } }, t("house_gives"))));
}

export function board(state, onSpace) {
  part("board", [state.board], () => {
    if (!state.board) return [];
    const drawn = picture(state.board);
    if (onSpace) {
      drawn.addEventListener("click", (event) => {
        const place = event.target.closest("[data-space], [data-opening]");
        if (place) onSpace(place.dataset);
      });
    }
    return drawn;
  });
}

export function dice(state) {
  part("dice", [state.dice], () => state.dice && [
    h("h2", {}, t("dice")),
    h("div", { class: "dice-row" }, picture(state.dice.svg)),
    new Set(state.dice.faces.map(({ name }) => name)).size > 1 && h("p", { class: "small" }, state.dice.faces.map(({ name, face }) => `${name} ${face}`).join(" · ")),
  ]);
}

export function tracks(state) {
  part("tracks", [state.tracks], () => state.tracks?.length && [
    h("h2", {}, t("tracks")),
    ...state.tracks.map((track, n) => {
      const alarming = track.danger !== null && track.value >= track.danger;
      const steps = track.maximum <= 40 ? track.maximum : 0;
      const gauge = h("div", { class: "gauge", "aria-hidden": "true" });
      for (let step = 1; step <= steps; step++) {
        gauge.append(h("i", { class: `${step <= track.value ? "full" : ""} ${track.danger !== null && step >= track.danger ? "danger" : ""}` }));
      }
      if (!steps) {
        const fill = h("i", { class: "full" });
        fill.style.flexGrow = track.value;
        const rest = h("i");
        rest.style.flexGrow = Math.max(0, track.maximum - track.value);
        gauge.append(fill, rest);
      }
      return h("div", { class: `track ${alarming ? "alarming" : ""} ${n < 2 ? "first" : ""}`, role: "meter", "aria-label": track.label, "aria-valuenow": String(track.value), "aria-valuemin": "0", "aria-valuemax": String(track.maximum), "aria-valuetext": `${track.value} / ${track.maximum}` },
        h("span", { class: "label" }, track.label), h("span", { class: "value" }, String(track.value), h("small", {}, ` / ${track.maximum}`)), gauge);
    }),
  ]);
}

// Equal lines in a row are one, with how many there were.
function told(lines) {
  const kept = [];
  for (const { by, text } of lines) {
    const last = kept.at(-1);
    if (last && last.by === by.join() && last.text.join("\n") === text.join("\n")) last.times += 1;
    else kept.push({ by: by.join(), text, times: 1 });
  }
  return kept.reverse();
}

export function log(state, most = 40) {
  const lines = told(state.log ?? []).slice(0, most);
  part("log", [lines, state.undo, keyed(state), state.game], () => lines.length && [
    h("div", { class: "head" }, h("h2", {}, t("log")),
      keyed(state) && state.undo && h("button", { class: "quiet", "data-key": "undo", title: t(`undo_${state.undo}`), on: { click: () => undo(state) } }, `↶ ${t("undo")}`)),
    h("ol", { role: "log", tabindex: "0", "aria-label": t("log") }, lines.map(({ by, text, times }) =>
      h("li", { class: `tint-${state.seats[by]?.tint}` }, text.map((line) => h("p", {}, line)), times > 1 && h("span", { class: "count" }, `×${times}`)))),
    state.game && h("button", { class: "quiet", "data-key": "past", on: { click: past } }, t("past_games")),
  ]);
}

async function undo(state) {
  const agreed = state.undo === "agreed";
  if (agreed) say(t("asking_table"));
  if (await ask("/api/undo", { game: state.game, seq: state.seq, agreed })) say(t("undone"));
}

async function past() {
  const told = await get("/api/history").catch((refused) => { say(refused.message, "bad"); });
  if (!told) return;
  const list = h("div", { class: "past" });
  const box = dialog(t("past_games"), list);
  for (const game of told.games) {
    const lines = h("ol", {});
    const shown = h("details", { on: { toggle: async () => {
      if (!shown.open || lines.childElementCount) return;
      const one = await get("/api/history", { game: game.game }).catch((refused) => { say(refused.message, "bad"); });
      if (one) lines.append(...one.log.map((line) => h("li", {}, line.text.map((text) => h("p", {}, text)))));
    } } },
    h("summary", {}, h("b", {}, game.title), ` · ${game.seats.join(", ")} · ${game.started.slice(0, 10)} · ${game.open ? t("open") : game.over ?? t("abandoned")}`), lines);
    list.append(shown);
  }
  box.showModal();
}

export function dialog(title, ...content) {
  const box = h("dialog", { "aria-label": title },
    h("div", { class: "head" }, h("h2", {}, title), h("button", { class: "quiet", "aria-label": t("close"), on: { click: () => box.close() } }, "✕")), ...content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  return box;
}

export function health(state) {
  part("health", [state.health], () => {
    if (!state.health.length) return [];
    const sick = state.health.filter((device) => device.state === "failing" || device.state === "failed");
    return h("details", { open: sick.length > 0 },
      h("summary", {}, h("span", { class: `dot ${sick.length ? "bad" : "good"}` }), t(sick.length ? "sick" : "healthy", { n: sick.length || state.health.length })),
      h("ul", { class: "devices" }, state.health.map((device) => h("li", { class: device.state },
        h("span", { class: `dot ${{ ok: "good", failing: "odd", failed: "bad" }[device.state] ?? "idle"}` }), h("b", {}, device.device), " ", t(`health_${device.state}`), device.error && h("small", {}, device.error)))));
  });
}
