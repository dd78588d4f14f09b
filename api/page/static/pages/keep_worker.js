// @ts-check
/** Serves the page that keeps a game's score from the cache if the server cannot be reached. */

const CACHE = "keep";
const PATIENCE = 4000;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && !new URL(request.url).pathname.startsWith("/v1/")) event.respondWith(answer(request));
});

/**
 * Return the server's answer, cached for later; the cached one if it fails, is slow or is an error.
 *
 * An error comes from a proxy without its server, or for a file of a page that was cached before an update.
 *
 * @param {Request} request
 */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  const fresh = fetch(request).then(async (own) => {
    if (own.ok && !own.redirected) await cache.put(request, own.clone());
    return own.ok || !kept ? own : kept;
  });
  if (!kept) return fresh;
  return Promise.race([fresh.catch(() => kept), new Promise((resolve) => setTimeout(resolve, PATIENCE, kept))]);
}
