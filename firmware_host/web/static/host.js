// What the host may do: begin and end games, let phones in, set the table, put a position right, say who
// plays on for somebody who leaves.

import { ask, get, h, page, say, t } from "/static/common.js";
import { dialog, sentence } from "/static/parts.js";

export async function hostPanel() {
  const games = await get("/api/games").catch((refused) => { say(refused.message, "bad"); });
  if (!games) return;
  const box = dialog(t("host"), phones(), newGame(games, () => box.close()), settings(), await corrections(() => box.close()), leaving(() => box.close()), ending(() => box.close()));
  box.classList.add("host");
  box.showModal();
}

function phones() {
  const seats = page.state.seats ?? [];
  if (!seats.length) return null;
  return h("section", {}, h("h3", {}, t("phones")), h("p", { class: "small" }, t("phones_hint")),
    h("ul", { class: "phones" }, seats.map(({ seat, name, joined }) => h("li", {}, h("span", {}, name),
      h("button", { on: { click: async () => { if (await ask("/api/invite", { seat })) say(t("invited", { name })); } } }, t("invite")),
      joined && h("button", { class: "quiet", on: { click: async () => { if (await ask("/api/leave", { seat })) say(t("released", { name })); } } }, t("release"))))));
}

function newGame(games, close) {
  const seats = (page.state.seats ?? []).map(({ name }) => name);
  const names = h("div", { class: "names" }), options = h("div", { class: "game-options" });
  const choice = h("select", { id: "new-game" }, games.map(({ game, title }) => h("option", { value: game, selected: game === page.state.rules }, title)));
  const chosen = () => games.find(({ game }) => game === choice.value);
  const spare = ["Ana", "Bo", "Cy", "Dee", "Eve", "Flo"];
  const fill = () => {
    const [fewest, most] = chosen().seats;
    names.replaceChildren(...Array.from({ length: most }, (_, n) => h("input", { "aria-label": t("name_of", { n: n + 1 }), placeholder: t("name_of", { n: n + 1 }), maxlength: "32", required: n < fewest, value: seats[n] ?? (n < fewest ? spare[n] : "") })));
    options.replaceChildren(...Object.entries(chosen().options).map(([name, { default: is, text, choices }]) => {
      const told = h("span", {}, text, " ", h("small", { class: "small" }, name));
      if (typeof is === "boolean") return h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: is }), told);
      const plain = h("input", { type: typeof is === "number" ? "number" : "text", name, value: String(is) });
      return h("label", {}, told, choices.length > 1 ? h("select", { name }, choices.map((word) => h("option", { value: word, selected: word === is }, word))) : plain);
    }));
  };
  choice.addEventListener("change", fill);
  fill();
  const open = page.state.game !== null && !page.state.ended;
  const sure = h("input", { type: "checkbox", required: true });
  return h("form", { on: { submit: async (event) => {
    event.preventDefault();
    const set = {};
    for (const input of options.querySelectorAll("input, select")) {
      const is = chosen().options[input.name].default;
      const value = input.type === "checkbox" ? input.checked : input.type === "number" ? Number(input.value) : input.value;
      if (value !== is) set[input.name] = value;
    }
    const people = [...names.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
    if (await ask("/api/games", { game: choice.value, seats: people, options: set, abandon: open })) close();
  } } },
  h("h3", {}, t("new_game")), h("label", { for: "new-game" }, t("which_game")), choice, names,
  h("details", {}, h("summary", {}, t("options")), options),
  open && h("label", { class: "check" }, sure, h("span", {}, t("abandon_open", { game: page.state.title }))),
  h("button", { class: "main" }, t("begin")));
}

function settings() {
  const language = h("select", { id: "table-language", on: { change: () => ask("/api/settings", { language: language.value }) } },
    h("option", { value: "fr", selected: page.state.table_language === "fr" }, "Français"), h("option", { value: "en", selected: page.state.table_language === "en" }, "English"));
  const luck = h("select", { id: "luck", on: { change: () => ask("/api/settings", { luck: luck.value }) } },
    ["house", "box"].map((who) => h("option", { value: who, selected: page.state.luck === who }, t(`luck_${who}`))));
  const mute = h("input", { type: "checkbox", checked: page.state.mute, on: { change: () => ask("/api/settings", { mute: mute.checked }) } });
  return h("section", {}, h("h3", {}, t("settings")), h("label", { for: "table-language" }, t("table_language")), language,
    h("label", { for: "luck" }, t("luck")), luck, h("label", { class: "check" }, mute, h("span", {}, t("mute"))));
}

// Somebody leaves: who plays on?
function leaving(close) {
  const seats = page.state.seats ?? [];
  if (!seats.length || page.state.ended) return null;
  const seat = h("select", { id: "leaves" }, seats.map(({ seat, name }) => h("option", { value: String(seat) }, name)));
  const name = h("input", { id: "successor", maxlength: "32", required: true, placeholder: t("name") });
  const house = h("input", { type: "checkbox", on: { change: () => { name.disabled = house.checked; } } });
  return h("form", { on: { submit: async (event) => {
    event.preventDefault();
    const wish = house.checked ? {} : { name: name.value.trim() };
    if (await ask("/api/takeover", { seat: Number(seat.value), ...wish })) { say(t("taken_over"), "good"); close(); }
  } } },
  h("details", {}, h("summary", {}, t("leaving")), h("p", { class: "small" }, t("leaving_hint")),
    h("label", { for: "leaves" }, t("who_leaves")), seat,
    h("label", { for: "successor" }, t("who_instead")), name,
    h("label", { class: "check" }, house, h("span", {}, t("house_instead"))),
    h("button", {}, t("take_over"))));
}

// What everybody sees of the position: where pieces stand, and the numbers.
async function corrections(close) {
  const told = await get("/api/correct").catch(() => null);
  if (!told) return null;
  const inputs = told.fields.map(({ path, value, text }) => [path, value, h("input", { type: typeof value === "number" ? "number" : "text", value: String(value) }), text]);
  const rows = h("div", { class: "shifts" });
  const more = () => rows.append(shift(told));
  if (told.pieces.length) more();
  return h("form", { on: { submit: async (event) => {
    event.preventDefault();
    const changes = inputs.filter(([, value, input]) => input.value !== String(value)).map(([path, value, input]) => ({ path, value: typeof value === "number" ? Number(input.value) : input.value }));
    const pieces = [...rows.children].map(({ shifted }) => shifted()).filter(Boolean);
    if (!changes.length && !pieces.length) return;
    say(t("asking_table"));
    close();
    if (await ask("/api/correct", { game: told.game, seq: told.seq, changes, pieces })) say(t("corrected"), "good");
  } } },
  h("details", {}, h("summary", {}, t("correct")), h("p", { class: "small" }, t("correct_hint")),
    told.pieces.length > 0 && [h("h4", {}, t("pieces")), rows, h("button", { type: "button", class: "quiet", "data-key": "another", on: { click: more } }, t("another_piece"))],
    inputs.length > 0 && [h("h4", {}, t("values")), h("div", { class: "fields" }, inputs.map(([, , input, text]) => h("label", {}, h("span", {}, text), input)))],
    h("button", { class: "main" }, t("correct_now"))));
}

// A piece, where it is taken from, and where it goes.
function shift({ pieces, spaces }) {
  const named = new Map(spaces.map(({ space, text }) => [space, text]));
  const place = (space) => (space === null ? t("beside") : named.get(space) ?? space);
  const standing = pieces.flatMap(({ kind, id, text, at }) => at.map((space) => ({ kind, id, at: space, text: `${sentence(text)} — ${place(space)}` })));
  const piece = h("select", { "aria-label": t("which_piece") }, h("option", { value: "" }, t("which_piece")), standing.map(({ text }, n) => h("option", { value: String(n) }, text)));
  const to = h("select", { "aria-label": t("where_to") }, h("option", { value: "" }, t("where_to")), [...spaces.map(({ space }) => space), null].map((space) => h("option", { value: JSON.stringify(space) }, sentence(place(space)))));
  const row = h("div", { class: "shift" }, piece, h("span", { "aria-hidden": "true" }, "→"), to);
  row.shifted = () => {
    if (!piece.value || !to.value) return null;
    const { kind, id, at } = standing[Number(piece.value)];
    return { kind, id, at, to: JSON.parse(to.value) };
  };
  return row;
}

function ending(close) {
  if (page.state.game === null || page.state.ended) return null;
  const sure = h("input", { type: "checkbox", required: true });
  return h("form", { on: { submit: async (event) => { event.preventDefault(); if (await ask("/api/close")) close(); } } },
    h("details", {}, h("summary", {}, t("end_game")), h("label", { class: "check" }, sure, h("span", {}, t("end_sure"))), h("button", {}, t("end_game"))));
}
