// What the host may do: begin and end games, let phones in, set the table, put a number right.

import { ask, get, h, page, say, t } from "/static/common.js";
import { dialog } from "/static/parts.js";

export async function hostPanel() {
  const games = await get("/api/games").catch((refused) => { say(refused.message, "bad"); });
  if (!games) return;
  const box = dialog(t("host"), phones(), newGame(games, () => box.close()), settings(), await corrections(() => box.close()), ending(() => box.close()));
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
    options.replaceChildren(...Object.entries(chosen().options).map(([name, { default: is, text }]) => h("label", { class: typeof is === "boolean" ? "check" : "" },
      typeof is === "boolean" ? h("input", { type: "checkbox", name, checked: is }) : h("input", { type: typeof is === "number" ? "number" : "text", name, value: String(is) }),
      h("span", {}, h("b", {}, name), " ", text))));
  };
  choice.addEventListener("change", fill);
  fill();
  const open = page.state.game !== null && !page.state.ended;
  const sure = h("input", { type: "checkbox", required: true });
  return h("form", { on: { submit: async (event) => {
    event.preventDefault();
    const set = {};
    for (const input of options.querySelectorAll("input")) {
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

async function corrections(close) {
  const told = await get("/api/correct").catch(() => null);
  if (!told?.fields.length) return null;
  const inputs = told.fields.map(({ path, value }) => [path, value, h("input", { type: typeof value === "number" ? "number" : "text", value: String(value), "aria-label": path.join(" ") })]);
  return h("form", { on: { submit: async (event) => {
    event.preventDefault();
    const changes = inputs.filter(([, value, input]) => input.value !== String(value)).map(([path, value, input]) => ({ path, value: typeof value === "number" ? Number(input.value) : input.value }));
    if (!changes.length) return;
    say(t("asking_table"));
    close();
    if (await ask("/api/correct", { game: told.game, seq: told.seq, changes })) say(t("corrected"), "good");
  } } },
  h("details", {}, h("summary", {}, t("correct")), h("p", { class: "small" }, t("correct_hint")),
    h("div", { class: "fields" }, inputs.map(([path, , input]) => h("label", {}, h("span", {}, path.join(" · ")), input))), h("button", {}, t("correct_now"))));
}

function ending(close) {
  if (page.state.game === null || page.state.ended) return null;
  const sure = h("input", { type: "checkbox", required: true });
  return h("form", { on: { submit: async (event) => { event.preventDefault(); if (await ask("/api/close")) close(); } } },
    h("details", {}, h("summary", {}, t("end_game")), h("label", { class: "check" }, sure, h("span", {}, t("end_sure"))), h("button", {}, t("end_game"))));
}
