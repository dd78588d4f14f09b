/** Serves the page that keeps a game's score where the server cannot be reached, as it was when it could. */

const CACHE = "keep";
const PATIENCE = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && !new URL(request.url).pathname.startsWith("/v1/")) event.respondWith(answer(request));
});

/** The server's answer, kept for later; what was kept where it does not come, or not soon. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  const fresh = fetch(request).then(async (own) => {
    if (own.ok && !own.redirected) await cache.put(request, own.clone());
    return own;
  });
  if (!kept) return fresh;
  return Promise.race([fresh.catch(() => kept), new Promise((resolve) => setTimeout(resolve, PATIENCE, kept))]);
}
