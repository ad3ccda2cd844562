/** Sitting down at a table, also in place of a bot. */

import { joinTable, Problem } from '~/lib/api'
import { remember } from '~/lib/mine'
import { askName } from '~/lib/profile.svelte'
import { toast } from '~/lib/toast.svelte'
import { sayProblem } from '~/lib/trouble'

/** Take a seat under one's name; if somebody there has the same, another one is asked for. Whether it worked. */
export async function sitDown(table: string, seat: number): Promise<boolean> {
  let name = await askName()
  while (name !== null) {
    try {
      const joined = await joinTable(table, name, seat)
      remember({ id: table, seat: joined.seat, token: joined.token })
      return true
    } catch (problem) {
      toast(sayProblem(problem), { kind: 'bad' })
      if (!(problem instanceof Problem) || problem.code !== 'name_taken') return false
      name = await askName(true)
    }
  }
  return false
}
