/** What `Face` draws in flight: a card, and the number a Skip-Bo stands for. */
export interface Drawn {
  card: string
  as?: number
}
