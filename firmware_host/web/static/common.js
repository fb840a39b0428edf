// What all pages share: words, language and theme, asking the table, and hearing from it.

const stored = (key, value) => {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch { /* a private window keeps nothing */ }
  return value;
};

export const page = { language: stored("language"), words: {}, state: null };

export function t(key, fields = {}) {
  const entry = page.words[key];
  const said = entry ? entry[page.language] ?? entry.en : key;
  return said.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

// -- the document -------------------------------------------------------------------------------

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [what, does] of Object.entries(value)) element.addEventListener(what, does);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const $ = (id) => document.getElementById(id);

const shown = new Map();

// Draw a part anew only when what it shows has changed, so that nobody loses the focus.
export function part(id, shows, draw) {
  const key = JSON.stringify([page.language, shows]);
  const place = $(id);
  if (!place || shown.get(id) === key) return;
  shown.set(id, key);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const drawn = [draw(shows)].flat(Infinity).filter(Boolean);
  place.replaceChildren(...drawn);
  place.hidden = !drawn.length;
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

export function forget() {
  shown.clear();
}

export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

let quiet;
export function say(text, kind = "info") {
  const place = $("said");
  place.className = kind;
  place.textContent = text;
  clearTimeout(quiet);
  if (text) quiet = setTimeout(() => { place.textContent = ""; place.className = ""; }, 6000);
}

// -- asking -------------------------------------------------------------------------------------

const query = (fields) => {
  const asked = new URLSearchParams({ language: page.language ?? "" });
  for (const [key, value] of Object.entries(fields)) if (value !== null && value !== undefined) asked.set(key, value);
  return asked;
};

export async function get(path, fields = {}) {
  const answer = await fetch(`${path}?${query(fields)}`, { cache: "no-store" });
  const told = await answer.json();
  return answer.ok ? told : Promise.reject(Object.assign(new Error(told.why), told));
}

// What was asked for is done (its answer), or people are told why not (null).
export async function ask(path, wish = {}) {
  try {
    const answer = await fetch(`${path}?${query({})}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
    });
    const told = await answer.json();
    if (answer.ok) return told;
    say(told.why, "bad");
  } catch {
    say(t("offline"), "bad");
  }
  return null;
}

// -- hearing ------------------------------------------------------------------------------------

let source, seatOf = null, hears = () => {}, lost = () => {}, again;

export function listen(seat, onState, onGone = () => {}) {
  [seatOf, hears, lost] = [seat, onState, onGone];
  connect();
}

function connect() {
  clearTimeout(again);
  source?.close();
  source = new EventSource(`/api/events?${query({ seat: seatOf })}`);
  source.addEventListener("state", (event) => {
    page.state = JSON.parse(event.data);
    page.heard = performance.now();
    page.language ??= page.state.language;
    online(true);
    draw();
  });
  source.addEventListener("gone", () => { source.close(); lost(); });
  source.onopen = () => online(true);
  source.onerror = () => {
    online(false);
    if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
    get("/api/state", { seat: seatOf }).then(
      () => { again = setTimeout(connect, 1500); },
      (refused) => {
        if (refused.code === "not_your_seat") lost();
        else again = setTimeout(connect, 3000);
      },
    );
  };
}

export function draw() {
  if (!page.state) return;
  document.documentElement.lang = page.language;
  hears(page.state);
}

function online(is) {
  document.body.classList.toggle("offline", !is);
  const lamp = $("lamp");
  if (lamp) lamp.title = lamp.ariaLabel = t(is ? "live" : "offline");
}

// -- the bar at the top -------------------------------------------------------------------------

// `links` draws what belongs to the page, from `shows`.
export function bar(title, shows = null, links = () => []) {
  const other = page.language === "fr" ? "en" : "fr";
  part("bar", [title, shows], () => [
    h("a", { class: "skip", href: "#main" }, t("skip")),
    h("a", { class: "mark", href: "/", "aria-label": "Cavale", "data-key": "mark" }, h("img", { src: "/static/icon.svg", alt: "", width: 32, height: 32 }), h("span", {}, "Cavale")),
    h("h1", {}, title),
    h("nav", { "aria-label": t("menu") },
      links(shows),
      h("span", { id: "lamp", role: "img", "aria-label": t("live"), title: t("live") }),
      h("button", { class: "quiet", lang: other, "data-key": "language", title: t("other_language"), on: { click: () => speak(other) } }, other.toUpperCase()),
      h("button", { class: "quiet", "data-key": "theme", "aria-label": t("theme"), title: t("theme"), on: { click: dim } }, "◐"),
    ),
  ]);
}

function speak(language) {
  page.language = stored("language", language);
  document.documentElement.lang = language;
  forget();
  if (source) connect();
  dispatchEvent(new Event("language"));
}

function dim() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = stored("theme", dark ? "light" : "dark");
}

// As it was chosen on any of our pages.
export function dressed() {
  const theme = stored("theme");
  if (theme) document.documentElement.dataset.theme = theme;
}

export async function begin() {
  dressed();
  page.language ??= navigator.language?.startsWith("fr") ? "fr" : "en";
  document.documentElement.lang = page.language;
  for (;;) {
    try {
      page.words = await get("/api/words");
      return;
    } catch {
      await new Promise((soon) => setTimeout(soon, 1500));
    }
  }
}
