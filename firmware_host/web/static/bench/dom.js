// Small things that all parts of the page use.

export const at = (id) => document.getElementById(id);

export function make(name, { text, on, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  if (text != null) element.textContent = text;
  for (const [event, listener] of Object.entries(on ?? {})) element.addEventListener(event, listener);
  element.append(...children);
  return element;
}

// Drawn by the house itself, which escapes whatever people wrote.
export function drawn(markup) {
  const found = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  return document.importNode(found, true);
}

export function show(element, text) {
  element.hidden = !text;
  if (text && element.textContent !== text) element.textContent = text;
}

export const filled = (sentence, fields) =>
  (sentence ?? "").replace(/\{(\w+)\}/g, (_, key) => fields[key] ?? "");
