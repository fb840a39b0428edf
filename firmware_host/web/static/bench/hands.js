// Hands: pieces by mouse, finger or keyboard, from wherever they lie to wherever they go.
//
// A piece that is dragged is lifted when it begins to move, and put down when it is let go; in
// between it is in the hand, and the table's sensors do not see it, unless it slides.

import { $, picture } from "./dom.js";

const FAR = 6; // pixels until a touch is a drag
const LATE = 700; // ms that the picture in the hand stays, until the board shows the piece
const KNOTS = ["knot_red", "knot_blue"];
const SOURCES = "[data-piece], [data-stock], [data-thing], [data-die]";
const TARGETS = "[data-opening], [data-space], [data-pad], [data-chute], [data-box]";

export class Hands {
  #do;
  #bench;
  #drag = null;
  #held = null; // taken up by a tap or by the keyboard

  constructor(send, bench) {
    this.#do = send;
    this.#bench = bench;
    document.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#cancel());
    document.addEventListener("keydown", (event) => this.#key(event));
    // Fingers that take a piece do not scroll the page.
    document.addEventListener("touchstart", (event) => {
      if (event.target.closest?.(SOURCES)) event.preventDefault();
    }, { passive: false });
    document.addEventListener("dragstart", (event) => event.preventDefault());
  }

  // A picture that a finger rests on is not to be taken away: its movements would be lost.
  get busy() {
    return Boolean(this.#drag?.moving);
  }

  // -- what is where --------------------------------------------------------------------------

  #source(element) {
    const found = element?.closest?.(SOURCES);
    if (!found) return null;
    const data = found.dataset;
    if (data.piece !== undefined) {
      const space = found.closest("[data-space]").dataset.space;
      return { element: found, space, n: Number(data.n), kind: data.piece, id: data.id || null };
    }
    if (data.stock !== undefined) {
      return { element: found, kind: KNOTS[Number(data.stock)], id: null };
    }
    if (data.thing !== undefined) {
      return Number(data.left) > 0 ? { element: found, kind: data.kind, id: data.id || null } : null;
    }
    return { element: found, die: data.die };
  }

  #under(x, y) {
    const element = document.elementFromPoint(x, y);
    return this.#target(element);
  }

  #target(element) {
    const found = element?.closest?.(TARGETS);
    if (!found) return null;
    const piece = element.closest("[data-piece]");
    const on = piece && this.#bench.stacks(piece.dataset.piece, piece.dataset.id)
      ? Number(piece.dataset.n) : null;
    return { element: found, on, ...found.dataset };
  }

  // -- mouse and finger -----------------------------------------------------------------------

  #down(event) {
    if (event.button !== 0 || event.target.closest("dialog, button, a, input, select")) return;
    const source = this.#source(event.target);
    this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY, source, over: null };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.id || !drag.source) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      drag.moving = true;
      this.#letGo();
      this.#lift(drag.source);
      getSelection()?.removeAllRanges();
    }
    this.#carry(event.clientX, event.clientY);
    const target = this.#fits(drag.source, this.#under(event.clientX, event.clientY));
    if (target?.element !== drag.over) {
      drag.over?.classList.remove("aim");
      target?.element.classList.add("aim");
      drag.over = target?.element ?? null;
      if (target?.space && (event.shiftKey || $("slide").checked)) {
        this.#do({ do: "slide", space: target.space });
      }
    }
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.id) return;
    this.#drag = null;
    drag.over?.classList.remove("aim");
    if (drag.moving) this.#put(drag.source, this.#under(event.clientX, event.clientY));
    else if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) this.#tap(event.target);
  }

  #cancel() {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.moving) this.#put(drag.source, null);
  }

  // A tap takes a piece up, the next one says where to.
  #tap(element) {
    const target = this.#target(element);
    if (this.#held) {
      const source = this.#held;
      const same = element.closest?.(SOURCES) === source.element;
      this.#letGo();
      if (same) return;
      if (this.#fits(source, target)) {
        this.#lift(source);
        this.#put(source, target);
        return;
      }
    }
    if (target?.opening) {
      const kind = this.#bench.knot();
      if (kind) this.#do({ do: "push", opening: target.opening, kind });
      return;
    }
    const source = this.#source(element);
    if (source?.die) this.#bench.toggle(source.die);
    else if (source) this.#hold(source);
  }

  #hold(source) {
    this.#held = source;
    source.element.classList.add("held");
    document.body.classList.add("holding");
    this.#bench.say(source);
  }

  #letGo() {
    if (!this.#held) return;
    this.#held.element.classList.remove("held");
    document.querySelectorAll(".held").forEach((element) => element.classList.remove("held"));
    this.#held = null;
    document.body.classList.remove("holding");
    this.#bench.say(null);
  }

  // -- the deeds ------------------------------------------------------------------------------

  #fits(source, target) {
    if (!target) return null;
    if (source.die) return target.chute !== undefined ? target : null;
    return target.chute === undefined ? target : null;
  }

  #lift(source) {
    const drawing = source.die
      ? source.element.querySelector("svg")?.outerHTML : this.#bench.drawing(source);
    const ghost = $("ghost");
    ghost.replaceChildren(...(drawing ? [picture(drawing)] : []));
    const size = source.element.getBoundingClientRect();
    const side = source.element.dataset.stock ? 56 : Math.min(120, Math.max(44, size.height));
    ghost.style.width = `${side}px`;
    if (source.element.dataset.piece) source.element.classList.add("lifted");
    if (source.die) return;
    if (source.space) this.#do({ do: "lift", space: source.space, n: source.n });
    else this.#do({ do: "lift", kind: source.kind, id: source.id });
  }

  #carry(x, y) {
    const ghost = $("ghost");
    ghost.hidden = false;
    ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -60%)`;
  }

  #put(source, aimed) {
    const target = this.#fits(source, aimed);
    if (source.die) {
      this.#drop();
      if (target) this.#bench.throw([source.die]);
    } else if (target?.opening) {
      this.#do({ do: "push", opening: target.opening }).then(() => this.#late());
    } else if (target?.pad !== undefined) {
      this.#do({ do: "hold" }).then(() => this.#drop());
    } else {
      const home = source.space ?? null;
      const space = target ? (target.space ?? null) : home;
      const on = target?.space ? target.on : null;
      this.#do({ do: "lower", space, on }).then(() => this.#late());
    }
  }

  #late() {
    setTimeout(() => this.#drop(), LATE);
  }

  // The board shows the piece now.
  #drop() {
    if (this.busy) return;
    $("ghost").hidden = true;
    document.querySelectorAll(".lifted").forEach((element) => element.classList.remove("lifted"));
    this.#bench.redraw();
  }

  // -- keyboard -------------------------------------------------------------------------------

  #key(event) {
    if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey) return;
    const button = { c: "confirm", u: "undo", n: "next" }[event.key];
    if (button && !event.altKey) {
      this.#do({ do: "press", button });
    } else if (event.key === "Escape") {
      if (this.#drag?.moving) this.#cancel();
      this.#letGo();
    } else if (event.key.startsWith("Arrow") && event.target.closest("#board, #things")) {
      this.#step(event.target, event.key);
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && event.target.closest("#board, #things")) {
      this.#tap(event.target);
      event.preventDefault();
    }
  }

  // The nearest thing in that direction, as the eye would go.
  #step(from, key) {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const element of document.querySelectorAll("#board [tabindex], #things [tabindex]")) {
      const [ex, ey] = middle(element);
      const [dx, dy] = [ex - x, ey - y];
      const [along, across] = {
        ArrowRight: [dx, dy], ArrowLeft: [-dx, dy], ArrowDown: [dy, dx], ArrowUp: [-dy, dx],
      }[key];
      if (element === from || along < 4) continue;
      const cost = along + 2.5 * Math.abs(across);
      if (cost < least) [best, least] = [element, cost];
    }
    best?.focus();
  }

  // -- a new picture of the board -------------------------------------------------------------

  // Makes what is drawn reachable, and keeps the keyboard and the hand where they were.
  adopt(root, before) {
    root.setAttribute("role", "group");
    for (const element of root.querySelectorAll("[data-space], [data-piece], [data-opening], [data-stock]")) {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      const name = element.querySelector(":scope > title")?.textContent;
      if (name) element.setAttribute("aria-label", name);
    }
    if (before) root.querySelector(before)?.focus({ preventScroll: true });
    const held = this.#held;
    if (held && held.space !== undefined) {
      const again = root.querySelector(where(held.element));
      if (again) { held.element = again; again.classList.add("held"); } else this.#letGo();
    }
    if (!this.busy) this.#drop();
  }

  focused(root) {
    const element = document.activeElement;
    return root.contains(element) ? where(element) : null;
  }
}

// How to find the same thing in another picture.
function where(element) {
  const data = element.dataset;
  if (data.opening) return `[data-opening="${data.opening}"]`;
  if (data.stock) return `[data-stock="${data.stock}"]`;
  const space = CSS.escape(element.closest("[data-space]")?.dataset.space ?? "");
  if (data.piece === undefined) return `[data-space="${space}"]`;
  return `[data-space="${space}"] [data-n="${data.n}"]`;
}
