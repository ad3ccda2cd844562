/** Short notices at the edge of the page. They leave by themselves, except those with an action. */

export interface Notice {
  id: number
  text: string
  kind: 'plain' | 'good' | 'bad'
  action?: { label: string; run: () => void }
}

let last = 0
const shown: Notice[] = $state([])

export const notices = (): Notice[] => shown

/** Show a notice; with an action it stays until it is closed. */
export function toast(text: string, { kind = 'plain', action, seconds = 6 }: ToastOptions = {}): number {
  const same = shown.findIndex((one) => one.text === text)
  if (same >= 0) shown.splice(same, 1)
  const id = ++last
  shown.push({ id, text, kind, action })
  if (shown.length > 3) shown.splice(0, shown.length - 3)
  if (!action) setTimeout(() => dismiss(id), seconds * 1000)
  return id
}

interface ToastOptions {
  kind?: Notice['kind']
  action?: Notice['action']
  seconds?: number
}

export function dismiss(id: number): void {
  const at = shown.findIndex((one) => one.id === id)
  if (at >= 0) shown.splice(at, 1)
}
