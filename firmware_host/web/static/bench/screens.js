// What the simulated chips show: pixels, light and sound.

import { $, filled, h } from "./dom.js";

const WIDE = 128, HIGH = 64;
const LIT = [176, 232, 255, 255];

export class Screens {
  #canvases = [];
  #beeps = null;
  #audio = null;

  constructor() {
    $("buzzer").addEventListener("click", () => this.#listen());
  }

  words(words) {
    this.#canvases.forEach((canvas, n) =>
      canvas.setAttribute("aria-label", filled(words.screen, { n: n + 1 })));
    $("light").setAttribute("aria-label", words.light);
    $("buzzer").setAttribute("aria-label", words.sound_on);
    $("buzzer").title = words.sound_on;
  }

  draw(screens, words) {
    if (screens.length !== this.#canvases.length) {
      this.#canvases = screens.map((_, n) =>
        h("canvas", { width: WIDE, height: HIGH, role: "img", id: `screen-${n + 1}` }));
      $("screens").replaceChildren(...this.#canvases);
      this.words(words);
    }
    screens.forEach((packed, n) => this.#paint(this.#canvases[n], packed));
  }

  #paint(canvas, packed) {
    if (canvas.packed === packed) return;
    canvas.packed = packed;
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const pen = canvas.getContext("2d");
    const picture = pen.createImageData(WIDE, HIGH);
    for (let n = 0; n < WIDE * HIGH; n++) {
      if (bytes[n >> 3] & (0x80 >> (n & 7))) picture.data.set(LIT, n * 4);
    }
    pen.putImageData(picture, 0, 0);
  }

  light(levels) {
    const lamp = $("light");
    lamp.hidden = levels == null;
    if (levels == null) return;
    const strongest = Math.max(...levels);
    // A lamp at half power looks nearly as bright as at full: eyes are like that.
    const colour = levels.map((level) => Math.round(255 * Math.sqrt(level)));
    lamp.style.setProperty("--glow", `rgb(${colour.join(" ")})`);
    lamp.classList.toggle("lit", strongest > 0);
    lamp.dataset.colour = colour.join(",");
  }

  sound(sounding, beeps) {
    const buzzer = $("buzzer");
    buzzer.hidden = sounding == null;
    if (this.#beeps !== null && beeps > this.#beeps) {
      buzzer.classList.remove("sounding");
      void buzzer.offsetWidth; // let the animation begin anew
      buzzer.classList.add("sounding");
      this.#beep();
    }
    this.#beeps = beeps;
    buzzer.dataset.beeps = beeps;
  }

  // Browsers stay silent until somebody asks for sound.
  #listen() {
    const wanted = $("buzzer").getAttribute("aria-pressed") !== "true";
    $("buzzer").setAttribute("aria-pressed", wanted);
    if (wanted) this.#audio ??= new AudioContext();
    if (wanted) this.#beep();
  }

  #beep() {
    if (!this.#audio || $("buzzer").getAttribute("aria-pressed") !== "true") return;
    const tone = this.#audio.createOscillator(), volume = this.#audio.createGain();
    tone.type = "square";
    tone.frequency.value = 2300;
    volume.gain.value = 0.04;
    tone.connect(volume).connect(this.#audio.destination);
    tone.start();
    tone.stop(this.#audio.currentTime + 0.08);
  }
}
