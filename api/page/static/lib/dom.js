/** Creating elements without markup in strings: typed text stays text. */

const SVG = "http://www.w3.org/2000/svg";

/** Return the element of the page with an id. */
export const part = (name) => document.getElementById(name);

/**
 * Create an element with attributes (functions are listeners, null and false are left out, true is empty) and children.
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Create an SVG element in the same way. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** One of the page's icons, drawn once in the template. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: `#icon-${name}` }),
  );
}

/** Create a button with an icon and words. */
export function button(name, words, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, name ? icon(name) : null, el("span", {}, words));
}

/** Create a button that shows only its icon; its words are the accessible name and the hint. */
export function iconButton(name, words, onclick, attributes = {}) {
  return el(
    "button",
    { type: "button", class: "round", "aria-label": words, title: words, onclick, ...attributes },
    icon(name),
  );
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
