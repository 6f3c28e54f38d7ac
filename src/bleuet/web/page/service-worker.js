// Keeps the files of this page, so that it opens without a network. Texts are never in them.

const CACHE = "bleuet-VERSION";

// A new version waits until no page of the one before it is open, so that no page has files of both.
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("bleuet-") && name !== CACHE) await caches.delete(name);
  }
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || new URL(url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(event.request);
    if (kept) return kept;
    const response = await fetch(event.request);
    // Not awaited: the page shows how much has come.
    if (response.ok) event.waitUntil(cache.put(event.request, response.clone()));
    return response;
  })());
});
