// @ts-check
/** Requests to `/v1`, with one form of error, shown in the page's language. */

import { key } from "./key.js";
import { fittingForm } from "./photo_fit.js";
import { named } from "./who.js";
import { knows, language, list, say } from "./words.js";

/** Maximum characters shown of a value from a file. */
const MAX_GIVEN = 60;

/** A refusal by the server, or `offline` if it cannot be reached. */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} text
   * @param {number} [status]
   * @param {ErrorDetails} [details]
   */
  constructor(code, text, status = 0, details = {}) {
    super(errorWords({ code, text, details }));
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * Word an error, with its place in a file if the details give one, named as in the file.
 *
 * @param {{ code: string, text: string, details?: ErrorDetails }} given
 * @param {string} [known]
 */
export function errorWords({ code, text, details }, known = sentenceOf(code, details)) {
  const words = knows(known) ? say(known) : text;
  const places = placesOf(details ?? {});
  return knows(known) && places.length ? say("error-where", { error: words, place: list(places) }) : words;
}

/**
 * Return the sentence of an error, the one for wonders if it concerns a wonder and there is one.
 *
 * @param {string} code
 * @param {ErrorDetails | undefined} details
 */
function sentenceOf(code, details) {
  const ofWonder = `error-${code}-wonder`;
  return details?.wonder && knows(ofWonder) ? ofWonder : `error-${code}`;
}

/**
 * @param {ErrorDetails} errorDetails
 * @returns {string[]}
 */
function placesOf({ line, column, key: entry, edge, given, at }) {
  return [
    Number.isInteger(line) && Number.isInteger(column) ? say("place-line", { line, column }) : null,
    typeof entry === "string" ? say("place-key", { key: entry }) : null,
    typeof edge === "string" ? say("place-edge", { edge }) : null,
    typeof entry === "string" && typeof given === "string"
      ? say("place-given", { given: given.slice(0, MAX_GIVEN) })
      : null,
    Array.isArray(at) ? say("place-at", { x: at[0], y: at[1] }) : null,
  ].filter((place) => place !== null);
}

/**
 * Return JSON from a request; `body` is sent as JSON. Throws ApiError.
 *
 * @param {string} method
 * @param {string} path
 * @param {{ token?: string | null, body?: object | null }} [given]
 * @returns {Promise<any>} one of the documents of `Api`, as the caller names it
 */
export async function call(method, path, { token = null, body = null } = {}) {
  /** @type {{ [name: string]: string }} */
  const headers = { Accept: "application/json", "Accept-Language": language };
  const own = key();
  if (own) headers["X-API-Key"] = own;
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const who = named();
  if (body && who) headers["X-Wondertally-Who"] = encodeURIComponent(who);
  const answer = await reached(fetch(path, { method, headers, body: body && JSON.stringify(body) }));
  return answered(answer.status, await answer.text());
}

/**
 * Return a picture that needs the token, as an address within the page. Throws ApiError.
 *
 * @param {string} path
 * @param {string | null} token
 */
export async function picture(path, token) {
  const answer = await reached(fetch(path, { headers: { Authorization: `Bearer ${token}` } }));
  if (!answer.ok) return answered(answer.status, await answer.text());
  return URL.createObjectURL(await answer.blob());
}

/**
 * Return a file that anybody may have, and the name in its header (RFC 6266). Throws ApiError.
 *
 * @param {string} path
 */
export async function download(path) {
  const answer = await reached(fetch(path, { headers: { "Accept-Language": language } }));
  if (!answer.ok) return answered(answer.status, await answer.text());
  const [, name = ""] = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") ?? "") ?? [];
  return { data: await answer.blob(), name: decodeURIComponent(name) };
}

/**
 * Send a form with photos, fitted to the server's limits; `onProgress` gets the share sent, 0 to 1. Throws ApiError.
 *
 * @param {FormData} form
 * @param {(share: number) => unknown} onProgress
 * @param {string} [path]
 * @param {string | null} [token]
 * @returns {Promise<any>}
 */
export async function upload(form, onProgress, path = "/v1/readings", token = null) {
  return sent(await fittingForm(form), onProgress, path, token);
}

/**
 * @param {FormData} form
 * @param {(share: number) => unknown} onProgress
 * @param {string} path
 * @param {string | null} token
 */
function sent(form, onProgress, path, token) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Prefer", "respond-async");
    const own = key();
    if (own) request.setRequestHeader("X-API-Key", own);
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    const who = named();
    if (token && who) request.setRequestHeader("X-Wondertally-Who", encodeURIComponent(who));
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = () => reject(offline());
    request.onload = () => {
      try {
        resolve(answered(request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    };
    request.send(form);
  });
}

/** @param {Promise<Response>} request */
async function reached(request) {
  try {
    return await request;
  } catch {
    throw offline();
  }
}

function offline() {
  return new ApiError("offline", "The server cannot be reached.");
}

/**
 * @param {number} status
 * @param {string} text
 */
function answered(status, text) {
  if (status === 204) return null;
  const document = parsed(text);
  if (status < 400 && document) return document;
  const error = document?.error ?? { code: "bad_answer", text: `HTTP ${status}` };
  throw new ApiError(error.code, error.text, status, error.details);
}

/**
 * @param {string} text
 * @returns {any} null if it is no JSON
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
