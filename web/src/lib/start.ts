/** Setting up tables: at once against bots, or as chosen. */

import * as api from '~/lib/api'
import { lang } from '~/lib/i18n.svelte'
import { remember } from '~/lib/mine'
import { prefs } from '~/lib/prefs.svelte'
import { askName } from '~/lib/profile.svelte'
import type { GameInfo, NewTable, TableMade } from '~/lib/protocol'

/** Set a table up and keep its secrets on this device. */
export async function setUp(wanted: NewTable): Promise<TableMade> {
  const made = await api.createTable({ lang: lang(), avatar: prefs.avatar, ...wanted })
  const { table, seat, token, join, watch } = made
  remember({
    id: table.id,
    game: table.game,
    kind: table.kind === 'pad' ? 'pad' : 'match',
    title: table.title,
    seat: seat ?? undefined,
    token: token ?? undefined,
    join,
    watch,
  })
  return made
}

/** A table with bots: the address that deals at once. Null if the person would rather not say a name. */
export async function playNow(game: GameInfo, started?: () => void): Promise<string | null> {
  const name = await askName()
  if (name === null) return null
  started?.()
  const seats = game.usual_seats
  const bots = Array.from({ length: seats - 1 }, () => prefs.level)
  const { table } = await setUp({ game: game.id, seats, bots, name })
  return `/t/${table.id}?now=1`
}
