/** The name others see. It is asked once, when it is first needed, and kept on this device. */

import { t } from '~/lib/i18n.svelte'
import { prefs } from '~/lib/prefs.svelte'

export const LONGEST_NAME = 40

interface Asking {
  suggested: string
  done: (name: string | null, avatar?: string) => void
}

let current = $state.raw<Asking | null>(null)

/** The question that is open, for the dialog. */
export const asking = (): Asking | null => current

/** A playful name, another one than `not`. */
export function playfulName(not = ''): string {
  const names = t('shell.playful_names').split('|')
  const others = names.filter((name) => name !== not)
  return others[Math.floor(Math.random() * others.length)] ?? names[0] ?? ''
}

/** Something to draw another avatar from. */
export function otherAvatar(): string {
  return Math.random().toString(36).slice(2, 12)
}

/** The person's name; asks for it if there is none yet, or if `again`. Null if they would rather not. */
export function askName(again = false): Promise<string | null> {
  if (prefs.name && !again) return Promise.resolve(prefs.name)
  current?.done(null)
  return new Promise((resolve) => {
    current = {
      suggested: prefs.name || playfulName(),
      done: (name, avatar = prefs.avatar) => {
        current = null
        if (name) {
          prefs.name = name
          prefs.avatar = avatar
        }
        resolve(name)
      },
    }
  })
}
