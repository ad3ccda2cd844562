/** Notifications of the system, for whoever has allowed them and looks elsewhere. */

/** Tell something; what was told under the same tag before is replaced. Pressing it leads back to this page. */
export async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return
  // Phones take notifications from the service worker only.
  const worker = await registration()
  const details = { body, tag, icon: '/icon-192.png', data: location.pathname }
  if (worker?.active) await worker.showNotification(title, details).catch(() => undefined)
}

/** Take back what was told under a tag. */
export async function unnotify(tag: string): Promise<void> {
  const told = await (await registration())?.getNotifications({ tag })
  told?.forEach((one) => one.close())
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined
}
