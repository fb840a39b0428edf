// Which game, on which table, who plays.

import { $, filled, h } from "./dom.js";

const NAMES = ["Ana", "Bo", "Cy", "Dee", "Eve", "Flo"];

export class Chooser {
  #games = [];
  #words = {};
  #game = null;
  #table = null;
  #names = [];

  constructor(send) {
    $("new").addEventListener("click", () => this.open());
    $("cancel").addEventListener("click", () => $("begin").close());
    $("more").addEventListener("click", () => this.#count(+1));
    $("fewer").addEventListener("click", () => this.#count(-1));
    $("chooser").addEventListener("submit", () => send({
      do: "play", game: this.#game.id, table: this.#table, seats: this.#names.map((name) => name.trim()),
    }));
  }

  know(games, words) {
    this.#games = games;
    this.#words = words;
    if ($("begin").open) this.#draw();
  }

  open(current) {
    const now = current ?? this.current ?? {};
    this.#game = this.#games.find((game) => game.id === now.game) ?? this.#games[0];
    this.#table = this.#game.tables.includes(now.table) ? now.table : this.#game.tables[0];
    this.#names = now.seats?.length ? [...now.seats] : NAMES.slice(0, this.#game.seats[0]);
    $("abandons").hidden = !now.open;
    this.#fit();
    this.#draw();
    $("begin").showModal();
  }

  #fit() {
    const [low, high] = this.#game.seats;
    this.#names = this.#names.slice(0, high);
    for (const name of NAMES) {
      if (this.#names.length < low && !this.#names.includes(name)) this.#names.push(name);
    }
  }

  #count(more) {
    const [low, high] = this.#game.seats;
    const many = Math.min(high, Math.max(low, this.#names.length + more));
    const free = NAMES.filter((name) => !this.#names.includes(name));
    this.#names = [...this.#names, ...free].slice(0, many);
    this.#draw();
  }

  #draw() {
    const words = this.#words;
    this.#game = this.#games.find((game) => game.id === this.#game.id);
    $("games").replaceChildren(...this.#games.map((game) =>
      radio("game", game.id, game.title, `${game.seats[0]}–${game.seats[1]}`.replace(/^(\d+)–\1$/, "$1"),
        game === this.#game, () => {
          this.#game = game;
          this.#table = game.tables[0];
          this.#fit();
          this.#draw();
        })));
    $("tables").replaceChildren(...this.#game.tables.map((table) =>
      radio("table", table, words[`table_${table}`] ?? table, table, table === this.#table, () => {
        this.#table = table;
        this.#draw();
      })));
    $("names").replaceChildren(...this.#names.map((name, n) =>
      h("input", {
        value: name, maxlength: 40, required: true, "aria-label": filled(words.player, { n: n + 1 }),
        on: { input: (event) => { this.#names[n] = event.target.value; } },
      })));
    const [low, high] = this.#game.seats;
    $("more").disabled = this.#names.length >= high;
    $("fewer").disabled = this.#names.length <= low;
  }
}

function radio(group, value, title, note, checked, choose) {
  const input = h("input", { type: "radio", name: group, value, on: { change: choose } });
  input.checked = checked;
  return h("label", { class: "choice" }, input,
    h("span", {}, h("b", {}, title), h("small", {}, note)));
}
