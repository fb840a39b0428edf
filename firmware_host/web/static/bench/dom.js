// Small things that all parts of the bench use.

export { $, dressed, h, picture } from "/static/common.js";

export function show(element, text) {
  element.hidden = !text;
  if (text && element.textContent !== text) element.textContent = text;
}

export const filled = (sentence, fields) =>
  (sentence ?? "").replace(/\{(\w+)\}/g, (_, key) => fields[key] ?? "");
