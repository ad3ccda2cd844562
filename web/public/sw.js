/* Keeps the shell of the page, so that it opens without a connection. Never anything of /api or /ws.
   Hashed assets come from the cache first; pages from the network first, and from the cache when there is none. */

const CACHE = 'ludotheque-shell-1'
const MOST_ASSETS = 150

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request('/', { cache: 'reload' }))))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
    await self.clients.claim()
  }
  event.waitUntil(clear())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

/* A notification leads to the page it came from. */
self.addEventListener('notificationclick', (event) => {
  const path = event.notification.data
  event.notification.close()
  const go = async () => {
    const open = await self.clients.matchAll({ type: 'window' })
    const there = open.find((client) => new URL(client.url).pathname === path)
    return there ? there.focus() : self.clients.openWindow(path)
  }
  event.waitUntil(go())
})

async function page(request) {
  const cache = await caches.open(CACHE)
  try {
    const answer = await fetch(request)
    const isPage = answer.ok && answer.headers.get('content-type')?.startsWith('text/html')
    // Every page is the same file: one copy will do.
    if (isPage) await cache.put('/', answer.clone())
    return answer
  } catch (error) {
    const kept = await cache.match('/')
    if (kept) return kept
    throw error
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    await cache.put(request, answer.clone())
    const assets = (await cache.keys()).filter((one) => new URL(one.url).pathname.startsWith('/assets/'))
    for (const old of assets.slice(0, Math.max(0, assets.length - MOST_ASSETS))) await cache.delete(old)
  }
  return answer
}
