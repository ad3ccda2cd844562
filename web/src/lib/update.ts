/** Notices that the server has a newer page than this tab, and keeps the shell for times without a connection. */

import { t } from '~/lib/i18n.svelte'
import { toast } from '~/lib/toast.svelte'

const EVERY = 10 * 60 * 1000
const PAUSE = 60 * 1000

/** Whether the server's page still starts with the script that runs here. */
async function isOld(): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-cache', headers: { Accept: 'text/html' } })
    const entry = /<script[^>]*src="(\/assets\/[^"]+)"/.exec(answer.ok ? await answer.text() : '')?.[1]
    const ours = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
    return entry !== undefined && ours !== undefined && new URL(ours).pathname !== entry
  } catch {
    return false
  }
}

function offer(): void {
  toast(t('shell.update_here'), { action: { label: t('shell.reload'), run: () => location.reload() } })
}

/** Called once, in the built page. */
export function watchForUpdates(): void {
  let last = Date.now()
  let offered = false
  const look = async () => {
    if (document.hidden || offered || Date.now() - last < PAUSE) return
    last = Date.now()
    offered = await isOld()
    if (offered) offer()
  }
  addEventListener('visibilitychange', () => void look())
  setInterval(() => void look(), EVERY)
  // A part of the old page that the server no longer has.
  addEventListener('vite:preloadError', () => offer())
  if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
}
