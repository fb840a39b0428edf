// What can go wrong, and how the devices are doing.

import { $, h } from "./dom.js";

export class Mishaps {
  #do;
  #breakable = {};

  constructor(send) {
    this.#do = send;
    $("target").addEventListener("change", () => this.#kinds());
    $("order").addEventListener("submit", (event) => {
      event.preventDefault();
      const order = [$("fault").value, $("target").value, $("details").value.trim()];
      send({ do: "order", order: order.filter(Boolean).join(" ") });
    });
  }

  offer(breakable) {
    this.#breakable = breakable;
    const chosen = $("target").value;
    $("target").replaceChildren(
      ...Object.keys(breakable).map((name) => h("option", { value: name }, name)));
    if (chosen in breakable) $("target").value = chosen;
    this.#kinds();
  }

  #kinds() {
    const kinds = this.#breakable[$("target").value] ?? [];
    const usual = kinds.find((kind) => ["missing", "stuck", "unplugged"].includes(kind));
    $("fault").replaceChildren(
      ...kinds.map((kind) => h("option", { value: kind }, kind.replaceAll("_", " "))));
    if (usual) $("fault").value = usual;
  }

  faults(faults, words) {
    const chips = faults.map(([fault, target]) =>
      h("span", { class: "fault", "data-fault": fault, "data-target": target },
        h("span", {}, `${fault.replaceAll("_", " ")}: ${target}`),
        h("button", { on: { click: () => this.#do({ do: "mend", fault, target }) } }, words.mend)));
    if (faults.length > 1) {
      chips.push(h("button", { on: { click: () => this.#do({ do: "mend" }) } }, words.mend_all));
    }
    $("faults").replaceChildren(...chips);
  }

  health(devices) {
    $("health").replaceChildren(...devices.map((device) =>
      h("li", { class: device.state, "data-device": device.device },
        h("b", {}, device.device),
        h("span", {}, device.error ? `${device.state}: ${device.error}` : device.state))));
  }
}
