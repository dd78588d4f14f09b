// @ts-check
/** Creating elements without markup in strings: typed text stays text. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the element of the page with an id.
 *
 * @template {string} K
 * @param {K} name
 * @returns {K extends keyof Parts ? Parts[K] : HTMLElement}
 */
export const part = (name) => /** @type {any} */ (document.getElementById(name));

/**
 * Announce a message in the page's line for it, to screen readers too; each is seen for its whole time.
 *
 * @param {string} words
 * @param {boolean} [isError]
 */
export function announce(words, isError = false) {
  const told = part("told");
  told.textContent = words;
  told.classList.toggle("error", isError);
  for (const fading of told.getAnimations()) fading.currentTime = 0;
}

/**
 * Return an element inside another, which has one that matches.
 *
 * @template {HTMLElement} [E=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {E}
 */
export const find = (root, selector) => /** @type {E} */ (root.querySelector(selector));

/**
 * Return what draws on a canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export const penOf = (canvas, settings) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));

/**
 * Return an image once it can be drawn.
 *
 * @param {string} src
 */
export async function loadImage(src) {
  const image = el("img", { alt: "", draggable: "false", src });
  await image.decode();
  return image;
}

/**
 * Create an element with attributes (functions are listeners, null and false are left out, true is empty) and children.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<HTMLElementTagNameMap[K]>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Create an SVG element in the same way.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<SVGElementTagNameMap[K]>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * One of the page's icons, drawn once in the template.
 *
 * @param {string} name
 */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: `#icon-${name}` }),
  );
}

/**
 * Create a button with an icon and words.
 *
 * @param {string | null} name
 * @param {string} words
 * @param {Handler<HTMLButtonElement, MouseEvent> | null} onclick
 * @param {Attributes<HTMLButtonElement>} [attributes]
 */
export function button(name, words, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, name ? icon(name) : null, el("span", {}, words));
}

/**
 * Create a button that shows only its icon; its words are the accessible name and the hint.
 *
 * @param {string} name
 * @param {string} words
 * @param {Handler<HTMLButtonElement, MouseEvent>} onclick
 * @param {Attributes<HTMLButtonElement>} [attributes]
 */
export function iconButton(name, words, onclick, attributes = {}) {
  return el(
    "button",
    { type: "button", class: "round", "aria-label": words, title: words, onclick, ...attributes },
    icon(name),
  );
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {object} attributes
 * @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodesOf(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
const nodesOf = (children) =>
  children.flatMap((child) =>
    Array.isArray(child) ? nodesOf(child) : child === null || child === undefined || child === false ? [] : [child],
  );
