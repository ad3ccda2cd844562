/** Which page is shown: the address is the state. Links are plain `<a href>`. */

export interface Route {
  page: 'home' | 'new' | 'lesson' | 'join' | 'table' | 'replay' | 'pad' | 'about' | 'lost'
  /** `game`, `table`. */
  params: Record<string, string>
  query: URLSearchParams
  /** What stands behind the `#`, such as `join=…`. */
  hash: URLSearchParams
}

const ROUTES: [Route['page'], RegExp][] = [
  ['home', /^\/$/],
  ['new', /^\/new\/(?<game>\w+)$/],
  ['lesson', /^\/lesson\/(?<game>\w+)$/],
  ['join', /^\/join$/],
  ['table', /^\/t\/(?<table>[0-9a-z]+)$/],
  ['replay', /^\/t\/(?<table>[0-9a-z]+)\/replay$/],
  ['pad', /^\/pad(?:\/(?<table>[0-9a-z]+))?$/],
  ['about', /^\/about$/],
]

export function parse(url: URL): Route {
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname
  const rest = { query: url.searchParams, hash: new URLSearchParams(url.hash.slice(1)) }
  for (const [page, pattern] of ROUTES) {
    const found = pattern.exec(path)
    if (found) return { page, params: { ...found.groups }, ...rest }
  }
  return { page: 'lost', params: {}, ...rest }
}

let current = $state.raw(parse(new URL(location.href)))
let visits = $state(0)

/** Counts links with a secret that were opened on top of the page: it looks again, with the new key. */
export function visit(): number {
  return visits
}

/** The page that is shown, reactive. */
export function route(): Route {
  return current
}

/** Go to an address of ours. `replace` leaves no step behind in the history. */
export function go(address: string, { replace = false } = {}): void {
  const url = new URL(address, location.href)
  const samePath = url.pathname === location.pathname
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  current = parse(url)
  if (!samePath) scrollTo(0, 0)
}

/** Follow clicks on links and the browser's own steps. Called once. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    current = parse(new URL(location.href))
    if (current.hash.has('join') || current.hash.has('watch')) visits += 1
  })
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname === location.pathname && link.hash && link.search === location.search) return
    if (parse(new URL(link.href)).page === 'lost') return
    event.preventDefault()
    go(link.href)
  })
}
