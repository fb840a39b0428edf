// The dice tower: which dice are thrown, how they lie.

import { $, h, picture } from "./dom.js";

export class Tower {
  #do;
  #chosen = new Set();
  #wanted = "";
  #dice = [];
  #words = {};

  constructor(send) {
    this.#do = send;
    $("throw").addEventListener("click", () => this.throw([...this.#chosen]));
    $("tower").querySelector(".chute").dataset.chute = "";
  }

  throw(names) {
    const face = $("face").value ? Number($("face").value) : null;
    this.#do({ do: "throw", dice: Object.fromEntries(names.map((name) => [name, face])) });
  }

  toggle(name) {
    if (!this.#chosen.delete(name)) this.#chosen.add(name);
    this.draw(this.#dice);
  }

  words(words) {
    this.#words = words;
    const chosen = $("face").value;
    $("face").replaceChildren(
      h("option", { value: "" }, words.chance),
      ...[1, 2, 3, 4, 5, 6].map((face) => h("option", { value: String(face) }, face)));
    $("face").value = chosen;
  }

  draw(dice) {
    this.#dice = dice;
    $("tower").hidden = dice.length === 0;
    const wanted = dice.filter((die) => die.wanted).map((die) => die.name);
    if (wanted.join() !== this.#wanted) { // another throw is asked for
      this.#wanted = wanted.join();
      this.#chosen = new Set(wanted.length ? wanted : dice.length === 1 ? [dice[0].name] : []);
    }
    if (dice.length === 1) this.#chosen = new Set([dice[0].name]);
    $("dice").replaceChildren(...dice.map((die) => this.#choice(die)));
    $("throw").disabled = this.#chosen.size === 0;
    const lying = dice.filter((die) => die.where !== "box");
    $("tray").replaceChildren(...lying.map((die) => this.#lying(die)));
  }

  #choice(die) {
    const chosen = this.#chosen.has(die.name);
    return h("span", {
      class: `die-choice${chosen ? " chosen" : ""}${die.where !== "box" ? " away" : ""}`,
      role: "checkbox", tabindex: 0, "aria-checked": String(chosen), "aria-label": die.label, title: die.label,
      "data-die": die.name,
      on: {
        keydown: (event) => {
          if (event.key !== " " && event.key !== "Enter") return;
          this.toggle(die.name);
          event.preventDefault();
          $("dice").querySelector(`[data-die="${die.name}"]`)?.focus();
        },
      },
    }, picture(die.blank));
  }

  #lying(die) {
    const words = this.#words;
    const cube = h("span", { class: `lying ${die.where}` }, picture(die.svg));
    const says = { cocked: words.cocked, falling: words.falling }[die.where] ?? die.label;
    const cock = h("button", {
      disabled: die.where === "cocked", on: { click: () => this.#do({ do: "cock", die: die.name }) },
    }, words.cock);
    const remove = h("button", { on: { click: () => this.#do({ do: "remove", die: die.name }) } }, words.remove);
    return h("div", { class: "lies", "data-lies": die.name, "data-where": die.where, "data-face": die.face },
      cube, h("span", {}, says), cock, remove);
  }
}
