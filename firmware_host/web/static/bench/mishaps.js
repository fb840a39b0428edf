// What can go wrong, and how the devices are doing.

import { at, make } from "./dom.js";

export class Mishaps {
  #do;
  #breakable = {};

  constructor(send) {
    this.#do = send;
    at("target").addEventListener("change", () => this.#kinds());
    at("order").addEventListener("submit", (event) => {
      event.preventDefault();
      const order = [at("fault").value, at("target").value, at("details").value.trim()];
      send({ do: "order", order: order.filter(Boolean).join(" ") });
    });
  }

  offer(breakable) {
    this.#breakable = breakable;
    const chosen = at("target").value;
    at("target").replaceChildren(
      ...Object.keys(breakable).map((name) => make("option", { value: name, text: name })));
    if (chosen in breakable) at("target").value = chosen;
    this.#kinds();
  }

  #kinds() {
    const kinds = this.#breakable[at("target").value] ?? [];
    const usual = kinds.find((kind) => ["missing", "stuck", "unplugged"].includes(kind));
    at("fault").replaceChildren(
      ...kinds.map((kind) => make("option", { value: kind, text: kind.replaceAll("_", " ") })));
    if (usual) at("fault").value = usual;
  }

  faults(faults, words) {
    const chips = faults.map(([fault, target]) =>
      make("span", { class: "fault", "data-fault": fault, "data-target": target },
        make("span", { text: `${fault.replaceAll("_", " ")}: ${target}` }),
        make("button", { text: words.mend, on: { click: () => this.#do({ do: "mend", fault, target }) } })));
    if (faults.length > 1) {
      chips.push(make("button", { text: words.mend_all, on: { click: () => this.#do({ do: "mend" }) } }));
    }
    at("faults").replaceChildren(...chips);
  }

  health(devices) {
    at("health").replaceChildren(...devices.map((device) =>
      make("li", { class: device.state, "data-device": device.device },
        make("b", { text: device.device }),
        make("span", { text: device.error ? `${device.state}: ${device.error}` : device.state }))));
  }
}
