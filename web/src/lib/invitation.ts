/** Reads what people paste: a table's code, or the link they were sent. */

/** Codes have no letters that look like numbers (server/identity.py). */
const CODE = /^[23456789abcdefghjkmnpqrstuvwxyz]{12}$/
const LINK = /\/(t|pad)\/([0-9a-z]{12})(?:\/replay)?\/?(?:\?[^#\s]*)?(#(?:join|watch)=[\w-]+)?/i

/** The address on this site that a text leads to, or null. */
export function addressIn(text: string): string | null {
  const link = LINK.exec(text)
  if (link) return `/${link[1]!.toLowerCase()}/${link[2]!.toLowerCase()}${link[3] ?? ''}`
  const code = text.toLowerCase().replace(/[\s.-]/g, '')
  return CODE.test(code) ? `/t/${code}` : null
}
