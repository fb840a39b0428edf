// The dice tower: which dice are thrown, how they lie.

import { at, drawn, make } from "./dom.js";

export class Tower {
  #do;
  #chosen = new Set();
  #wanted = "";
  #dice = [];
  #words = {};

  constructor(send) {
    this.#do = send;
    at("throw").addEventListener("click", () => this.throw([...this.#chosen]));
    at("tower").querySelector(".chute").dataset.chute = "";
  }

  throw(names) {
    const face = at("face").value ? Number(at("face").value) : null;
    this.#do({ do: "throw", dice: Object.fromEntries(names.map((name) => [name, face])) });
  }

  toggle(name) {
    if (!this.#chosen.delete(name)) this.#chosen.add(name);
    this.draw(this.#dice);
  }

  words(words) {
    this.#words = words;
    const chosen = at("face").value;
    at("face").replaceChildren(
      make("option", { value: "", text: words.chance }),
      ...[1, 2, 3, 4, 5, 6].map((face) => make("option", { value: face, text: face })));
    at("face").value = chosen;
  }

  draw(dice) {
    this.#dice = dice;
    at("tower").hidden = dice.length === 0;
    const wanted = dice.filter((die) => die.wanted).map((die) => die.name);
    if (wanted.join() !== this.#wanted) { // another throw is asked for
      this.#wanted = wanted.join();
      this.#chosen = new Set(wanted.length ? wanted : dice.length === 1 ? [dice[0].name] : []);
    }
    if (dice.length === 1) this.#chosen = new Set([dice[0].name]);
    at("dice").replaceChildren(...dice.map((die) => this.#choice(die)));
    at("throw").disabled = this.#chosen.size === 0;
    const lying = dice.filter((die) => die.where !== "box");
    at("tray").replaceChildren(...lying.map((die) => this.#lying(die)));
  }

  #choice(die) {
    const chosen = this.#chosen.has(die.name);
    return make("span", {
      class: `die-choice${chosen ? " chosen" : ""}${die.where !== "box" ? " away" : ""}`,
      role: "checkbox", tabindex: 0, "aria-checked": chosen, "aria-label": die.label, title: die.label,
      "data-die": die.name,
      on: {
        keydown: (event) => {
          if (event.key !== " " && event.key !== "Enter") return;
          this.toggle(die.name);
          event.preventDefault();
          at("dice").querySelector(`[data-die="${die.name}"]`)?.focus();
        },
      },
    }, drawn(die.blank));
  }

  #lying(die) {
    const words = this.#words;
    const picture = make("span", { class: `lying ${die.where}` }, drawn(die.svg));
    const says = { cocked: words.cocked, falling: words.falling }[die.where] ?? die.label;
    const cock = make("button", {
      text: words.cock, on: { click: () => this.#do({ do: "cock", die: die.name }) },
    });
    const remove = make("button", {
      text: words.remove, on: { click: () => this.#do({ do: "remove", die: die.name }) },
    });
    cock.disabled = die.where === "cocked";
    return make("div", { class: "lies", "data-lies": die.name, "data-where": die.where, "data-face": die.face },
      picture, make("span", { text: says }), cock, remove);
  }
}
