/** What `Face` draws in flight. */
export type Drawn = { card: string } | { token: 'token' | 'swim' } | { owes: true }
