/** A score pad as the server shows it (core/pad.py): the sheet, and the form of what is written next. */

import type { Component } from 'svelte'
import type { Draft } from './draft.svelte'

export type Value = number | string | boolean
export type Entry = Record<string, Value | Value[]>

export interface PadField {
  name: string
  label: string
  rule: string
  kind: 'int' | 'choice' | 'flag'
  /** Whether there is a value for each player. */
  each: boolean
  default: Value | null
  low?: number
  high?: number
  step?: number
  choices?: { value: Value; label: string }[]
}

export interface PadForm {
  title: string
  /** Whom the table looks at: who deals, or whose turn it is. */
  seat: number
  /** The seats in the order in which they speak. */
  order: number[]
  fields: PadField[]
  /** What can be written for the pad to count; null if there is nothing to count. */
  reckon: string | null
  /** What each card counts, by its rank, where hands are counted. */
  counts?: Record<string, number> | null
}

export interface PadNote {
  type: string
  text: string
  seat?: number | null
  seats?: number[]
  [field: string]: unknown
}

export interface PadRound {
  round: number
  points: number[]
  totals: number[]
  done: boolean
  /** Which entries it consists of. */
  entries: number[]
  notes: PadNote[]
}

export interface PadView {
  game: string
  players: string[]
  options: Record<string, unknown>
  first: number
  entries: Entry[]
  /** The seats that score as one. */
  sides: number[][]
  /** What is counted. */
  score: string
  rounds: PadRound[]
  /** What stood above the form of each entry: which round, whose turn. */
  entry_titles: string[]
  entry_texts: string[]
  totals: number[]
  places: number[]
  over: boolean
  form: PadForm | null
  /** The fields that entries were written with, each kind once, and which of them an entry has. */
  forms: PadField[][]
  entry_forms: number[]
}

/** What a game's `pad.ts` exports as default. */
export interface GamePad {
  Form: Component<FormProps>
  /** A word below the points of a round; the sum stands there otherwise. */
  detail?(view: PadView, round: PadRound, seat: number): string
}

/** What a game's own form is given. */
export interface FormProps {
  view: PadView
  form: PadForm
  draft: Draft
  /** Which entry is corrected; left out for a new one. */
  index?: number
}
