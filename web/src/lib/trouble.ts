/** What to tell people when something did not work. */

import { Problem } from '~/lib/api'
import { t } from '~/lib/i18n.svelte'

/** One sentence; the server's own where there is one in the reader's language. */
export function sayProblem(problem: unknown): string {
  if (problem instanceof Problem && problem.code === 'bad_options') return t('shell.problem_bad_options')
  return problem instanceof Problem ? problem.text : t('shell.problem_internal')
}

const KNOWN = new Set(['unknown_table', 'no_free_seat', 'not_allowed', 'not_seated', 'offline', 'old_rules', 'broken'])

/** What happened, and what one can do about it. */
export function explain(problem: unknown): { code: string; title: string; text: string } {
  const code = problem instanceof Problem ? problem.code : 'internal'
  const known = KNOWN.has(code) ? code : 'other'
  const text = known === 'other' ? sayProblem(problem) : t(`shell.trouble_${known}`)
  return { code, title: t(`shell.trouble_${known}_title`), text }
}
