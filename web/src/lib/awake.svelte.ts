/** Whether the screen stays on: asked for, granted, or why not. */
export type Awake = 'asked' | 'on' | 'insecure' | 'unable' | 'denied'

/** Keeps the screen on while a page is open, where the browser can, and says truly where it does not. */
export class Waking {
  state = $state<Awake>('asked')
  #lock: WakeLockSentinel | null = null
  #ended = false

  /** Begin; the function returned ends it. */
  keep(): () => void {
    const again = () => {
      if (document.visibilityState === 'visible') void this.#ask()
    }
    again()
    // The lock is given up when the page is hidden.
    document.addEventListener('visibilitychange', again)
    return () => {
      this.#ended = true
      document.removeEventListener('visibilitychange', again)
      void this.#lock?.release()
    }
  }

  async #ask(): Promise<void> {
    if (!('wakeLock' in navigator)) {
      this.state = isSecureContext ? 'unable' : 'insecure'
      return
    }
    try {
      const lock = await navigator.wakeLock.request('screen')
      if (this.#ended) return void lock.release()
      this.#lock = lock
      this.state = 'on'
      lock.addEventListener('release', () => {
        if (this.#lock === lock && document.visibilityState === 'visible' && !this.#ended) this.state = 'denied'
      })
    } catch {
      this.state = 'denied'
    }
  }
}
