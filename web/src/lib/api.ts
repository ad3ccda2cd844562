/** The HTTP side of the game room. Whatever is refused is thrown as a `Problem`, with a sentence for people. */

import { lang, t } from '~/lib/i18n.svelte'
import { keyOf, remember, tokenOf } from '~/lib/mine'
import { prefs } from '~/lib/prefs.svelte'
import type {
  GameInfo,
  GameList,
  Joined,
  Lesson,
  Moments,
  NewTable,
  PadFile,
  Problem as Told,
  Recap,
  RecordFile,
  Replay,
  Rules,
  Shown,
  Summary,
  TableList,
  TableMade,
  Texts,
  ViewInfo,
} from '~/lib/protocol'

/** Why something was not done. `code` is the server's, or `offline`, or `internal`. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly text: string,
    readonly status: number,
    readonly rule: string | null = null,
  ) {
    super(text)
  }
}

interface Asked {
  method?: 'GET' | 'POST'
  body?: unknown
  query?: Record<string, string | number | undefined>
  /** The table it is about: its token and key go along. */
  table?: string
}

async function ask<T>(path: string, { method = 'GET', body, query = {}, table }: Asked = {}): Promise<T> {
  const url = new URL(path, location.origin)
  url.searchParams.set('lang', lang())
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const token = table && tokenOf(table)
  if (token) headers.Authorization = `Bearer ${token}`
  const key = table && method === 'GET' ? keyOf(table) : undefined
  if (key) url.searchParams.set('key', key)
  let answer: Response
  try {
    answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  } catch {
    throw new Problem('offline', t('shell.problem_offline'), 0)
  }
  const told: unknown = await answer.json().catch(() => null)
  if (answer.ok && told !== null) return told as T
  const problem = told as Told | null
  if (token && method === 'GET' && problem?.code === 'not_seated') {
    // The seat was given up or belongs to somebody else by now: look on as a guest.
    remember({ id: table, token: '' })
    return ask(path, { method, query, table })
  }
  const text = problem?.text ?? t('shell.problem_internal')
  throw new Problem(problem?.code ?? 'internal', text, answer.status, problem?.rule ?? null)
}

const at = (table: string, rest = '') => `/api/tables/${encodeURIComponent(table)}${rest}`

const kept = new Map<string, Promise<unknown>>()

/** What does not change while the page is open is asked once per language. */
function once<T>(path: string): Promise<T> {
  const name = `${lang()} ${path}`
  const found = kept.get(name) ?? ask<T>(path)
  kept.set(name, found)
  found.catch(() => kept.delete(name))
  return found as Promise<T>
}

export const games = async (): Promise<GameInfo[]> => (await once<GameList>('/api/games')).games
export const rules = (game: string) => once<Rules>(`/api/games/${encodeURIComponent(game)}/rules`)
export const gameTexts = (game: string) => once<Texts>(`/api/games/${encodeURIComponent(game)}/texts`)
export const viewOf = (game: string) => once<ViewInfo>(`/api/games/${encodeURIComponent(game)}/view`)
const lessonAt = (game: string, rest = '') => `/api/games/${encodeURIComponent(game)}/lesson${rest}`
/** The guided first match of a game; `moves` are those the learner has played so far. */
export const lessonOf = (game: string, name: string, moves: string[]) =>
  ask<Lesson>(lessonAt(game), { query: { name: name || undefined, moves: moves.join(',') || undefined } })
/** Why a move cannot be played at a step of it. */
export const lessonWhy = (game: string, step: number, move: string, moves: string[]) =>
  ask<Told>(lessonAt(game, `/${step}/why`), { query: { move, moves: moves.join(',') || undefined } })
export const publicTables = async (): Promise<Summary[]> => (await ask<TableList>('/api/tables')).tables

export const createTable = (body: NewTable) => ask<TableMade>('/api/tables', { method: 'POST', body })
export const showTable = (table: string) => ask<Shown>(at(table), { table })
export const joinTable = (table: string, name: string, seat?: number, key = keyOf(table)) =>
  ask<Joined>(at(table, '/join'), {
    method: 'POST',
    table,
    body: { name, avatar: prefs.avatar, seat: seat ?? null, key: key ?? null },
  })
export const recordOf = (table: string, match?: number) =>
  ask<RecordFile>(at(table, '/record'), { table, query: { match } })

/** The sheet of a pad as CSV. */
export const padFile = (table: string) => ask<PadFile>(at(table, '/sheet'), { table })
/** The rounds of a match with who gained what and why; once it is over, how it went. */
export const recapOf = (table: string, match?: number) => ask<Recap>(at(table, '/recap'), { table, query: { match } })
export const replayOf = (table: string, match?: number, seat?: number) =>
  ask<Replay>(at(table, '/replay'), { table, query: { match, seat } })
/** Views of a match from a moment on: `first` moves had been played. */
export const momentsOf = (table: string, first: number, count: number, match?: number, seat?: number) =>
  ask<Moments>(at(table, '/moments'), { table, query: { first, count, match, seat } })
