import { padFile } from '~/lib/api'
import { lang } from '~/lib/i18n.svelte'
import { saveFile } from '~/lib/save'
import { drawSheet } from './picture'
import type { PadView } from './types'

const fileName = (view: PadView, end: string) => `ludotheque-${view.game}-${new Date().toISOString().slice(0, 10)}.${end}`

/** The sheet as a picture, in the colours of the page. */
export async function savePicture(view: PadView, title: string): Promise<void> {
  await document.fonts.ready
  const date = new Intl.DateTimeFormat(lang(), { dateStyle: 'long' }).format(new Date())
  const canvas = drawSheet(view, title, date)
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (file) saveFile(fileName(view, 'png'), file)
}

/** The sheet for a spreadsheet. */
export async function saveTable(id: string, view: PadView): Promise<void> {
  const { csv } = await padFile(id)
  saveFile(fileName(view, 'csv'), new Blob([csv], { type: 'text/csv;charset=utf-8' }))
}
