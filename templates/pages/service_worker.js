// Upptime's page left a service worker of this name in browsers. This one takes its place, empties its
// caches, removes itself, and loads the open pages anew.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const remove = async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
    for (const page of await self.clients.matchAll({ type: "window" })) page.navigate(page.url);
  };
  event.waitUntil(remove());
});
