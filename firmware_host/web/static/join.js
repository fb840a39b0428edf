// A code for a key.

import { ask, begin, bar, h, say, t } from "/static/common.js";

const given = /^\/s\/([^/]+)$/i.exec(location.pathname)?.[1]?.toUpperCase() ?? "";

function shown() {
  document.title = `${t("join")} · Cavale`;
  bar(t("join"), null, () => h("a", { class: "button quiet", "data-key": "table", href: "/" }, t("table")));
  const code = h("input", { id: "code", name: "code", value: given, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "12", required: true, "aria-describedby": "hint" });
  const send = h("button", { class: "main" }, t("join_now"));
  const form = h("form", { on: { submit: async (event) => {
    event.preventDefault();
    send.disabled = true;
    send.textContent = t("joining");
    const done = await ask("/api/join", { code: code.value.trim().padEnd(8, "-") });
    send.disabled = false;
    send.textContent = t("join_now");
    if (done) location.replace(done.seat === null ? "/" : `/seat/${done.seat}`);
    else code.focus();
  } } },
  h("label", { for: "code" }, t("code")), code, h("p", { id: "hint", class: "small" }, t(given ? "join_hint" : "code_hint")), send);
  document.getElementById("main").replaceChildren(form);
  (given ? send : code).focus();
}

await begin();
addEventListener("language", shown);
say("");
shown();
